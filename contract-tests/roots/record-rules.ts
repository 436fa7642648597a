import {
  essenceOf,
  isRecord,
  pathText,
  pointerText,
  pointerTokens,
  referencesOf,
  toPointer,
  valueAt,
} from '#spec';
import { shorten } from '../laws/compare-records.ts';
import { type LawName, promiseOf } from '../laws/law.ts';
import { recordInBody } from '../laws/mark.ts';
import { jsonOf } from '../send/response.ts';
import {
  answersValid,
  createNames,
  demanded,
  type Facts,
  labelOf,
  listed,
  parameterName,
  type Rule,
} from './facts.ts';

/** The rules for a new record, the closest to its cause first. */
export const NEW_RECORD_LAWS: readonly LawName[] = [
  'created-equals-sent',
  'created-can-be-read',
  'created-is-listed',
  'list-and-read-agree',
];

const members = (group: readonly Facts[]) => listed(group.map(({ member }) => member ?? ''));
const isLost = ({ member, finding }: Facts) => finding.received === `${member} ${shorten(undefined)}`;

/** Members of a new record: those that are lost together are one root, each other one is separate. */
const newRecord: Rule = {
  keyOf(facts) {
    const { law, member, culprit, resource } = facts;
    if (!NEW_RECORD_LAWS.includes(law) || member === undefined || !resource) return undefined;
    if (law === 'list-and-read-agree') return `${law}/${resource.path}/${member}`;
    return isLost(facts) ? `created/lost/${culprit.id}` : `created/changed/${culprit.id}/${member}`;
  },
  titleOf(group) {
    const [first] = group;
    const { law, operation, culprit, resource } = first;
    const names = members(group);
    if (law === 'list-and-read-agree')
      return `${labelOf(resource?.actions.list ?? operation)} and ${labelOf(operation)} differ in ${names}`;
    const how = isLost(first) ? 'does not keep' : 'changes';
    return `${labelOf(culprit)} ${how} ${names}`;
  },
};

/** Members of a changed record: one root for each operation. */
const changedRecord: Rule = {
  keyOf: ({ law, member, culprit }) =>
    CHANGES.has(law) && (member !== undefined || law === 'null-removes')
      ? `${law === 'null-removes' ? 'merged-is-merged' : law}/${culprit.id}`
      : undefined,
  titleOf(group) {
    const label = labelOf(group[0].culprit);
    const kept = group.filter(({ kind }) => kind === 'kept');
    const before = group.filter(
      ({ kind, finding }) => kind !== 'kept' && /, as before$/.test(finding.documented),
    );
    const sent = group.filter((one) => !kept.includes(one) && !before.includes(one));
    const parts = [
      ...(sent.length > 0 ? [`does not apply ${members(sent)}`] : []),
      ...(before.length > 0 ? [`changes ${members(before)}, which it does not name`] : []),
      ...(kept.length > 0 ? [`keeps ${members(kept)}, which the body leaves out`] : []),
    ];
    return `${label} ${parts.join('; ')}`;
  },
};

const CHANGES: ReadonlySet<LawName> = new Set(['replaced-is-replaced', 'merged-is-merged', 'null-removes']);

/** Unexpected changes of a record, whichever of its members shows them. */
const otherChange: Rule = {
  keyOf: ({ law, resource }) => (OTHER_CHANGES.has(law) && resource ? `${law}/${resource.path}` : undefined),
  titleOf: (group) => {
    const names = members(group.filter(({ member }) => member !== undefined));
    const what = OTHER_CHANGES.get(group[0].law);
    return `${group[0].resource?.path}: ${what}${names === '' ? '' : `: ${names}`}`;
  },
};

const OTHER_CHANGES: ReadonlyMap<LawName, string> = new Map([
  ['refused-changes-nothing', 'a refused change changes the record'],
  ['neighbours-untouched', 'a change of one record changes others'],
  ['earlier-records-stay', 'records change, or vanish, while others are made'],
]);

const readOnly: Rule = {
  keyOf: ({ law, culprit }) => (law === 'read-only-ignored' ? `${law}/${culprit.id}` : undefined),
  titleOf: (group) =>
    `${labelOf(group[0].culprit)} takes ${members(group)} from the client, which only the service sets`,
};

