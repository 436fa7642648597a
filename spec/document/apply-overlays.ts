import type { JSONPathQuery } from 'json-p3';
import { isRecord } from '../json/json-type.ts';
import { Draft } from './draft.ts';
import { normalize } from './normalize.ts';
import { DocumentError, type Problem } from './problem.ts';
import { type Found, type Overlay, type OverlayAction, readOverlay } from './read-overlay.ts';
import type { SourceFile } from './source-file.ts';
import type { Place } from './spot.ts';

/**
 * Applies OpenAPI Overlays to a file, one after another. Each part of the result has the position at which it is
 * written, in the file or in an overlay.
 * @param url of the file
 * @param overlays by absolute URL
 * @throws DocumentError for what is no overlay, an invalid JSONPath, and a change that cannot be made
 */
export function applyOverlays(
  url: string,
  file: SourceFile,
  overlays: ReadonlyMap<string, SourceFile>,
): { file: SourceFile; warnings: readonly Problem[] } {
  const found: Found = { problems: [], warnings: [] };
  // What is no object is no OpenAPI document, which is said later.
  if (!isRecord(file.value)) return { file, warnings: [] };
  const draft = new Draft(file);
  for (const [at, overlayFile] of overlays) {
    const overlay = readOverlay(overlayFile, found);
    if (!overlay) continue;
    checkExtends(overlay, at, { url, uri: file.uri }, found);
    for (const action of overlay.actions) applyAction(action, overlay, draft, found);
    // Copies of copies grow without bound.
    const { problem } = normalize(draft.value);
    if (problem)
      found.problems.push(overlayFile.problemAt(['actions'], `with these actions ${problem.message}`));
    if (found.problems.length > 0) break;
  }
  if (found.problems.length > 0) throw new DocumentError(found.problems);
  return { file: overlaidFile(file, draft, [...overlays.values()]), warnings: found.warnings };
}

function overlaidFile(file: SourceFile, draft: Draft, overlays: readonly SourceFile[]): SourceFile {
  return {
    ...file,
    value: draft.value,
    overlays,
    positionOf: (path) => positionIn(draft, path),
    problemAt(path, message) {
      const origin = draft.originOf(path);
      return origin.file.problemAt(origin.path, message);
    },
  };
}

function positionIn(draft: Draft, path: readonly string[]): Place {
  const origin = draft.originOf(path);
  return origin.file.positionOf(origin.path);
}

function checkExtends(
  { extends: named, file }: Overlay,
  at: string,
  document: { url: string; uri: string },
  { warnings }: Found,
): void {
  if (named === undefined || URL.parse(named, at)?.href === document.url) return;
  const message = `the overlay is for ${named}, and is applied to ${document.uri}`;
  warnings.push(file.problemAt(['extends'], message));
}

function applyAction(action: OverlayAction, { file }: Overlay, draft: Draft, found: Found): void {
  const { path, target, written, change } = action;
  const targets = locations(target, draft);
  if (targets.length === 0) {
    const message = `the target ${written} matches nothing in the document; the action is ignored`;
    found.warnings.push(file.problemAt([...path, 'target'], message));
    return;
  }
  draft.beginStep();
  const refusal = change === 'remove' ? removeAll(targets, draft) : mergeAll(targets, action, file, draft);
  if (refusal !== undefined) found.problems.push(file.problemAt([...path, change], refusal));
}

/** Why it cannot be done; undefined: it is done. */
function removeAll(targets: readonly string[][], draft: Draft): string | undefined {
  if (targets.some((at) => at.length === 0)) return 'the whole document cannot be removed';
  draft.remove(targets);
  return undefined;
}

/** Why it cannot be done; undefined: it is done. */
function mergeAll(
  targets: readonly string[][],
  action: OverlayAction,
  file: SourceFile,
  draft: Draft,
): string | undefined {
  const added = action.change === 'copy' ? copied(action, draft) : updateOf(action, file);
  if (!added) return '"copy" must match exactly one part of the document';
  for (const at of targets) {
    const here = draft.at(at);
    // What an earlier target was changed to may have taken the place of this one.
    if (here === undefined) continue;
    if (isRecord(here) && !isRecord(added.value)) {
      const { uri, line } = positionIn(draft, at);
      return `only an object can be merged into the target, an object (${uri}:${line})`;
    }
    draft.merge(at, added.value, added.origin);
  }
  return undefined;
}

function updateOf({ path }: OverlayAction, file: SourceFile) {
  const origin = { file, path: [...path, 'update'] };
  const value = origin.path.reduce(
    (here: unknown, step) => (here as Record<string, unknown>)[step],
    file.value,
  );
  return { value, origin };
}

function copied({ source }: OverlayAction, draft: Draft) {
  const found = source ? locations(source, draft) : [];
  const [at] = found;
  return at && found.length === 1 ? { value: draft.at(at), origin: draft.originOf(at) } : undefined;
}

/** Each once. */
function locations(query: JSONPathQuery, draft: Draft): string[][] {
  const { nodes } = query.query(draft.value as Parameters<JSONPathQuery['query']>[0]);
  const paths = nodes.map(({ location }) => location.map(String));
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}
