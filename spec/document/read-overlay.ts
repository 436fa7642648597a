import { JSONPathEnvironment, JSONPathError, type JSONPathQuery } from 'json-p3';
import { isRecord } from '../json/json-type.ts';
import { MAX_DEPTH } from './normalize.ts';
import type { Problem } from './problem.ts';
import type { SourceFile } from './source-file.ts';
import { describeValue } from './typed-member.ts';

/** An OpenAPI Overlay (1.0, 1.1), read. */
export interface Overlay {
  readonly file: SourceFile;
  /** What the overlay says it is for, as it is written. */
  readonly extends: string | undefined;
  readonly actions: readonly OverlayAction[];
}

export interface OverlayAction {
  /** The path of the Action Object in the overlay. */
  readonly path: readonly string[];
  readonly target: JSONPathQuery;
  /** The target as it is written. */
  readonly written: string;
  readonly change: 'remove' | 'update' | 'copy';
  /** What `copy` copies. */
  readonly source: JSONPathQuery | undefined;
}

/** What stands in the way of an overlay, and what is odd in it and harmless. */
export interface Found {
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

// The library's own bound is 50; files are read to this depth.
const JSON_PATH = new JSONPathEnvironment({ maxRecursionDepth: 2 * MAX_DEPTH });

/** Reads an overlay; undefined if it has none of the form of one. */
export function readOverlay(file: SourceFile, { problems, warnings }: Found): Overlay | undefined {
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
  if (value.actions.length === 0) warn(['actions'], 'the overlay has no actions');
  if (value.extends !== undefined && typeof value.extends !== 'string')
    warn(['extends'], `"extends" must be a text, not ${describeValue(value.extends)}; it is ignored`);
  return {
    file,
    extends: typeof value.extends === 'string' ? value.extends : undefined,
    actions: value.actions.flatMap((action, index) => readAction(action, index) ?? []),
  };
}