/** Lists that show the children of one parent only: a single root for all lists. */
const listOfOne: Rule = {
  keyOf({ law, kind, operation, resource }, { resources }) {
    const { create } = resource?.actions ?? {};
    if (!LACKING.has(law) || kind !== 'missing' || !create) return undefined;
    const { shape } = recordInBody(resource, create);
    const isAsked = (property: string) =>
      shape?.required.has(property) &&
      operation.parameters.some(
        (parameter) => parameter.in === 'query' && parameter.name === property && !parameter.required,
      );
    const scope = (shape ? referencesOf(shape, resources) : []).find(({ property }) => isAsked(property));
    return scope && `created-is-listed/missing/query/${scope.property}`;
  },
  titleOf: ([{ operation }]) => `${labelOf(operation)} does not list a record that was made`,
};

const LACKING: ReadonlySet<LawName> = new Set(['created-is-listed', 'complete-list']);

/** A list parameter, wherever it is used. */
const listParameter: Rule = {
  keyOf: ({ law, place, keyHere }) => (LIST_LAWS[law] && place.parameter ? keyHere() : undefined),
  titleOf: (group) => {
    const [{ law, kind, operation, place }] = group;
    const name = place.parameter ? parameterName(place.parameter) : '';
    const says = law !== 'search' && kind === 'missing' ? 'leaves out records that match' : LIST_LAWS[law];
    return `${labelOf(operation)} ${says} ${name}`;
  },
};

const LIST_LAWS: Readonly<Partial<Record<LawName, string>>> = {
  filter: 'ignores',
  bounds: 'ignores',
  order: 'does not order the list as asked by',
  search: 'does not find a record by',
  'page-size': 'ignores',
  'page-default': 'has another default of',
};

/** The title of each other rule, with the operation as its subject. */
const BROKEN: Readonly<Partial<Record<LawName, string>>> = {
  'write-only-hidden': 'shows what is write-only',
  'whole-json': 'answers with broken JSON',
  'whole-xml': 'answers with broken XML',
  encoding: 'answers with a body that is not encoded as its headers say',
  'created-can-be-read': 'does not show a record that was made',
  'created-is-listed': 'does not list a record that was made',
  'created-once': 'makes several records of one request',
  'complete-list': 'answers with a list shorter than its page size that lacks records',
  'distinct-pages': 'shows a record on two pages',
  'complete-pages': 'does not show every record on its pages, up to a last one',
  total: 'counts fewer records than its pages have',
  location: 'answers with the Location of another record',
  'path-id': 'shows a record with another id',
  'distinct-ids': 'returns duplicate ids',
  'exact-integers': 'changes integers',
  'refused-leaves-nothing': 'leaves a record of a refused create',
  'removed-is-gone': 'leaves a removed record',
  'apart-by-parent': 'shows a nested record below another parent',
  'gone-with-parent': 'shows what is below a removed record',
  'unique-refused': 'takes a value that another record has',
  'etag-stays': 'changes the ETag of a record that stays as it is',
  'etag-changes': 'keeps the ETag of a record that changes',
  'stale-refused': 'takes a change whose If-Match names a former version',
  'current-accepted': 'refuses a change whose If-Match names the current version',
  'not-modified': 'takes no notice of the version that If-None-Match names',
  'condition-required': 'takes a change without a condition',
  'unique-free': 'refuses a value that no other record has',
  'one-holder': 'does not let one of several creates at the same time win that have one unique value',
  'one-writer': 'does not let one of several changes at the same time win that name one version',
  linearizable: 'loses one of several changes at the same time',
};

/** Rules whose breaches another operation reveals. */
const OF_CULPRIT: ReadonlySet<LawName> = new Set(['created-once', 'removed-is-gone', 'linearizable']);

/** Rule, kind and place, whatever they are. */
const other: Rule = {
  keyOf: ({ finding, keyHere }) => keyHere(finding.kind),
  titleOf: ([{ law, culprit, operation, finding }]) => {
    const label = labelOf(OF_CULPRIT.has(law) ? culprit : operation);
    return `${label} ${BROKEN[law] ?? `does not keep "${promiseOf(finding)}": received ${finding.received}`}`;
  },
};

/** The rules for records, and for everything else: the last one matches any finding. */
export const RECORD_RULES: readonly Rule[] = [
  newRecord,
  changedRecord,
  otherChange,
  readOnly,
  listOfOne,
  listParameter,
  other,
];

