import { type Contract, type Parameter, placeOf, pointerText } from '#spec';
import { wordsIn } from '../laws/blame.ts';
import { type Finding, partAt } from '../laws/finding.ts';
import type { LawName } from '../laws/law.ts';
import { resourceOf, successStatuses } from '../laws/operation-role.ts';
import { isSilentRefusal } from '../laws/unsaid.ts';
import { isSuccess } from '../send/response.ts';
import {
  createNames,
  demanded,
  type Facts,
  isDocumented,
  labelOf,
  listed,
  parameterName,
  type Rule,
} from './facts.ts';

const STATUS_LAWS: ReadonlySet<LawName> = new Set<LawName>([
  'status',
  'unauthorised-first',
  'invalid-refused',
  'invalid-tolerated',
  'unique-refused',
  'unique-free',
  'example-accepted',
  'unknown-id',
]);

const is4xx = (status: number) => status >= 400 && status < 500;

/** The status of a failing read says nothing about the record. */
const isMissing = ({ law, kind }: Facts) => law === 'created-can-be-read' && kind === 'missing';

/** It is unavailable there, whatever the request is. */
const NOT_IMPLEMENTED = 501;

/** No response at all. */
const unanswered: Rule = {
  keyOf: ({ law, kind, operation }) => (law === 'answered' ? `answered/${kind}/${operation.id}` : undefined),
  titleOf: ([{ kind, operation, finding }]) =>
    kind === 'crashed'
      ? `The target stops responding after ${(finding.steps?.[0]?.length ?? 1) > 1 ? 'one of several requests, such as ' : ''}${labelOf(operation)}`
      : `${labelOf(operation)} closes the connection of a valid request without a response`,
};

/**
 * Server errors: a root for each operation, and for each part of a request that causes them. One part of a service handles
 * credentials, path types, unparseable bodies, bodies that are no objects, shared parameters and undocumented parts for
 * all operations.
 */
function serverError(all: readonly Facts[]): Rule {
  const failing = all.filter(isServerError);
  // What one operation alone fails to read is a fault of that operation.
  const readers = Map.groupBy(failing, (one) => `${one.status}/${partRead(one, failing)}`);
  // What several operations on one path, or on one record, fail to read is read by one part of the service.
  const { nameOf, unite } = createNames();
  for (const { operation, resource, provokedBy, violation } of failing)
    if (provokedBy === 'body' && violation)
      unite(operation.id, `~${resource?.path ?? operation.path} ${violation.pointer.replace(/\/\d+/g, '')}`);
  const isShared = (key: string) => new Set(readers.get(key)?.map(({ operation }) => operation)).size > 1;
  return {
    keyOf(facts, contract) {
      const { status, operation, provokedBy, violation } = facts;
      if (!isServerError(facts)) return undefined;
      const part = partRead(facts, failing);
      if (part !== undefined && isShared(`${status}/${part}`)) return `server-error/${status}/${part}`;
      if (provokedBy === 'credential' && status !== NOT_IMPLEMENTED)
        return `server-error/${status}/credential`;
      if (provokedBy === 'undocumented')
        return `server-error/${status}/undocumented/${facts.finding.exchange.input.undocumented?.in}`;
      if (provokedBy === 'path' && violation && keywordOf(violation) === 'type')
        return `server-error/${status}/path/${demanded(violation.expected)}`;
      const shared = sharedParameter(facts, contract);
      if (shared !== undefined) return `server-error/${status}/parameters/${shared}`;
      const isForAll = provokedBy === undefined || status === NOT_IMPLEMENTED;
      const reader = provokedBy === 'body' ? nameOf(operation.id) : operation.id;
      return `server-error/${status}/${reader}${isForAll ? '' : `/${provokedBy}`}`;
    },
    titleOf: (group) => `${doing(group, 'answer')} ${group[0].status} to ${provocation(group)}`,
  };
}

/** What the service fails to read of a body: one parser reads all of them, whatever they are for. */
function partRead(facts: Facts, failing: readonly Facts[]): string | undefined {
  const { operation, provokedBy, violation } = facts;
  if (isEmpty(facts) && !failing.some((one) => one.operation === operation && !isEmpty(one)))
    return 'body/no-body';
  if (violation?.kind === 'syntax') return 'syntax';
  if (provokedBy !== 'body' || !violation) return undefined;
  if (UNREADABLE.has(bodyKeywordOf(violation))) return `body/${bodyKeywordOf(violation)}`;
  const isWhole = violation.pointer === '' && keywordOf(violation) === 'type';
  // Many parsers read null where there is no body.
  if (isWhole && violation.isNull) return 'body/no-body';
  return isWhole ? `body/${demanded(violation.expected)}` : undefined;
}

