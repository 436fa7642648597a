import { essenceOf, pathText, pointerText, pointerTokens } from '#spec';
import { keyAt } from '../laws/finding.ts';
import type { LawName } from '../laws/law.ts';
import { demanded, type Facts, labelOf, listed, type Rule } from './facts.ts';

const BODY_LAWS: ReadonlySet<LawName> = new Set<LawName>(['schema', 'stream-message', 'discriminator']);

const isError = ({ status }: Facts) => status >= 400;

/** The same words for the same thing in each item of a list. */
function partOf({ finding }: Facts): string {
  return pathText(pointerTokens(finding.part ?? '').map((step) => (/^\d+$/.test(step) ? '[]' : step)));
}

/** What a body must be, without the part of it that must be so. */
function demandOf({ finding }: Facts): string {
  const { part = '', documented } = finding;
  const name = pointerText(part);
  return documented.startsWith(`${name} `) ? documented.slice(name.length + 1) : documented;
}

/**
 * Error bodies that do not fit their schema: one root for each form, whatever operations and schemas they are of. Forms
 * that break the same are one, since members may be left out.
 */
export function errorForms(all: readonly Facts[]): Rule {
  const ids = new Map<string, string>();
  const nameOf = (id: string): string => {
    const other = ids.get(id) ?? id;
    return other === id ? id : nameOf(other);
  };
  for (const facts of all.filter(isErrorBody)) {
    const [one, other] = [nameOf(breachIn(facts)), nameOf(`~${facts.finding.circumstance?.form}`)].sort();
    // A breach comes before a form, so that what remains is the name of a breach.
    ids.set(other as string, one as string);
  }
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

/** The media type of errors is that of whoever writes errors. */
const errorType: Rule = {
  keyOf: (facts) =>
    facts.law === 'content-type' && isError(facts) ? `content-type/errors/${typeOf(facts)}` : undefined,
  titleOf: ([facts]) => `errors are ${typeOf(facts)} where ${facts.finding.documented} is documented`,
};

function typeOf({ finding }: Facts): string {
  const { contentType } = finding.exchange.response;
  return contentType === undefined ? 'without a Content-Type' : essenceOf(contentType);
}

const successType: Rule = {
  keyOf: ({ law, kind, finding, place }, contract) =>
    law === 'content-type'
      ? keyAt(contract, { law, kind: asKind(kind) }, finding.at.uri, place.identity)
      : undefined,
  titleOf: ([facts]) =>
    `${labelOf(facts.operation)} answers ${facts.status} ${typeOf(facts)} where ${facts.finding.documented} is documented`,
};

const errorStatus: Rule = {
  keyOf: ({ law, place, finding }, contract) =>
    law === 'error-status' ? keyAt(contract, { law }, finding.at.uri, place.identity) : undefined,
  titleOf: ([{ finding }]) => `errors have another status in their body: ${finding.received}`,
};

/** Null where there is no value is one habit of whoever writes an object. */
const nullMembers: Rule = {
  keyOf(facts, contract) {
    const { law, kind, finding, place } = facts;
    const { part, received, at } = finding;
    const isNull = part !== '' && received.split(' (and ')[0] === `${pointerText(part ?? '')} is null`;
    if (law !== 'schema' || kind !== 'type' || !isNull) return undefined;
    return keyAt(contract, { law, kind: { keyword: 'null' } }, at.uri, place.owner);
  },
  titleOf: (group) =>
    `${labelOf(group[0].operation)} answers ${group[0].status} with null in ${listed(group.map(partOf))}, which the schema does not allow`,
};

/** One place of the document, wherever it is used, or copied to. */
const bodySchema: Rule = {
  keyOf: ({ law, kind, finding, place }, contract) =>
    BODY_LAWS.has(law)
      ? keyAt(contract, { law, kind: { keyword: kind } }, finding.at.uri, place.identity)
      : undefined,
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

const header: Rule = {
  keyOf: ({ law, kind, finding, place }, contract) =>
    law === 'header'
      ? keyAt(contract, { law, kind: { keyword: kind } }, finding.at.uri, place.identity)
      : undefined,
  titleOf: ([{ operation, status, finding, kind }]) =>
    kind === 'missing'
      ? `${labelOf(operation)} answers ${status} without ${finding.documented}`
      : `${labelOf(operation)} answers ${status} with another header than documented: ${finding.received}`,
};

function asKind(kind: string) {
  return kind === 'missing' ? 'missing' : 'unequal';
}

/** What a response looks like. Error bodies come first, by {@link errorForms}. */
export const MESSAGE_RULES: readonly Rule[] = [
  errorType,
  successType,
  errorStatus,
  nullMembers,
  bodySchema,
  header,
];