const BODY_LAWS: ReadonlySet<LawName> = new Set<LawName>(['schema', 'stream-message', 'discriminator']);

const isError = ({ status }: Facts) => status >= 400;

/** The path of a part, with list indices replaced, so that each item gives the same text. */
function partOf({ finding }: Facts): string {
  return pathText(pointerTokens(finding.part ?? '').map((step) => (/^\d+$/.test(step) ? '[]' : step)));
}

/** The documented requirement without the name of its part. */
function demandOf({ finding }: Facts): string {
  const { part = '', documented } = finding;
  const name = pointerText(part);
  return documented.startsWith(`${name} `) ? documented.slice(name.length + 1) : documented;
}

/**
 * Error bodies that violate their schema: one root for each form, whatever the operations and schemas. Forms with the same
 * breach are merged, since members may be optional.
 */
export function errorForms(all: readonly Facts[]): Rule {
  const { nameOf, unite } = createNames();
  // Breaches sort before forms, so that the remaining name is that of a breach.
  for (const facts of all.filter(isErrorBody)) unite(breachIn(facts), `~${facts.finding.circumstance?.form}`);
  return {
    keyOf: (facts) => (isErrorBody(facts) ? `${facts.law}/errors/${nameOf(breachIn(facts))}` : undefined),
    titleOf(group) {
      const form = listed(
        group.map(({ finding }) => finding.circumstance?.form ?? 'other bodies'),
        2,
      );
      const whole = group.find(({ finding }) => finding.part === '');
      if (whole) return `errors are ${form} where ${demanded(demandOf(whole))} is documented`;
      return `errors are ${form}, and do not fit their schema: ${listed(
        group.map((one) => `${partOf(one)} ${demandOf(one)}`),
        3,
      )}`;
    },
  };
}

function isErrorBody(facts: Facts): boolean {
  return BODY_LAWS.has(facts.law) && isError(facts) && facts.finding.circumstance?.form !== undefined;
}

function breachIn(facts: Facts): string {
  return `${facts.kind}:${(facts.finding.part ?? '').replace(/\/\d+(?=\/|$)/g, '/*')}`;
}

/** One part of a service writes all errors, and so decides their media type. */
const errorType: Rule = {
  keyOf: (facts) =>
    facts.law === 'content-type' && isError(facts) ? `content-type/errors/${typeOf(facts)}` : undefined,
  titleOf: ([facts]) => `errors are ${typeOf(facts)} where ${facts.finding.documented} is documented`,
};

function typeOf({ finding }: Facts): string {
  const { contentType } = finding.exchange.response;
  return contentType === undefined ? 'without a Content-Type' : essenceOf(contentType);
}

/** The same applies to other responses: a parameter of many operations may select another type. */
const successType: Rule = {
  keyOf: (facts) => (facts.law === 'content-type' ? `content-type/${typeOf(facts)}` : undefined),
  titleOf: ([facts]) =>
    `${labelOf(facts.operation)} answers ${facts.status} ${typeOf(facts)} where ${facts.finding.documented} is documented`,
};

const errorStatus: Rule = {
  keyOf: ({ law, keyHere }) => (law === 'error-status' ? keyHere() : undefined),
  titleOf: ([{ finding }]) => `errors have another status in their body: ${finding.received}`,
};

/** Null in place of absent values is a single habit of a serializer. */
const nullMembers: Rule = {
  keyOf({ law, finding }) {
    const { part, received } = finding;
    const isNull = part !== '' && received.split(' (and ')[0] === `${pointerText(part ?? '')} is null`;
    return (law === 'schema' || law === 'discriminator') && isNull ? 'schema/null' : undefined;
  },
  titleOf: (group) =>
    `${labelOf(group[0].operation)} answers ${group[0].status} with null in ${listed(group.map(partOf))}, which the schema does not allow`,
};

/** A service that shows invalid values as they were sent does so with every member that is valid in other responses. */
export function shownAsSent(all: readonly Facts[]): Rule {
  const wrong = new Set(all.filter(answersValid).map(({ place }) => place.identity));
  return {
    keyOf({ law, kind, status, place, provokedBy, violation, finding: { part = '' } }) {
      if (law !== 'schema' || status >= 400 || provokedBy !== 'body' || wrong.has(place.identity)) return;
      if (violation?.isNull || kind === 'required') return;
      const [name, sent] = [part, violation?.pointer ?? ''].map((one) => pointerTokens(one).at(-1));
      return name !== undefined && name === sent ? 'schema/as-sent' : undefined;
    },
    titleOf: (group) =>
      `${labelOf(group[0].operation)} answers ${group[0].status} with what was sent, which does not fit the schema: ${listed(group.map(partOf))}`,
  };
}

