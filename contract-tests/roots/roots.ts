import { type Action, type Contract, pointerTokens, toPointer } from '#spec';
import { compareEase, easeOf, type Finding } from '../laws/finding.ts';
import { presumedIn } from '../laws/law.ts';
import { roleOf } from '../laws/operation-role.ts';
import { ABSENT } from '../send/wire.ts';
import { answersValid, type Facts, factsOf, type Rule } from './facts.ts';
import { errorForms, MESSAGE_RULES, NEW_RECORD_LAWS, RECORD_RULES, shownAsSent } from './record-rules.ts';
import { showsNothing, statusRules } from './status-rules.ts';

/** One problem of a service, however many findings show it. */
export interface Root {
  /** Its identity across runs; the key of its findings, if they share a named place in the document. */
  readonly key: string;
  /** Method, path and problem, in words. */
  readonly title: string;
  /** The findings of the root itself, the easiest to reproduce first. */
  readonly findings: readonly Finding[];
  /** Findings that the root explains. */
  readonly followUps: readonly FollowUp[];
}

/** Findings of one key that another root explains. */
export interface FollowUp {
  readonly key: string;
  readonly findings: readonly Finding[];
}

/** Groups findings by the problem of the service, in the order in which they were found. */
export function rootsOf(findings: readonly Finding[], contract: Contract): readonly Root[] {
  const all = findings.map((finding) => factsOf(finding, contract));
  const ofBodies = [errorForms(all), shownAsSent(all)];
  const rules: readonly Rule[] = [...statusRules(all), ...ofBodies, ...MESSAGE_RULES, ...RECORD_RULES];
  const ruleOf = new Map<string, Rule>();
  const byKey = Map.groupBy(all, (facts) => {
    for (const rule of rules) {
      const key = rule.keyOf(facts, contract);
      if (key === undefined) continue;
      ruleOf.set(key, ruleOf.get(key) ?? rule);
      return key;
    }
    return facts.finding.key;
  });
  const groups = [...byKey].map(
    ([key, entries]): Group => ({ key, entries: entries as [Facts, ...Facts[]] }),
  );
  const { direct, explained } = fold(groups, contract);
  return groups.flatMap((group) => {
    const entries = direct.get(group) ?? [];
    const [best, ...others] = entries.toSorted((left, right) =>
      compareEase(easeOf(left.finding), easeOf(right.finding)),
    );
    if (!best) return [];
    const inOrder = [best, ...entries.filter((entry) => others.includes(entry))] as const;
    const title = ruleOf.get(group.key)?.titleOf(inOrder) ?? best.finding.key;
    const followUps = Map.groupBy(explained.get(group) ?? [], ({ finding }) => finding.key);
    return {
      key: group.key,
      title,
      findings: inOrder.map(({ finding }) => finding),
      followUps: [...followUps].map(([key, facts]) => ({
        key,
        findings: facts.map(({ finding }) => finding),
      })),
    };
  });
}

/** Moves explained findings to the group that explains them. Of groups that explain each other, the first one remains. */
function fold(groups: readonly Group[], contract: Contract) {
  const explain = explanations(groups, contract);
  const culprits = new Map(
    groups.map((group) => [group, new Map(group.entries.map((facts) => [facts, explain(facts, group)]))]),
  );
  /** If a group is explained as a whole, the findings that it explains move on to its own explanation. */
  function standing(group: Group, seen: ReadonlySet<Group>): Group | undefined {
    const all = [...(culprits.get(group)?.values() ?? [])];
    const [first] = all;
    if (!first || all.includes(undefined)) return group;
    return seen.has(first) ? undefined : standing(first, new Set([...seen, first]));
  }
  const direct = new Map<Group, Facts[]>(groups.map((group) => [group, []]));
  const explained = new Map<Group, Facts[]>(groups.map((group) => [group, []]));
  for (const group of groups)
    for (const facts of group.entries) {
      const culprit = culprits.get(group)?.get(facts);
      const top = culprit && standing(culprit, new Set([group, culprit]));
      const target = top && (isDoubtful(facts) || !top.entries.every(isDoubtful)) ? top : undefined;
      if (target) explained.get(target)?.push(facts);
      else if (isNearest(facts, group)) direct.get(group)?.push(facts);
      else explained.get(group)?.push(facts);
    }
  return { direct, explained };
}

