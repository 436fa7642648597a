import { createHash } from 'node:crypto';
import { type Contract, isRecord, type Place, stringifyJson, toPointer } from '#spec';
import { partAt } from '../laws/finding.ts';

/** A place in the document as roots are told apart by. */
export interface RootPlace {
  /** The same for a place and for those in copies of the schema, the parameter or the header that it is in. */
  readonly identity: string;
  /** Likewise of the object schema around it; without one that of the place. */
  readonly owner: string;
  /** JSON Pointer of the place. */
  readonly pointer: string;
  /** The parameter that it is in. */
  readonly parameter: { readonly in: string; readonly name: string } | undefined;
}

export function placeIn(contract: Contract, at: Place): RootPlace {
  const part = partAt(contract, at);
  const { path, within } = part;
  const values = [...within, part.value];
  const isMember = (depth: number) => isObjectSchema(values[depth]) && depth < path.length;
  const isSmallest = (depth: number) =>
    isMember(depth) || isParameter(values[depth]) || path[depth - 2] === 'headers';
  const depths = values.map((_, depth) => depth);
  // What is demanded is one list, whichever of its names is lacking.
  const isDemanded = path.at(-2) === 'required' && Array.isArray(within.at(-1));
  const identify = (depth: number | undefined) =>
    depth === undefined ? toPointer(path) : identityOf(path.slice(0, depth), values[depth]);
  const copied = depths.findLast(isSmallest);
  const owner = depths.findLast(isMember);
  const below = copied === undefined ? [] : path.slice(copied, isDemanded ? -1 : undefined);
  return {
    identity: identify(copied) + toPointer(below),
    owner: identify(owner),
    pointer: toPointer(path),
    parameter: values.findLast(isParameter),
  };
}

function isObjectSchema(value: unknown): boolean {
  return isRecord(value) && isRecord(value.properties);
}

function isParameter(value: unknown): value is { in: string; name: string } {
  return isRecord(value) && typeof value.in === 'string' && typeof value.name === 'string';
}

/** What the document gives a name is itself; of anything else it counts what it says. */
function identityOf(path: readonly string[], value: unknown): string {
  if (NAMED.has(path[0] ?? '')) return toPointer(path);
  const said = stringifyJson(withoutRemarks(value));
  return `~${createHash('sha256').update(said).digest('hex').slice(0, 12)}`;
}

const NAMED: ReadonlySet<string> = new Set(['components', 'definitions', 'parameters', 'responses']);

const REMARKS: ReadonlySet<string> = new Set(['description', 'title', 'summary']);

/** Copies differ in what they say to people. */
function withoutRemarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRemarks);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => !(REMARKS.has(name) && typeof member === 'string'),
  );
  return Object.fromEntries(members.sort(byName).map(([name, member]) => [name, withoutRemarks(member)]));
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