const isServerError = (facts: Facts) =>
  facts.status >= 500 && (STATUS_LAWS.has(facts.law) || isMissing(facts));

/** Whether the request lacks its documented body, or has an empty object without the required members. */
function isEmpty({ operation, provokedBy, finding }: Facts): boolean {
  if (!operation.body || (provokedBy !== undefined && provokedBy !== 'body')) return false;
  const text = Buffer.from(finding.exchange.request.body ?? [])
    .toString()
    .trim();
  return text === '' || (text === '{}' && provokedBy === 'body');
}

/** The component name of the parameter that makes the request invalid. */
function sharedParameter({ operation, violation }: Facts, contract: Contract): string | undefined {
  const isBroken = ({ in: place, name }: Parameter) => place === violation?.in && name === violation.name;
  const parameter = operation.parameters.find(isBroken);
  const [components, kind, name] = parameter ? partAt(contract, placeOf(parameter.spot)).path : [];
  return components === 'components' && kind === 'parameters' ? name : undefined;
}

function provocation(group: readonly Facts[]): string {
  if (group.every(({ law }) => law === 'unknown-id') && group.every(({ violation }) => !violation))
    return 'an id that names nothing';
  if (group.every(isEmpty) && group.some(({ violation }) => violation?.pointer !== ''))
    return 'an empty body';
  if (group.some(({ provokedBy }) => provokedBy === undefined)) return 'a valid request';
  if (group.every(({ violation }) => violation?.kind === 'syntax'))
    return 'a body that is not what its Content-Type says';
  if (group.every(({ provokedBy }) => provokedBy === 'credential'))
    return 'a request without a valid credential';
  const undocumented = group[0]?.finding.exchange.input.undocumented;
  if (undocumented)
    return undocumented.in === 'query'
      ? 'a parameter of the query that nobody documents'
      : 'a Content-Type without a body';
  const names = group.flatMap(({ violation }) =>
    violation ? (violation.in === 'body' ? 'body' : parameterName(violation)) : [],
  );
  return names.length > 0 ? `an invalid ${listed(names)}` : 'a request that accepts other media types';
}

/** Rejecting invalid credentials is a single decision for all operations. */
const credential: Rule = {
  keyOf({ law, status }) {
    if (law !== 'unauthorised-first') return undefined;
    return isSuccess({ status }) ? 'unauthorised-first/accepted' : `unauthorised-first/${status}-for-401`;
  },
  titleOf: (group) =>
    isSuccess(group[0])
      ? `${doing(group, 'answer')} ${group[0].status} without a valid credential`
      : `${group[0].status} where 401 is documented for a request without a valid credential`,
};

/** Whether a scheme grants access elsewhere is a single decision for all operations. */
const otherScheme: Rule = {
  keyOf: ({ law, finding }) =>
    law === 'credentials-apart' ? `${law}/${finding.exchange.input.otherScheme}` : undefined,
  titleOf: (group) =>
    `${doing(group, 'accept')} the credential of ${group[0].finding.exchange.input.otherScheme}`,
};

/** Another 4xx than the documented one, for an id or an input: a single decision for all operations. */
const otherRefusal: Rule = {
  keyOf({ law, status, wanted }) {
    if (!REFUSALS.has(law) || !is4xx(status) || wanted === undefined) return undefined;
    return `${law}/${status}-for-${wanted}`;
  },
  titleOf([facts]) {
    const { law, status, wanted } = facts;
    const only = isDocumented(facts) ? '' : 'only ';
    return `${status} where ${only}${wanted} is documented for ${REFUSALS.get(law)}`;
  },
};

const REFUSALS: ReadonlyMap<LawName, string> = new Map([
  ['invalid-refused', 'invalid input'],
  ['unknown-id', 'an unknown id'],
  ['unique-refused', 'a value that another record has'],
]);