/** A presumed finding, or one that was not reproduced, cannot explain one that gates. */
const isDoubtful = ({ finding }: Facts) =>
  presumedIn(finding) !== undefined || finding.confirmation?.outcome === 'not seen again';

/** Whether a finding is the closest to its cause: the response to a create comes before a read and a list. */
function isNearest({ law }: Facts, { entries }: Group): boolean {
  const laws = entries.map((facts) => NEW_RECORD_LAWS.indexOf(facts.law));
  return laws.includes(-1) || NEW_RECORD_LAWS.indexOf(law) === Math.min(...laws);
}

/** The findings of one key, which identifies a root. */
export interface Group {
  readonly key: string;
  readonly entries: readonly [Facts, ...Facts[]];
}

/** Returns the group that explains a finding; undefined: none does. */
type Explain = (facts: Facts, group: Group) => Group | undefined;

/** Finds another group that explains a finding. */
function explanations(groups: readonly Group[], contract: Contract): Explain {
  const all = [
    failsAnyway(groups),
    asksForNone(groups),
    letsNobodyIn(groups),
    answersNothing(groups),
    refusesBefore(groups),
    succeedsOtherwise(groups),
    tookInvalid(groups),
    tookId(groups),
    showsInvalid(groups),
    showsAnother(groups),
    showsSameMember(groups, contract),
    wasMadeSo(groups),
    wasNotMade(groups),
    isNotListed(groups),
    staysRemoved(groups),
    hasNoPages(groups),
  ];
  return (facts, group) => {
    for (const explain of all) {
      const culprit = explain(facts, group);
      if (culprit && culprit !== group) return culprit;
    }
    return undefined;
  };
}

/** If an ordinary request fails, so does every other one, whatever else is wrong with it. */
function failsAnyway(groups: readonly Group[]): Explain {
  const plain = groups.filter(
    ({ key, entries }) =>
      key.startsWith('server-error/') &&
      entries.some(({ provokedBy, finding: { exchange, caseId } }) => {
        const { url, body } = exchange.request;
        const isPlain = ORDINARY.has(caseId.split('/').at(-1) ?? '');
        return provokedBy === undefined && (isPlain || (url.search === '' && !body));
      }),
  );
  return ({ provokedBy, status, operation }, { key }) =>
    key.startsWith('server-error/') && provokedBy !== undefined
      ? plain.find(({ entries: [first] }) => first.status === status && first.operation === operation)
      : undefined;
}

/** The cases that send ordinary requests. */
const ORDINARY: ReadonlySet<string> = new Set(['ordinary', 'required-only']);

/** A service that requires no credential accepts any, and rejects requests without one for other reasons. */
function asksForNone(groups: readonly Group[]): Explain {
  const open = groups.find(({ key }) => key === 'unauthorised-first/accepted');
  return ({ law }) => (law === 'unauthorised-first' || law === 'credentials-apart' ? open : undefined);
}

/** Explains a finding by a group with the same operation and status. */
function ofSameResponse(
  groups: readonly Group[],
  isCulprit: (group: Group) => boolean,
  isVictim: (facts: Facts, group: Group) => boolean,
): Explain {
  const culprits = groups.filter(isCulprit);
  return (facts, group) =>
    isVictim(facts, group)
      ? culprits.find(({ entries }) =>
          entries.some(({ status, operation }) => status === facts.status && operation === facts.operation),
        )
      : undefined;
}

/** A request that is rejected for its credential is rejected whatever else is wrong with it. */
function letsNobodyIn(groups: readonly Group[]): Explain {
  return ofSameResponse(
    groups,
    ({ key }) => /^refused\/40[13]/.test(key),
    (_, { key }) => /-for-4\d\d$|^status\/undocumented-4xx$/.test(key),
  );
}

