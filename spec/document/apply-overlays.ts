import { JSONPathEnvironment, JSONPathError, type JSONPathQuery } from 'json-p3';
import { isRecord } from '../json/json-value.ts';
import { Draft } from './draft.ts';
import { MAX_DEPTH, normalize } from './parsed-text.ts';
import { DocumentError, type Problem, type SourceFile } from './source-file.ts';
import { describeValue, type Place } from './spot.ts';

/**
 * Applies OpenAPI Overlays to a file, in order. Each part of the result keeps its source position, in the file or in an
 * overlay.
 * @param url of the file
 * @param overlays by absolute URL
 * @throws DocumentError for a file that is no overlay, an invalid JSONPath, and a change that cannot be made
 */
export function applyOverlays(
  url: string,
  file: SourceFile,
  overlays: ReadonlyMap<string, SourceFile>,
): { file: SourceFile; warnings: readonly Problem[] } {
  const diagnostics: Diagnostics = { problems: [], warnings: [] };
  // A value that is no object is no OpenAPI document; a later check reports that.
  if (!isRecord(file.value)) return { file, warnings: [] };
  const draft = new Draft(file);
  for (const [at, overlayFile] of overlays) {
    const overlay = readOverlay(overlayFile, diagnostics);
    if (!overlay) continue;
    checkExtends(overlay, at, { url, uri: file.uri }, diagnostics);
    for (const action of overlay.actions) applyAction(action, overlay, draft, diagnostics);
    // Actions that copy copies can grow the document without bound.
    const { problem } = normalize(draft.value);
    if (problem)
      diagnostics.problems.push(overlayFile.problemAt(['actions'], `with these actions ${problem.message}`));
    if (diagnostics.problems.length > 0) break;
  }
  if (diagnostics.problems.length > 0) throw new DocumentError(diagnostics.problems);
  return { file: overlaidFile(file, draft, [...overlays.values()]), warnings: diagnostics.warnings };
}

function checkExtends(
  { extends: named, file }: Overlay,
  at: string,
  document: { url: string; uri: string },
  { warnings }: Diagnostics,
): void {
  if (named === undefined || URL.parse(named, at)?.href === document.url) return;
  const message = `the overlay is for ${named}, and is applied to ${document.uri}`;
  warnings.push(file.problemAt(['extends'], message));
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

/** A parsed OpenAPI Overlay (1.0 or 1.1). */
interface Overlay {
  readonly file: SourceFile;
  /** The overlay's `extends`, unresolved. */
  readonly extends: string | undefined;
  readonly actions: readonly OverlayAction[];
}

interface OverlayAction {
  /** The path of the Action Object in the overlay. */
  readonly path: readonly string[];
  readonly target: JSONPathQuery;
  /** The unparsed target expression. */
  readonly written: string;
  readonly change: 'remove' | 'update' | 'copy';
  /** The query for what `copy` copies. */
  readonly source: JSONPathQuery | undefined;
}

/** Problems refuse the overlay; warnings point out oddities that do no harm. */
interface Diagnostics {
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

// The library's own bound is 50; files are read to this depth.
const JSON_PATH = new JSONPathEnvironment({ maxRecursionDepth: 2 * MAX_DEPTH });

/** Reads an overlay; undefined if the file does not have the form of one. */
function readOverlay(file: SourceFile, { problems, warnings }: Diagnostics): Overlay | undefined {
  const { value } = file;
  const refuse = (path: readonly string[], message: string) =>
    void problems.push(file.problemAt(path, message));
  const warn = (path: readonly string[], message: string) =>
    void warnings.push(file.problemAt(path, message));

  function readPath(path: readonly string[], text: unknown): JSONPathQuery | undefined {
    const key = path.at(-1);
    if (typeof text !== 'string')
      return refuse(path, `"${key}" must be a text, a JSONPath, not ${describeValue(text)}`);
    try {
      return JSON_PATH.compile(text);
    } catch (error) {
      if (!(error instanceof JSONPathError)) throw error;
      return refuse(path, `"${key}" is no JSONPath (RFC 9535): ${error.message}`);
    }
  }

  function readAction(action: unknown, index: number): OverlayAction | undefined {
    const path = ['actions', String(index)];
    if (!isRecord(action)) return refuse(path, `an action must be an object, not ${describeValue(action)}`);
    if (!('target' in action)) return refuse(path, 'the action has no "target"');
    const { remove = false } = action;
    if (typeof remove !== 'boolean')
      return refuse([...path, 'remove'], `"remove" must be true or false, not ${describeValue(remove)}`);
    const target = readPath([...path, 'target'], action.target);
    const change = remove ? 'remove' : (['update', 'copy'] as const).find((name) => name in action);
    if (!change)
      return warn(path, 'the action has neither "update" nor "copy" nor "remove: true"; it is ignored');
    const source = change === 'copy' ? readPath([...path, 'copy'], action.copy) : undefined;
    return target && { path, target, written: String(action.target), change, source };
  }

  if (!isRecord(value) || !('overlay' in value)) {
    const missing = 'the member "overlay" (1.0.x or 1.1.x) is missing';
    return refuse([], `this is no overlay: ${isRecord(value) ? missing : `it must be an object`}`);
  }
  if (!/^1\.[01](?:\.\d+)?$/.test(String(value.overlay)))
    return refuse(
      ['overlay'],
      `"overlay" must be a version 1.0.x or 1.1.x, not ${describeValue(value.overlay)}`,
    );
  if (!Array.isArray(value.actions)) return refuse(['actions'], 'an overlay must have a list of "actions"');
  if (value.extends !== undefined && typeof value.extends !== 'string')
    warn(['extends'], `"extends" must be a text, not ${describeValue(value.extends)}; it is ignored`);
  return {
    file,
    extends: typeof value.extends === 'string' ? value.extends : undefined,
    actions: value.actions.flatMap((action, index) => readAction(action, index) ?? []),
  };
}

function applyAction(action: OverlayAction, { file }: Overlay, draft: Draft, diagnostics: Diagnostics): void {
  const { path, target, written, change } = action;
  const targets = locations(target, draft);
  if (targets.length === 0) {
    const message = `the target ${written} matches nothing in the document; the action is ignored`;
    diagnostics.warnings.push(file.problemAt([...path, 'target'], message));
    return;
  }
  draft.beginStep();
  const refusal = change === 'remove' ? removeAll(targets, draft) : mergeAll(targets, action, file, draft);
  if (refusal !== undefined) diagnostics.problems.push(file.problemAt([...path, change], refusal));
}

/** Removes the targets; returns why that is impossible, or undefined. */
function removeAll(targets: readonly string[][], draft: Draft): string | undefined {
  if (targets.some((at) => at.length === 0)) return 'the whole document cannot be removed';
  draft.remove(targets);
  return undefined;
}

/** Merges into the targets; returns why that is impossible, or undefined. */
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
    // A change to an earlier target may have replaced this one.
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
  const matches = source ? locations(source, draft) : [];
  const [at] = matches;
  return at && matches.length === 1 ? { value: draft.at(at), origin: draft.originOf(at) } : undefined;
}

/** The distinct paths that a query selects. */
function locations(query: JSONPathQuery, draft: Draft): string[][] {
  const { nodes } = query.query(draft.value as Parameters<JSONPathQuery['query']>[0]);
  const paths = nodes.map(({ location }) => location.map(String));
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}