/** A status for credentials, permissions, conflicts or missing records that the document does not mention. */
const silentRefusal: Rule = {
  keyOf: ({ finding }) => (isSilentRefusal(finding) ? 'status/undocumented-4xx' : undefined),
  titleOf: (group) =>
    `${listed(group.map(({ status }) => String(status)).sort())} where the document is silent`,
};

/** A service that rejects the credential does so everywhere. */
const CREDENTIAL: ReadonlySet<number> = new Set([401, 403]);

/** Errors with equal wording are one root, whatever the operations. */
function validRefused(all: readonly Facts[]): Rule {
  const { nameOf, unite } = createNames();
  for (const facts of all.filter(isRefusal)) {
    const words = wordsOf(facts);
    if (words !== undefined) unite(facts.operation.id, `~${facts.status} ${words}`);
  }
  return {
    keyOf(facts) {
      const { status, operation } = facts;
      if (!isRefusal(facts)) return undefined;
      const isForAll = CREDENTIAL.has(status) && !isDocumented(facts);
      return isForAll ? `refused/${status}` : `refused/${status}/${nameOf(operation.id)}`;
    },
    titleOf: (group) => `${doing(group, 'refuse')} valid requests with ${group[0].status}`,
  };
}

function isRefusal(facts: Facts): boolean {
  const { law, kind, status } = facts;
  if (!is4xx(status)) return false;
  if (law === 'example-accepted') return true;
  return law === 'status' && (isOwed(facts) || INVALID.has(status) || kind === '401-for-2xx');
}

/** Shorter texts are unspecific: "Bad request". */
const LEAST_WORDS = 5;

/** The wording of an error; undefined: it is unspecific. */
function wordsOf({ finding }: Facts): string | undefined {
  const words = wordsIn(finding.exchange.response);
  return (words.match(/\p{L}+/gu) ?? []).length < LEAST_WORDS ? undefined : words;
}

/** Statuses for an invalid request. */
const INVALID: ReadonlySet<number> = new Set([400, 415, 422]);

/** Whether a success is expected. */
function isOwed({ operation, wanted }: Facts): boolean {
  return wanted !== undefined && successStatuses(operation).includes(Number(wanted));
}

/** Another success than the documented one is a single habit. */
const otherSuccess: Rule = {
  keyOf: ({ law, kind, status, operation }) => {
    const wanted = successStatuses(operation);
    const isOther = isSuccess({ status }) && wanted.length > 0 && !wanted.includes(status);
    return law === 'status' && kind !== 'accepted' && isOther ? `status/${status}-for-success` : undefined;
  },
  titleOf: (group) =>
    `${doing(group, 'answer')} ${group[0].status} where ${listed(group.flatMap(({ operation }) => successStatuses(operation)).map(String))} is documented`,
};

/** Any other status than the documented one, per operation. */
const otherStatus: Rule = {
  keyOf: ({ law, kind, status, operation }) =>
    STATUS_LAWS.has(law) && kind !== 'accepted' && kind !== 'stray'
      ? `status/${status}/${operation.id}`
      : undefined,
  titleOf(group) {
    const [{ status, operation, finding }] = group;
    const wanted = group.find((one) => /^\d+$/.test(one.wanted ?? ''))?.wanted ?? finding.documented;
    return `${labelOf(operation)} answers ${status} where ${wanted.replace(/^one of /, '')} is documented`;
  },
};

/** Types and formats of parameters are checked by a common parser; limits are specific to the parameter. */
const acceptedParameter: Rule = {
  keyOf({ law, kind, violation, place }) {
    if (law !== 'invalid-refused' || kind !== 'accepted' || !violation || violation.in === 'body')
      return undefined;
    const { in: where, expected } = violation;
    const keyword = keywordOf(violation);
    const end =
      keyword === 'format'
        ? `/${expected.replace(/^.* /, '')}`
        : keyword === 'type'
          ? `/${demanded(expected)}`
          : `#${place.identity}`;
    return `invalid-refused/accepted/${where}/${keyword}${end}`;
  },
  titleOf(group) {
    const [{ violation: first }] = group;
    const names = listed(group.map(({ violation }) => (violation ? parameterName(violation) : '')));
    const what = first && keywordOf(first) === 'required' ? 'requests without' : 'an invalid';
    return `${doing(group, 'accept')} ${what} ${names}, which ${first?.expected}${withNothing(group)}`;
  },
};