/** A response in place of 404 matches no schema, and also appears for a removed record. */
function answersNothing(groups: readonly Group[]): Explain {
  const wordsOf = ({ operation, status, finding }: Facts) =>
    `${operation.id} ${status} ${finding.exchange.response.text}`;
  const byWords = new Map<string, Group>();
  for (const group of groups.filter(({ entries: [{ law }] }) => law === 'unknown-id'))
    for (const facts of group.entries) if (showsNothing(facts.finding)) byWords.set(wordsOf(facts), group);
  return (facts) => (OF_NOTHING.has(facts.law) ? byWords.get(wordsOf(facts)) : undefined);
}

const OF_NOTHING: ReadonlySet<string> = new Set(['schema', 'whole-json', 'content-type', 'removed-is-gone']);

/** An operation that rejects any id rejects an unknown one, too, and one that returns 404 does so for invalid requests. */
function refusesBefore(groups: readonly Group[]): Explain {
  return ofSameResponse(
    groups,
    ({ key }) => key.startsWith('refused/'),
    ({ law, status }) =>
      (law === 'unknown-id' && status >= 400) || (law === 'invalid-refused' && ABSENT.has(status)),
  );
}

/** An undocumented success in place of the documented one matches no schema: `default` describes errors. */
function succeedsOtherwise(groups: readonly Group[]): Explain {
  return ofSameResponse(
    groups,
    ({ key }) => key.endsWith('-for-success'),
    ({ law }) => law === 'schema',
  );
}

/** An invalid value that was accepted, and is shown. */
function tookInvalid(groups: readonly Group[]): Explain {
  const taken = new Map<string, Group>();
  for (const group of groups)
    for (const { law, kind, violation, finding } of group.entries)
      if (law === 'invalid-refused' && kind === 'accepted' && violation?.in === 'body')
        taken.set(`${finding.caseId} ${violation.pointer}`, group);
  return ({ law, place }, { entries }) => {
    if (law !== 'schema') return undefined;
    // One root may cover many members: each explains only findings of the same place.
    const same = entries.filter((entry) => entry.place.identity === place.identity);
    if (same.some(answersValid)) return undefined;
    return same.map(({ finding }) => taken.get(`${finding.caseId} ${finding.part}`)).find((group) => group);
  };
}

/** A record with an id that the client chose is another one than the service means. */
function tookId(groups: readonly Group[]): Explain {
  const taken = new Map<string, Group>();
  for (const group of groups)
    for (const { law, member, resource, finding } of group.entries)
      if (law === 'read-only-ignored' && member !== undefined && member === resource?.id?.property)
        taken.set(finding.caseId, group);
  return ({ law, finding }) => (OF_IDS.has(law) ? taken.get(finding.caseId) : undefined);
}

const OF_IDS: ReadonlySet<string> = new Set(['path-id', 'created-once', 'distinct-ids']);

/** A member that violates its schema does not equal the sent value, and differs from earlier reads. */
function showsInvalid(groups: readonly Group[]): Explain {
  const broken = groups.filter(({ entries: [{ law, status }] }) => law === 'schema' && status < 400);
  const pointers = broken.flatMap((group) =>
    group.entries.map(({ place }) => [place.pointer, group] as const),
  );
  return ({ law, member, place }) => {
    if (member === undefined || law === 'schema') return undefined;
    const target = memberPointer(place.pointer, member);
    const [, culprit] =
      pointers.find(([pointer]) => pointer === target || pointer.startsWith(`${target}/`)) ?? [];
    return culprit;
  };
}

/** An object without required members is another one: its additional and missing members are no separate problem. */
function showsAnother(groups: readonly Group[]): Explain {
  const isLacking = ({ entries: [{ law, kind, status }] }: Group) =>
    law === 'schema' && kind === 'required' && status < 400;
  const lacking = groups
    .filter(isLacking)
    .flatMap((group) =>
      group.entries.map((facts) => [facts, group, pointerTokens(facts.finding.part ?? '')] as const),
    );
  return ({ law, kind, operation, status, member, resource, finding }) => {
    const match = lacking.find(([facts, , tokens]) => {
      const isSame = facts.operation === operation && facts.status === status;
      const place = toPointer(tokens.slice(0, -1));
      if (law === 'schema') return isSame && kind === 'additionalProperties' && finding.part === place;
      if (law === 'path-id') return isSame && place === '';
      const isRead = facts.operation === resource?.actions.read && place === '';
      return law === 'created-can-be-read' && isRead && member !== undefined;
    });
    return match?.[1];
  };
}

