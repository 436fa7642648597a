import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, isRecord, stringifyJson } from '#spec';

/** The document in a folder of its own. */
export interface DocumentCopy {
  readonly folder: string;
  readonly file: string;
  remove(): Promise<void>;
}

/**
 * Copies a document with all its files, its `default` responses left out: they would let pass every status that is not
 * documented, and Dredd would take them for a second 200.
 */
export async function copyDocument({ document }: Contract): Promise<DocumentCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const names = new Map([...document.files.keys()].map((url, index) => [url, `document-${index}.json`]));
  for (const [url, { value }] of document.files) {
    const copy = rewrite(value, [], (reference) => renamed(reference, url, names));
    await writeFile(join(folder, names.get(url) as string), stringifyJson(copy));
  }
  const root = [...document.files].find(([, file]) => file === document.root.file)?.[0] ?? '';
  return {
    folder,
    file: join(folder, names.get(root) as string),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

type Rename = (reference: string) => string;

function rewrite(value: unknown, path: readonly string[], rename: Rename): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => rewrite(item, [...path, String(index)], rename));
  if (!isRecord(value)) return value;
  const members = isResponses(value, path) ? withoutDefault(value) : Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? rename(member)
        : rewrite(member, [...path, name], rename),
    ]),
  );
}

/** A Responses Object, told from the named responses under `components` by what its keys are. */
function isResponses(value: Record<string, unknown>, path: readonly string[]): boolean {
  return (
    path.at(-1) === 'responses' &&
    path.at(-2) !== 'components' &&
    Object.keys(value).every((key) => /^(?:[1-5](?:\d\d|XX)|default|x-.*)$/.test(key))
  );
}

/** Where there is nothing but `default`, it is what is documented. */
function withoutDefault(responses: Record<string, unknown>): [string, unknown][] {
  const others = Object.entries(responses).filter(([key]) => key !== 'default');
  return others.some(([key]) => /^\d/.test(key)) ? others : Object.entries(responses);
}

function renamed(reference: string, from: string, names: ReadonlyMap<string, string>): string {
  const [file = '', ...fragment] = reference.split('#');
  if (file === '') return reference;
  const name = names.get(URL.parse(file, from)?.href ?? '');
  return name === undefined ? reference : [name, ...fragment].join('#');
}
