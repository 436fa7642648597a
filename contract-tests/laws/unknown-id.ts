import { explicitStatuses } from '#spec';
import { type Exchange, isSuccess } from '../send/response.ts';
import { sentPart } from './circumstance.ts';
import { type Evidence, recordOf } from './evidence.ts';
import {
  describeStatus,
  documentedOf,
  expectStatus,
  FORBIDDEN,
  is4xx,
  NOT_FOUND,
  promiseOf,
} from './expect-status.ts';
import type { Law } from './law.ts';
import { ownerOf } from './operation-role.ts';

/** The made-up ids of one sequence that were all answered with a record: the service makes records up. */
const TRIES = 5;

export const unknownId: Law = {
  name: 'unknown-id',
  stage: 'status',
  applies: ({ exchange, request }) =>
    exchange.input.unknownId === true &&
    !exchange.input.refused &&
    !malformedId(request) &&
    !saysIsFree(exchange),
  judge(evidence) {
    if (evidence.response.status < 400 && !namesRecord(evidence)) return [];
    if (!showsItsRecord(evidence))
      return expectStatus(
        'unknown-id',
        evidence,
        NOT_FOUND,
        ...documentedOf(evidence.operation, [
          ...[FORBIDDEN, 410, ...(mayBeNoId(evidence) ? [400, 422] : [])],
          ...OF_CONDITIONS,
        ]),
      );
    // Somebody may have made a record with just this id, but not with each of them. Of an id that is chosen for a new
    // record nothing is known, and it may be as small as those of others.
    const isMadeUp = (one: Evidence) => showsItsRecord(one) && !one.exchange.input.chosenId;
    const found = [...evidence.earlier, evidence].filter(isMadeUp).length;
    if (found < TRIES || !isMadeUp(evidence) || mayAllExist(evidence)) return [];
    const received = `a record for each of ${found} made-up ids`;
    const at = promiseOf(evidence.operation, NOT_FOUND);
    return [{ law: 'unknown-id', kind: 'stray', received, documented: `${NOT_FOUND}`, at }];
  },
};

/** What has no current version matches no condition (RFC 9110 §13.1.1). */
const OF_CONDITIONS = [412, 428];

/** The run looks whether an id, which may be meant to be none, is another record's: any refusal says that it is not. */
export function saysIsFree({ input, response }: Exchange): boolean {
  return input.chosenId === true && is4xx(response);
}

/** Which texts are ids at all the service may know, where the document says no more; and numbers that it counts to. */
function mayBeNoId({ operation, exchange }: Evidence): boolean {
  const name = [...operation.path.matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1];
  const shape = operation.parameters.find((one) => one.in === 'path' && one.name === name)?.shape;
  if (shape?.mainType === 'integer') return Number(exchange.input.path?.[name ?? '']) <= 0;
  const isFormed = ['format', 'pattern', 'enum', 'const'].some((keyword) => shape?.find(keyword));
  return shape?.mainType === 'string' && !isFormed;
}

/** An id of so few values that a service may have a record for each of them. */
const FEW = 10_000;

function mayAllExist({ operation, role }: Evidence): boolean {
  const name = role?.resource.id?.parameter;
  const shape = operation.parameters.find((one) => one.in === 'path' && one.name === name)?.shape;
  if (!shape) return false;
  const { low, high } = shape.range;
  return (
    shape.values !== undefined ||
    Number(high?.value ?? Number.POSITIVE_INFINITY) - Number(low?.value ?? 0) < FEW
  );
}

/** A value that identifies no record of a known collection, a date or a town say, may be good whatever it is. */
function namesRecord({ contract, operation, role }: Evidence): boolean {
  // A list may be empty below what does not exist.
  if (role?.action === 'list' && operation.path.endsWith('}')) return false;
  const name = [...operation.path.matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1] ?? '';
  return ownerOf(contract, operation, name) !== undefined;
}

function showsItsRecord(evidence: Evidence): boolean {
  const { role, exchange, response } = evidence;
  const { property, parameter } = role?.resource.id ?? {};
  if (exchange.input.unknownId !== true || role?.action !== 'read' || !property || !parameter) return false;
  const record = recordOf(evidence);
  return (
    isSuccess(response) &&
    record !== undefined &&
    String(record[property]) === String(exchange.input.path?.[parameter])
  );
}

function malformedId({ violations }: Evidence['request']) {
  return violations.find((one) => one.in === 'path');
}

/** An id that is not of the documented form is refused in whatever way the operation documents, or as a bad request. */
export const malformedIdRefused: Law = {
  name: 'unknown-id',
  stage: 'status',
  applies: ({ exchange, request, operation }) =>
    !exchange.input.refused &&
    malformedId(request) !== undefined &&
    explicitStatuses(operation.responses).includes(NOT_FOUND),
  judge(evidence) {
    const { operation, response, request } = evidence;
    const allowed = new Set([NOT_FOUND, 400, ...explicitStatuses(operation.responses)]);
    const violation = malformedId(request);
    if (!violation || (is4xx(response) && allowed.has(response.status))) return [];
    const documented = `404 or 400, since ${violation.name} ${violation.expected}`;
    const sent = sentPart(evidence, violation);
    const breach = { law: 'unknown-id', received: describeStatus(response), documented, sent } as const;
    // The constraint is not enforced; another status for what is refused is the operation's own.
    return isSuccess(response)
      ? [{ ...breach, kind: 'accepted', at: violation.at }]
      : [{ ...breach, kind: `${response.status}-for-404`, at: promiseOf(operation, NOT_FOUND) }];
  },
};
