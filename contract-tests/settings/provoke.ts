import { isRecord, readSourceFile } from '#spec';
import { readText, SettingsError } from './check-options.ts';

/** How to trigger a cell: an entry in the file of `provoke`. */
export interface Provocation {
  readonly operationId: string;
  readonly status: number;
  /** Sent in this order; the last one gets the status. */
  readonly requests: readonly ProvokedRequest[];
  /** Makes an error for a line of the file, by its path below the entry. */
  readonly refuse: (path: readonly (string | number)[], message: string) => SettingsError;
}

/** A request; what is left out is ordinary. Texts may contain values of earlier responses, such as `$response.body#/id`. */
export interface ProvokedRequest {
  /** An operationId; undefined: that of the cell. */
  readonly operation: string | undefined;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Undefined: none. */
  readonly body: unknown;
  /** The maximum number of repetitions until the status is returned. */
  readonly repeat: number;
}

const MEMBERS = ['operation', 'path', 'query', 'headers', 'body', 'repeat'];
const MOST_REPEATS = 10_000;

/**
 * Reads a YAML or JSON object of cells: `OPERATIONID/STATUS` -> one request, or a list of them.
 * @throws SettingsError with file, line and remedy
 */
export function readProvocations(file: string): Provocation[] {
  const source = readSourceFile(file, readText(file, 'provoke'));
  const at = (path: readonly (string | number)[], message: string) =>
    new SettingsError(`provoke: ${file}:${source.positionOf(path.map(String)).line}: ${message}`);
  if (!isRecord(source.value))
    throw at([], 'the file must hold an object of OPERATIONID/STATUS: { path, query, headers, body }');
  return Object.entries(source.value).map(([cell, value]) => {
    const [, operationId, status] = /^(.+)\/([1-5]\d\d)$/s.exec(cell) ?? [];
    if (operationId === undefined)
      throw at([cell], `"${cell}" is no cell: write OPERATIONID/STATUS, such as createOrder/409`);
    const refuse: Provocation['refuse'] = (path, message) => at([cell, ...path], message);
    const list = Array.isArray(value) ? value : [value];
    if (list.length === 0) throw refuse([], 'the list names no request');
    const requests = list.map((entry, index) =>
      readRequest(entry, (path, message) => refuse(Array.isArray(value) ? [index, ...path] : path, message)),
    );
    return { operationId, status: Number(status), requests, refuse };
  });
}

function readRequest(entry: unknown, refuse: Provocation['refuse']): ProvokedRequest {
  if (!isRecord(entry)) throw refuse([], 'a request must be an object { path, query, headers, body }');
  const unknown = Object.keys(entry).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    throw refuse([unknown], `"${unknown}" is no member of a request: ${MEMBERS.join(', ')} are`);
  const record = (name: string) => {
    const value = entry[name] ?? {};
    if (!isRecord(value)) throw refuse([name], `"${name}" must be an object`);
    return value;
  };
  const { operation, body, repeat = 1 } = entry;
  if (operation !== undefined && typeof operation !== 'string')
    throw refuse(['operation'], '"operation" must be an operationId');
  const count = Number(repeat);
  if (!Number.isInteger(count) || count < 1 || count > MOST_REPEATS)
    throw refuse(['repeat'], `"repeat" must be a whole number from 1 to ${MOST_REPEATS}`);
  const headers = record('headers');
  const named = { operation, path: record('path'), query: record('query'), headers };
  return { ...named, body, repeat: count };
}
