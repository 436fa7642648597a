import { type Action, type Contract, pointerTokens, toPointer } from '#spec';
import type { LawName } from '../laws/law.ts';
import { roleOf } from '../laws/operation-role.ts';
import { ABSENT } from '../send/wire.ts';
import { answersValid, type Facts } from './facts.ts';
import { NEW_RECORD_LAWS } from './record-rules.ts';
import { showsNothing } from './status-rules.ts';

/** The findings of one key, which identifies a root. */
export interface Group {
  readonly key: string;
  readonly entries: readonly [Facts, ...Facts[]];
}

/** What findings share if one explains the other; undefined: the finding explains nothing, or is explained by nothing. */
type Share = (facts: Facts, group: Group) => string | readonly string[] | false | undefined;

/** How one root explains findings of others: both share something. */
interface Explanation {
  readonly culprit: Share;
  readonly victim: Share;
}

const responseOf = ({ operation, status }: Facts) => `${operation.id} ${status}`;
const answerOf = (facts: Facts) => `${responseOf(facts)} ${facts.finding.exchange.response.text}`;

/** The first one that applies to a finding decides. */
const EXPLANATIONS: readonly Explanation[] = [
  // If an ordinary request fails, so does every other one, whatever else is wrong with it.
  {
    culprit: (facts, { key }) => key.startsWith('server-error/') && isPlain(facts) && responseOf(facts),
    victim: (facts, { key }) =>
      key.startsWith('server-error/') && facts.provokedBy !== undefined && responseOf(facts),
  },
  // An operation that redirects any request redirects one without a credential, too.
  {
    culprit: (facts, { key }) =>
      key.startsWith('status/3') && facts.provokedBy === undefined && responseOf(facts),
    victim: (facts) => facts.law === 'unauthorised-first' && responseOf(facts),
  },
  // A service that requires no credential accepts any, and rejects requests without one for other reasons.
  {
    culprit: (_, { key }) => key === 'unauthorised-first/accepted' && '',
    victim: ({ law }) => (law === 'unauthorised-first' || law === 'credentials-apart') && '',
  },
  // A request that is rejected for its credential is rejected whatever else is wrong with it.
  {
    culprit: (facts, { key }) => /^refused\/40[13]/.test(key) && responseOf(facts),
    victim: (facts, { key }) => /-for-4\d\d$|^status\/undocumented-4xx$/.test(key) && responseOf(facts),
  },
  // A response in place of 404 matches no schema, and also appears for a removed record.
  {
    culprit: (facts) => facts.law === 'unknown-id' && showsNothing(facts.finding) && answerOf(facts),
    victim: (facts) => OF_NOTHING.has(facts.law) && answerOf(facts),
  },
  // An operation that rejects any id rejects an unknown one, too, and one that returns 404 does so for invalid requests.
  {
    culprit: (facts, { key }) => key.startsWith('refused/') && responseOf(facts),
    victim: (facts) =>
      ((facts.law === 'unknown-id' && facts.status >= 400) ||
        (facts.law === 'invalid-refused' && ABSENT.has(facts.status))) &&
      responseOf(facts),
  },
  // An undocumented success in place of the documented one matches no schema: `default` describes errors.
  {
    culprit: (facts, { key }) => key.endsWith('-for-success') && responseOf(facts),
    victim: (facts) => facts.law === 'schema' && responseOf(facts),
  },
  // An invalid value that was accepted, and is shown. One root may cover many members: each explains its place only.
  {
    culprit: ({ law, kind, violation, finding }) =>
      law === 'invalid-refused' &&
      kind === 'accepted' &&
      violation?.in === 'body' &&
      `${finding.caseId} ${violation.pointer}`,
    victim: ({ law, place }, { entries }) => {
      const same = entries.filter((entry) => entry.place.identity === place.identity);
      return (
        law === 'schema' &&
        !same.some(answersValid) &&
        same.map(({ finding }) => `${finding.caseId} ${finding.part}`)
      );
    },
  },
  // A record with an id that the client chose is another one than the service means.
  {
    culprit: ({ law, member, resource, finding }) =>
      law === 'read-only-ignored' &&
      member !== undefined &&
      member === resource?.id?.property &&
      finding.caseId,
    victim: ({ law, finding }) => OF_IDS.has(law) && finding.caseId,
  },
  // A member that violates its schema does not equal the sent value, and differs from earlier reads.
  {
    culprit: (facts) => {
      const steps = isWrongSuccess(facts) ? pointerTokens(facts.place.pointer) : [];
      return steps.map((_, index) => toPointer(steps.slice(0, index + 1)));
    },
    victim: ({ law, member, place }) =>
      law !== 'schema' && member !== undefined && memberPointer(place.pointer, member),
  },
  // An object without required members is another one: its additional and missing members are no separate problem.
  {
    culprit: (facts) => {
      if (!isWrongSuccess(facts) || facts.kind !== 'required') return undefined;
      const place = toPointer(pointerTokens(facts.finding.part ?? '').slice(0, -1));
      return [`${responseOf(facts)} ${place}`, ...(place === '' ? [facts.operation.id] : [])];
    },
    victim: (facts) => {
      const { law, kind, member, resource, finding } = facts;
      if (law === 'schema') return kind === 'additionalProperties' && `${responseOf(facts)} ${finding.part}`;
      if (law === 'path-id') return `${responseOf(facts)} `;
      return law === 'created-can-be-read' && member !== undefined && resource?.actions.read?.id;
    },
  },
  // The same member is wrong in the same way in the create, read and list of one resource.
  {
    culprit: (facts, { key }) => !key.includes('/errors/') && shownMember(facts),
    victim: shownMember,
  },
  // A member that a create stored wrongly is wrong in each response.
  {
    culprit: ({ member, resource }, { key }) =>
      key.startsWith('created/') && member !== undefined && `${resource?.path} ${member}`,
    victim: ({ law, kind, member, resource }) =>
      member !== undefined &&
      law !== 'schema' &&
      kind !== 'kept' &&
      (!NEW_RECORD_LAWS.includes(law) || law === 'list-and-read-agree') &&
      `${resource?.path} ${member}`,
  },
  // A record that cannot be read by its id does not exist: no list shows it, and no operation works on it.
  {
    culprit: ({ law, kind, resource }) =>
      law === 'created-can-be-read' && kind === 'missing' && resource?.path,
    victim: ({ law, kind, resource }, { key }) =>
      law !== 'created-can-be-read' &&
      (kind === 'missing' || key.startsWith('refused/404/')) &&
      resource?.path,
  },
  // A record that is missing in a list after its creation is missing on each page.
  {
    culprit: ({ law, kind, operation }) => law === 'created-is-listed' && kind === 'missing' && operation.id,
    victim: ({ law, operation }) => law === 'complete-list' && operation.id,
  },
  // A removed record that remains also remains after a race: no change is lost.
  {
    culprit: ({ law, culprit }) => law === 'removed-is-gone' && culprit.id,
    victim: ({ law, culprit }) => law === 'linearizable' && culprit.id,
  },
  // If the page size is ignored, nothing else about pages can be right.
  {
    culprit: ({ law, operation }) => law === 'page-size' && operation.id,
    victim: ({ law, operation }) => OF_PAGES.has(law) && operation.id,
  },
];