/** A list in place of a documented object, or the reverse, is a single habit of wrapping. */
const otherWrapping: Rule = {
  keyOf(facts) {
    const form = formShown(facts);
    return form && `schema/is-${form}/${partOf(facts)}`;
  },
  titleOf: ([facts]) =>
    `${labelOf(facts.operation)} answers ${facts.status} with ${formShown(facts) === 'list' ? 'a list' : 'an object'} in the place of ${demanded(demandOf(facts))}: ${partOf(facts) || 'the body'}`,
};

const FORMS: ReadonlySet<string> = new Set(['an array', 'an object']);

function formShown(facts: Facts): 'list' | 'object' | undefined {
  const { law, kind, status, finding, place, resource } = facts;
  const isRecordItself = place.pointer === `${toPointer(resource?.shape.spot.path ?? [])}/type`;
  if (finding.part !== '' && !isRecordItself) return;
  if (law !== 'schema' || kind !== 'type' || status >= 400 || !FORMS.has(demanded(demandOf(facts)))) return;
  const value = valueAt(jsonOf(finding.exchange.response), pointerTokens(finding.part ?? ''));
  if (Array.isArray(value)) return 'list';
  return isRecord(value) ? 'object' : undefined;
}

/** The notation of a format, such as dates, is a single habit of a serializer, whatever the schemas. */
const formats: Rule = {
  keyOf: (facts) =>
    facts.law === 'schema' && facts.kind === 'format'
      ? `schema/format/${demandOf(facts).replace(/^.* /, '')}`
      : undefined,
  titleOf: (group) =>
    `${labelOf(group[0].operation)} answers ${group[0].status} with ${listed(group.map((one) => partOf(one) || 'a body'))} not as documented: ${demandOf(group[0])}`,
};

/** One place of the document, wherever it is used or copied. */
const bodySchema: Rule = {
  keyOf: ({ law, kind, keyHere }) => (BODY_LAWS.has(law) ? keyHere({ keyword: kind }) : undefined),
  titleOf(group) {
    if (group[0].law === 'stream-message') {
      const parts = listed(group.map(partOf).filter((part) => part !== ''));
      return `${labelOf(group[0].operation)} sends messages that are not as documented: ${parts === '' ? '' : `${parts} `}${demandOf(group[0])}`;
    }
    const label = `${labelOf(group[0].operation)} answers ${group[0].status}`;
    const parts = listed(group.map((one) => partOf(one) || 'the body'));
    if (group[0].kind === 'required') return `${label} without the required ${parts}`;
    return `${label} with a body that does not fit its schema: ${parts} ${demandOf(group[0])}`;
  },
};

/** A required member that is missing in several schemas is left out by one serializer. */
export function missingMembers(all: readonly Facts[]): Rule {
  const { nameOf, unite } = createNames();
  const isLacking = ({ law, kind, status }: Facts) => law === 'schema' && kind === 'required' && status < 400;
  const keyOf = ({ keyHere, kind }: Facts) => keyHere({ keyword: kind });
  for (const facts of all.filter(isLacking))
    unite(keyOf(facts), `~${pointerTokens(facts.finding.part ?? '').at(-1)}`);
  return {
    keyOf: (facts) => (isLacking(facts) ? nameOf(keyOf(facts)) : undefined),
    titleOf: bodySchema.titleOf,
  };
}

const header: Rule = {
  keyOf: ({ law, kind, keyHere }) => (law === 'header' ? keyHere({ keyword: kind }) : undefined),
  titleOf: ([{ operation, status, finding, kind }]) =>
    kind === 'missing'
      ? `${labelOf(operation)} answers ${status} without ${finding.documented}`
      : `${labelOf(operation)} answers ${status} with another header than documented: ${finding.received}`,
};

/** Rules for the form of responses. Error bodies come first, by {@link errorForms}. */
export const MESSAGE_RULES: readonly Rule[] = [
  errorType,
  successType,
  errorStatus,
  nullMembers,
  otherWrapping,
  formats,
  bodySchema,
  header,
];
