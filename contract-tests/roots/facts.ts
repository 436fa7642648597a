import {
  type Action,
  type Contract,
  explicitStatuses,
  type Operation,
  placeOf,
  type RequestViolation,
  type Resource,
  SAFE_METHODS,
} from '#spec';
import { isUnacceptable } from '../laws/evidence.ts';
import type { Finding } from '../laws/finding.ts';
import type { LawName } from '../laws/law.ts';
import { roleOf } from '../laws/operation-role.ts';
import { placeIn, type RootPlace } from './places.ts';

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
    member: part === undefined ? undefined : memberOf(part),
    place: placeIn(contract, at),
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

/** The first token of a JSON Pointer. */
function memberOf(part: string): string {
  return (part.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Where the document finds fault with a request, or that it accepts no documented media type. */
type Provocation = RequestViolation['in'] | 'accept';

function provocationOf({ exchange, circumstance }: Finding): Provocation | undefined {
  return circumstance?.violation?.in ?? (isUnacceptable(exchange) ? 'accept' : undefined);
}

/** A parameter as people write it: `?limit`, `{id}`, or with its place. */
export function parameterName({ in: place, name }: { readonly in: string; readonly name: string }): string {
  if (place === 'query') return `?${name}`;
  return place === 'path' ? `{${name}}` : `${place} ${name}`;
}

export function labelOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Whether the operation documents the status by name. */
export function isDocumented({ operation, status }: Facts): boolean {
  return explicitStatuses(operation.responses).includes(status);
}
