import { createHash } from 'node:crypto';
import {
  type Action,
  type Contract,
  explicitStatuses,
  isEqual,
  isRecord,
  type Operation,
  type Place,
  placeOf,
  pointerTokens,
  type RequestViolation,
  type Resource,
  SAFE_METHODS,
  someOf,
  stringifyJson,
  toPointer,
  valueAt,
} from '#spec';
import { isUnacceptable, lacksCredential } from '../laws/excused-status.ts';
import { type Finding, keyAt, partAt } from '../laws/finding.ts';
import type { LawName } from '../laws/law.ts';
import { roleOf } from '../laws/operation-role.ts';

/** The properties that distinguish roots: everything that follows from a finding and the document. */
export interface Facts {
  readonly finding: Finding;
  readonly law: LawName;
  /** How the rule is broken, as a text; empty: there is one way only. */
  readonly kind: string;
  readonly status: number;
  /** The expected status in the kind of the breach; undefined: the kind has none. */
  readonly wanted: string | undefined;
  /** The operation that was called. */
  readonly operation: Operation;
  /** The operation at fault: the one that changed the record, if another only shows it. */
  readonly culprit: Operation;
  readonly resource: Resource | undefined;
  /** The affected member of the record. */
  readonly member: string | undefined;
  readonly place: RootPlace;
  /** The key of a root that is identified by its rule, a kind and the place. */
  readonly keyHere: (kind?: Finding['kind']) => string;
  /** The invalid part of the request; undefined: it is valid. */
  readonly provokedBy: Provocation | undefined;
  readonly violation: NonNullable<Finding['circumstance']>['violation'];
}

/** The role at fault for rules that reads and lists reveal. */
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

/** @param asksForNone the service accepts requests without a credential: what one provokes has other reasons */
export function factsOf(finding: Finding, contract: Contract, asksForNone = false): Facts {
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
    provokedBy: provocationOf(finding, asksForNone),
    violation: circumstance?.violation,
  };
}

/** A later response shows a value that an earlier write accepted. */
function writerIn({ law, trail }: Finding): Operation | undefined {
  if (law !== 'read-only-ignored') return undefined;
  return trail.findLast(({ operation }) => !SAFE_METHODS.has(operation.method))?.operation;
}

/** A read reveals a race, and its finding is placed at the operation that changes the record. */
function racedIn({ law, at }: Finding, { operations }: Contract): Operation | undefined {
  if (law !== 'linearizable') return undefined;
  const { uri, line, column } = at;
  return operations.find(({ spot }) => isEqual(placeOf(spot), { uri, line, column }));
}

/** The place of a violation in a request, or that it accepts no documented media type, or lacks a credential. */
type Provocation = RequestViolation['in'] | 'accept' | 'credential' | 'undocumented';

function provocationOf({ exchange, circumstance }: Finding, asksForNone: boolean): Provocation | undefined {
  const { input } = exchange;
  // A run without a credential sends none either.
  if (input.refused || (!asksForNone && lacksCredential(exchange))) return 'credential';
  if (input.undocumented) return 'undocumented';
  return circumstance?.violation?.in ?? (isUnacceptable(exchange) ? 'accept' : undefined);
}

/** Whether the response to a valid write shows an invalid member of its body: the request was valid. */
export function answersValid({ provokedBy, operation, finding: { part, exchange } }: Facts): boolean {
  if (provokedBy !== undefined || part === undefined || SAFE_METHODS.has(operation.method)) return false;
  return valueAt(exchange.input.body, pointerTokens(part)) !== undefined;
}

/** A parameter in readable form: `?limit`, `{id}`, or with its place. */
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

/** Decides which findings share a root, by the meaning of rule and place, and names the root. */
export interface Rule {
  /** Undefined: it does not apply to the finding. */
  readonly keyOf: (facts: Facts, contract: Contract) => string | undefined;
  /** Method, path and problem; the numbers of requests and operations are appended. */
  readonly titleOf: (group: readonly [Facts, ...Facts[]]) => string;
}

/** Distinct texts, shortened if there are many. */
export function listed(texts: readonly string[], most = 6): string {
  return someOf([...new Set(texts)], most);
}

/** The requirement of a keyword (`must be a boolean`) as a noun (`a boolean`). */
export function demanded(expected: string): string {
  return expected.replace(/^must be /, '');
}

/** Groups names of the same thing (union-find). */
export function createNames() {
  const others = new Map<string, string>();
  const nameOf = (name: string): string => {
    const other = others.get(name) ?? name;
    return other === name ? name : nameOf(other);
  };
  function unite(one: string, other: string): void {
    const [first = one, second = other] = [nameOf(one), nameOf(other)].sort();
    others.set(second, first);
  }
  return { nameOf, unite };
}

/** A place in the document, in a form that distinguishes roots. */
export interface RootPlace {
  /** Equal for a place and its copies in other schemas, parameters or headers. */
  readonly identity: string;
  /** The identity of the enclosing object schema; without one, that of the place. */
  readonly owner: string;
  /** JSON Pointer of the place. */
  readonly pointer: string;
  /** The enclosing parameter. */
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
  // All names in `required` count as one place, whichever is missing.
  const isDemanded = path.at(-2) === 'required' && Array.isArray(within.at(-1));
  const identify = (depth: number | undefined) =>
    depth === undefined ? toPointer(path) : identityOf(path.slice(0, depth), values[depth]);
  // A place outside of objects belongs to the whole schema.
  const copied = depths.findLast(isSmallest) ?? depths.find((depth) => path[depth - 1] === 'schema');
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

/** A named component is identified by its path, anything else by its content. */
function identityOf(path: readonly string[], value: unknown): string {
  if (NAMED.has(path[0] ?? '')) return toPointer(path);
  const text = stringifyJson(withoutRemarks(value));
  return `~${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

const NAMED: ReadonlySet<string> = new Set(['components', 'definitions', 'parameters', 'responses']);

const REMARKS: ReadonlySet<string> = new Set(['description', 'title', 'summary']);

/** Copies may differ in descriptions. */
function withoutRemarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRemarks);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => !(REMARKS.has(name) && typeof member === 'string'),
  );
  const inOrder = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(inOrder.map(([name, member]) => [name, withoutRemarks(member)]));
}
