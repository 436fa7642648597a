import { createHash } from 'node:crypto';
import {
  type Action,
  type Contract,
  explicitStatuses,
  isRecord,
  type Operation,
  type Place,
  placeOf,
  pointerTokens,
  type RequestViolation,
  type Resource,
  SAFE_METHODS,
  stringifyJson,
  toPointer,
  valueAt,
} from '#spec';
import { isUnacceptable } from '../laws/excused-status.ts';
import { type Finding, keyAt, partAt } from '../laws/finding.ts';
import type { LawName } from '../laws/law.ts';
import { roleOf } from '../laws/operation-role.ts';
import { headerOf } from '../send/wire.ts';

/** What roots are told apart by: everything that follows from a finding and the document. */
export interface Facts {
  readonly finding: Finding;
  readonly law: LawName;
  /** The way in which it is broken, as a text; empty: there is one. */
  readonly kind: string;
  readonly status: number;
  /** The status that the document has in its place, as the kind names it; undefined: the kind names none. */
  readonly wanted: string | undefined;
  /** The operation that was asked. */
  readonly operation: Operation;
  /** The operation that has done it: that which changed the record, where another one only shows it. */
  readonly culprit: Operation;
  readonly resource: Resource | undefined;
  /** The member of the record that it is about. */
  readonly member: string | undefined;
  readonly place: RootPlace;
  /** The key of a root that is known by its law, a kind and the place. */
  readonly keyHere: (kind?: Finding['kind']) => string;
  /** What made the request special; undefined: it is valid. */
  readonly provokedBy: Provocation | undefined;
  readonly violation: NonNullable<Finding['circumstance']>['violation'];
}

/** Which role of a resource has done what shows in reads and lists. */
const DOERS: Readonly<Partial<Record<LawName, Action>>> = {
  'created-equals-sent': 'create',
  'created-can-be-read': 'create',
  'created-is-listed': 'create',
  'created-once': 'create',
  'exact-integers': 'create',
  location: 'create',
  'replaced-is-replaced': 'replace',
  'merged-is-merged': 'update',
  'null-removes': 'update',
  'removed-is-gone': 'remove',
};

export function factsOf(finding: Finding, contract: Contract): Facts {
  const { law, kind, exchange, circumstance, part, at } = finding;
  const { operation, response } = exchange;
  const resource = roleOf(contract, operation)?.resource;
  const doer = DOERS[law];
  const name = typeof kind === 'object' ? kind.keyword : (kind ?? '');
  const place = placeIn(contract, at);
  return {
    finding,
    law,
    kind: name,
    status: response.status,
    wanted: /-for-(.+)$/.exec(name)?.[1],
    operation,
    culprit:
      (doer && resource?.actions[doer]) || writerIn(finding) || racedIn(finding, contract) || operation,
    resource,
    member: part === undefined ? undefined : (pointerTokens(part)[0] ?? ''),
    place,
    keyHere: (of) => keyAt(contract, { law, ...(of && { kind: of }) }, at.uri, place.identity),
    provokedBy: provocationOf(finding),
    violation: circumstance?.violation,
  };
}

/** Of what a client wrote a later response shows: the write before it has taken it. */
function writerIn({ law, trail }: Finding): Operation | undefined {
  if (law !== 'read-only-ignored') return undefined;
  return trail.findLast(({ operation }) => !SAFE_METHODS.has(operation.method))?.operation;
}

/** A race is shown by a read, and its finding is at the operation that changes the record. */
function racedIn({ law, at }: Finding, { operations }: Contract): Operation | undefined {
  if (law !== 'linearizable') return undefined;
  return operations.find(({ spot }) => {
    const { uri, line, column } = placeOf(spot);
    return uri === at.uri && line === at.line && column === at.column;
  });
}

/** Where the document finds fault with a request, or that it accepts no documented media type, or has no credential. */
type Provocation = RequestViolation['in'] | 'accept' | 'credential' | 'undocumented';

function provocationOf({ exchange, circumstance }: Finding): Provocation | undefined {
  const { input, operation, request } = exchange;
  // A run without a key sends none either.
  const needsOne = operation.security.length > 0 && operation.security.every((one) => one.length > 0);
  const hasNone = operation.security
    .flat()
    .every(({ in: place, name }) =>
      place === 'query'
        ? !request.url.searchParams.has(name)
        : place === 'header' && headerOf(request, name.toLowerCase()) === undefined,
    );
  if (input.refused || (needsOne && hasNone)) return 'credential';
  if (input.undocumented) return 'undocumented';
  return circumstance?.violation?.in ?? (isUnacceptable(exchange) ? 'accept' : undefined);
}

/** The response to a valid write shows a member of its body that does not fit: nothing invalid was taken for that. */
export function answersValid({ provokedBy, operation, finding: { part, exchange } }: Facts): boolean {
  if (provokedBy !== undefined || part === undefined || SAFE_METHODS.has(operation.method)) return false;
  return valueAt(exchange.input.body, pointerTokens(part)) !== undefined;
}

/** A parameter as people write it: `?limit`, `{id}`, or with its place. */
export function parameterName({ in: place, name }: { readonly in: string; readonly name: string }): string {
  if (place === 'query') return `?${name}`;
  return place === 'path' ? `{${name}}` : `${place} ${name}`;
}

export function labelOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

export function isDocumented({ operation, status }: Facts): boolean {
  return explicitStatuses(operation.responses).includes(status);
}

/** Which findings are one root, by the meaning of law and place, and how the root is named. */
export interface Rule {
  /** Undefined: the rule is not about such findings. */
  readonly keyOf: (facts: Facts, contract: Contract) => string | undefined;
  /** Method, path and what is wrong; how many requests and operations show it is said behind it. */
  readonly titleOf: (group: readonly [Facts, ...Facts[]]) => string;
}

/** Distinct texts, some of many. */
export function listed(texts: readonly string[], most = 6): string {
  const distinct = [...new Set(texts)];
  const more = distinct.length - most;
  return `${distinct.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What keywords demand (`must be a boolean`), as what it is (`a boolean`). */
export function demanded(expected: string): string {
  return expected.replace(/^must be /, '');
}

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

function placeIn(contract: Contract, at: Place): RootPlace {
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
