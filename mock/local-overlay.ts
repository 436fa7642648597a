import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Contract, DocumentError, isHttp, loadContract, type Problem } from '#spec';
import { fileBehind, replaceFile, tryReplacing } from '#whole-file';
import type { ChangedOverlay } from './control/meaning-endpoint.ts';
import type { ResolvedOptions } from './resolve-options.ts';
import type { OverlayReader } from './serving.ts';

/**
 * The first local overlay of a document. Changes run one after the other: each is validated with the document, served, then
 * written.
 * @param location path or URL of the document
 * @returns undefined: there is none
 */
export function openOverlay(
  location: string,
  options: ResolvedOptions,
): ((reader: OverlayReader) => ChangedOverlay) | undefined {
  const file = options.overlays.find((overlay) => !isHttp(overlay));
  return file === undefined ? undefined : (reader) => changedOverlay(file, location, options, reader);
}

function changedOverlay(
  file: string,
  location: string,
  options: ResolvedOptions,
  reader: OverlayReader,
): ChangedOverlay {
  // The working directory may change.
  const path = resolve(file);
  let last: Promise<unknown> = Promise.resolve();

  async function change(edit: (text: string) => string): Promise<Contract> {
    const target = fileBehind(path);
    if (target === undefined) throw new Error('it is no file');
    tryReplacing(target);
    const before = readFileSync(target, 'utf8');
    const text = edit(before);
    const served = reader.contract();
    if (text === before) return served;
    const load = { ...options, presumeResponses: true, unsaved: { [file]: text } };
    const contract = await loadContract(location, load);
    const messages = new Set(served.warnings.map(({ message }) => message));
    const isNew = ({ uri, message }: Problem) => resolve(uri) === path && !messages.has(message);
    const wrong = contract.warnings.filter(isNew);
    if (wrong.length > 0) throw new DocumentError(wrong);
    if (readFileSync(target, 'utf8') !== before) return change(edit);
    // Served before it is written, so that watchers of the file find a served document.
    await reader.changeDocument(contract);
    try {
      replaceFile(path, text);
    } catch (error) {
      await reader.changeDocument(served);
      throw error;
    }
    return contract;
  }

  return {
    file,
    change(edit) {
      const done = last.then(() => change(edit));
      last = done.catch(() => {});
      return done;
    },
  };
}