const OF_NOTHING: ReadonlySet<LawName> = new Set<LawName>([
  'schema',
  'whole-json',
  'content-type',
  'removed-is-gone',
]);
const OF_IDS: ReadonlySet<LawName> = new Set<LawName>(['path-id', 'created-once', 'distinct-ids']);
const OF_PAGES: ReadonlySet<LawName> = new Set<LawName>([
  'page-default',
  'complete-list',
  'distinct-pages',
  'complete-pages',
  'total',
]);

/** The cases that send ordinary requests. */
const ORDINARY: ReadonlySet<string> = new Set(['ordinary', 'required-only']);

function isPlain({ provokedBy, finding: { exchange, caseId } }: Facts): boolean {
  const { url, body } = exchange.request;
  const isOrdinary = ORDINARY.has(caseId.split('/').at(-1) ?? '');
  return provokedBy === undefined && (isOrdinary || (url.search === '' && !body));
}

const isWrongSuccess = ({ law, status }: Facts) => law === 'schema' && status < 400;

/** The pointer of a member, for a breach at the member or at the record's schema. */
function memberPointer(pointer: string, member: string): string {
  const end = toPointer(['properties', member]);
  return pointer.endsWith(end) ? pointer : pointer + end;
}

function shownMember(facts: Facts): string | undefined {
  const { kind, resource, finding } = facts;
  const name = finding.part?.split('/').findLast((token) => token !== '' && !/^\d+$/.test(token));
  return isWrongSuccess(facts) && resource && name !== undefined
    ? `${resource.path} ${kind} ${name}`
    : undefined;
}

const ORDER: readonly (Action | undefined)[] = ['create', 'replace', 'update', 'read', 'list'];

/** Finds another group that explains a finding; if several do, the one whose operation is closest to the cause. */
export function compileExplain(groups: readonly Group[], contract: Contract) {
  const rank = ({ entries }: Group) =>
    Math.min(...entries.map(({ operation }) => ORDER.indexOf(roleOf(contract, operation)?.action)));
  const ranked = groups.toSorted((left, right) => rank(left) - rank(right));
  const all = EXPLANATIONS.map(({ culprit, victim }) => {
    const groupOf = new Map<string, Group>();
    for (const group of ranked)
      for (const facts of group.entries)
        for (const shared of listOf(culprit(facts, group)))
          if (!groupOf.has(shared)) groupOf.set(shared, group);
    return { groupOf, victim };
  });
  return (facts: Facts, group: Group): Group | undefined => {
    for (const { groupOf, victim } of all) {
      const culprit = listOf(victim(facts, group))
        .map((shared) => groupOf.get(shared))
        .find((one) => one);
      if (culprit && culprit !== group) return culprit;
    }
    return undefined;
  };
}

function listOf(shared: ReturnType<Share>): readonly string[] {
  if (shared === undefined || shared === false) return [];
  return typeof shared === 'string' ? [shared] : shared;
}