/**
 * A common parser decides whether other types, null, missing bodies and invalid JSON are accepted; the record's model,
 * which operations share, decides what is required; the reader of a format decides, for example, the range of numbers;
 * each limit is separate.
 */
const acceptedBody: Rule = {
  keyOf(facts, contract) {
    const { law, status, violation, place, operation } = facts;
    if (law !== 'invalid-refused' || !isSuccess({ status }) || violation?.in !== 'body') return undefined;
    const keyword = bodyKeywordOf(violation);
    if (IN_ANY_BODY.has(keyword)) return `invalid-refused/accepted/${keyword}`;
    if (keyword === 'format')
      return `invalid-refused/accepted/format/${violation.expected.replace(/^.* /, '')}`;
    return keyword === 'required'
      ? `invalid-refused/accepted/${keyword}/${resourceOf(contract, operation)?.path ?? operation.id}`
      : `invalid-refused/accepted/${keyword}#${place.identity}`;
  },
  titleOf(group) {
    const [{ violation }] = group;
    const members = listed(group.map((one) => pointerText(one.violation?.pointer ?? '')));
    const says: Readonly<Record<string, string>> = {
      syntax: 'bodies that are not what their Content-Type says',
      'no-body': 'requests without a body',
      null: `null, which the schema does not allow: ${members}`,
      required: `bodies without ${members}`,
      type: `bodies with other types: ${members}`,
    };
    const what =
      says[violation ? bodyKeywordOf(violation) : ''] ?? `any ${members}, which ${violation?.expected}`;
    return `${doing(group, 'accept')} ${what}`;
  },
};

/** Bodies that cannot be read, whatever they contain. */
const UNREADABLE: ReadonlySet<string> = new Set(['no-body', 'media type']);
const IN_ANY_BODY: ReadonlySet<string> = new Set(['syntax', 'no-body', 'null', 'type']);

function bodyKeywordOf(violation: NonNullable<Facts['violation']>): string {
  if (violation.kind === 'syntax' || violation.kind === 'media type') return violation.kind;
  const keyword = keywordOf(violation);
  if (keyword === 'required' && violation.pointer === '') return 'no-body';
  return keyword === 'type' && violation.isNull ? 'null' : keyword;
}

/** The violated keyword; `anyOf` may require a type as well. */
function keywordOf({ keyword, expected }: NonNullable<Facts['violation']>): string {
  return TYPES.test(expected) ? 'type' : keyword;
}

const TYPES = /^must be (?:(?:an? )?(?:array|boolean|integer|null|number|object|string)(?:, | or |$))+$/;

/** A success without a record is a single habit; another record is a fault of the operation that shows it. */
const recordForUnknownId: Rule = {
  keyOf({ law, operation, finding, status }) {
    if (law !== 'unknown-id') return undefined;
    const isHabit = isSuccess({ status }) && showsNothing(finding);
    return `unknown-id/accepted/${isHabit ? `${operation.method}/${status}` : operation.id}`;
  },
  titleOf: (group) =>
    `${doing(group, 'answer')} ${group[0].status}${withNothing(group)} for ids that name nothing`,
};

/** Whether a body is empty and so says nothing of a record. */
export function showsNothing({ exchange }: Finding): boolean {
  return ['', 'null', '{}'].includes(exchange.response.text?.trim() ?? '');
}

/** Adds the empty response to the title: what was accepted may have been ignored. */
function withNothing(group: readonly Facts[]): string {
  const isBare = group.every(({ finding, status }) => status !== 204 && showsNothing(finding));
  return isBare ? `, with ${group[0]?.finding.exchange.response.text?.trim() || 'an empty body'}` : '';
}

/** The operation of a title with its verb: `GET /pets answers`, `GET /pets and others answer`. */
function doing(group: readonly [Facts, ...Facts[]], verb: string): string {
  const label = labelOf(group[0].operation);
  const isSeveral = group.some(({ operation }) => operation !== group[0].operation);
  return isSeveral ? `${label} and others ${verb}` : `${label} ${verb}s`;
}

/** Rules for statuses: the first one that applies to a finding decides. */
export const statusRules = (all: readonly Facts[]): readonly Rule[] => [
  unanswered,
  serverError(all),
  credential,
  otherScheme,
  otherRefusal,
  silentRefusal,
  validRefused(all),
  acceptedParameter,
  acceptedBody,
  recordForUnknownId,
  otherSuccess,
  otherStatus,
];