/** The pointer of a member, for a breach at the member or at the record's schema. */
function memberPointer(pointer: string, member: string): string {
  const end = `/properties/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return pointer.endsWith(end) ? pointer : pointer + end;
}

const ORDER: readonly (Action | undefined)[] = ['create', 'replace', 'update', 'read', 'list'];

/** The same member is wrong in the same way in the create, read and list of one resource. */
function showsSameMember(groups: readonly Group[], contract: Contract): Explain {
  const rank = ({ entries }: Group) =>
    Math.min(...entries.map(({ operation }) => ORDER.indexOf(roleOf(contract, operation)?.action)));
  const first = new Map<string, Group>();
  for (const group of groups.filter(({ key }) => !key.includes('/errors/')))
    for (const id of new Set(group.entries.flatMap(shownMember))) {
      const best = first.get(id);
      if (!best || rank(group) < rank(best)) first.set(id, group);
    }
  return (facts) => shownMember(facts).flatMap((id) => first.get(id) ?? [])[0];
}

function shownMember({ law, kind, status, resource, finding }: Facts): string[] {
  if (law !== 'schema' || !resource || status >= 400) return [];
  const name = finding.part?.split('/').findLast((token) => token !== '' && !/^\d+$/.test(token));
  return name === undefined ? [] : [`${resource.path} ${kind} ${name}`];
}

/** A member that a create stored wrongly is wrong in each response. */
function wasMadeSo(groups: readonly Group[]): Explain {
  const made = groups.filter(({ key }) => key.startsWith('created/'));
  return ({ law, kind, member, resource }) => {
    if (member === undefined || law === 'schema' || kind === 'kept') return undefined;
    if (NEW_RECORD_LAWS.includes(law) && law !== 'list-and-read-agree') return undefined;
    return made.find(({ entries }) =>
      entries.some((entry) => entry.member === member && entry.resource === resource),
    );
  };
}

/** A record that cannot be read by its id does not exist: no list shows it, and no operation works on it. */
function wasNotMade(groups: readonly Group[]): Explain {
  const unread = groups.filter(
    ({ entries: [{ law, kind }] }) => law === 'created-can-be-read' && kind === 'missing',
  );
  return ({ law, kind, resource }, { key }) =>
    (kind === 'missing' || key.startsWith('refused/404/')) && resource && law !== 'created-can-be-read'
      ? unread.find(({ entries }) => entries.some((entry) => entry.resource === resource))
      : undefined;
}

/** A record that is missing in a list after its creation is missing on each page. */
function isNotListed(groups: readonly Group[]): Explain {
  const lacking = groups.filter(
    ({ entries: [{ law, kind }] }) => law === 'created-is-listed' && kind === 'missing',
  );
  return ({ law, operation }) =>
    law === 'complete-list'
      ? lacking.find(({ entries }) => entries.some((entry) => entry.operation === operation))
      : undefined;
}

/** A removed record that remains also remains after a race: no change is lost. */
function staysRemoved(groups: readonly Group[]): Explain {
  const staying = groups.filter(({ entries: [{ law }] }) => law === 'removed-is-gone');
  return ({ law, culprit }) =>
    law === 'linearizable'
      ? staying.find(({ entries }) => entries.some((entry) => entry.culprit === culprit))
      : undefined;
}

/** If the page size is ignored, nothing else about pages can be right. */
function hasNoPages(groups: readonly Group[]): Explain {
  const endless = groups.filter(({ entries: [{ law }] }) => law === 'page-size');
  return ({ law, operation }) =>
    OF_PAGES.has(law)
      ? endless.find(({ entries }) => entries.some((entry) => entry.operation === operation))
      : undefined;
}

const OF_PAGES: ReadonlySet<string> = new Set([
  'page-default',
  'complete-list',
  'distinct-pages',
  'complete-pages',
  'total',
]);
