import { count, inBrief } from '#spec';
import type { Observation } from '../laws/finding.ts';
import type { Cause } from './cause.ts';
import type { Report, Traffic } from './report.ts';
import type { CellVerdict, Verdict } from './verdict.ts';

/** The maximum number of operations that a line names. */
export const MOST_NAMED = 8;

/** The maximum number of different texts in a count, and of characters of each. */
const MOST_TEXTS = 3;
const LONGEST_TEXT = 200;

/** How reports show the verdict of a cell: not all readers distinguish colours. */
export const LOOKS = {
  covered: { sign: '✓', emoji: '✅', style: 'green' },
  'partly covered': { sign: '◐', emoji: '⚠️', style: 'yellow' },
  violated: { sign: '✗', emoji: '❌', style: 'red' },
  'not reached': { sign: '?', emoji: '⚠️', style: 'yellow' },
  skipped: { sign: '–', emoji: '➖', style: 'dim' },
  withheld: { sign: '⊘', emoji: '⛔', style: 'dim' },
  planned: { sign: '·', emoji: '📋', style: 'dim' },
} as const satisfies Readonly<Record<CellVerdict, object>>;

/** Texts with their counts, the most frequent first. */
export function counted(texts: readonly string[]): string {
  const groups = [...Map.groupBy(texts, (text) => text)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const rest = groups.slice(MOST_TEXTS).reduce((sum, [, { length }]) => sum + length, 0);
  const named = groups
    .slice(0, MOST_TEXTS)
    .map(([text, { length }]) => `${length} ${inBrief(text, LONGEST_TEXT)}`);
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

/** Words at the start of a sentence. Names of files, operations and targets stay unchanged. */
export function asSentence(words: string): string {
  return words.replace(/^[a-z](?=[a-z]*(?:[ ,]|$))/, (first) => first.toUpperCase());
}

/** The sentence for a verdict, on a service and on two versions of a document. */
const SENTENCES: Readonly<Record<Verdict, readonly [ofService: string, ofVersions: string]>> = {
  holds: ['The contract holds', 'Clients of OLD are safe with NEW'],
  broken: ['The contract is broken', 'NEW breaks clients of OLD'],
  incomplete: ['Incomplete: the contract was checked', 'Incomplete: not every change could be tried'],
  'no verdict': ['No verdict: the target could not be judged', 'No verdict'],
  planned: ['Planned: nothing was sent', 'Planned: nothing was compared'],
};

/** The verdict in a sentence that claims nothing about untested operations and responses. */
export function headline({ verdict, withheld, totals, plan, changes }: Headed): string {
  const [ofService, ofVersions] = SENTENCES[verdict];
  if (changes) return `${ofVersions}.`;
  const isPartial = verdict === 'holds' || verdict === 'incomplete';
  const called = plan?.operations.filter(({ call }) => call === 'called').length ?? 0;
  return `${[
    `${ofService}${isPartial ? ` for ${coveredIn(totals)}` : ''}`,
    ...(plan ? [`${called} of ${count(plan.operations.length, 'operation')} would be called`] : []),
    ...(withheld.length > 0 ? [`${count(withheld.length, 'operation')} withheld`] : []),
  ].join('; ')}.`;
}

type Headed = Pick<Report, 'verdict' | 'withheld' | 'totals' | 'plan' | 'changes'>;

/**
 * The covered part of the document: `3 of 3 operations (8 of 8 responses)` or, if some is not covered, the responses
 * first: `170 of 358 documented responses (40 of 50 operations)`.
 */
function coveredIn({ operations, operationsCovered, responses, responsesCovered }: Report['totals']): string {
  const all = `${operationsCovered} of ${count(operations, 'operation')}`;
  if (responses === 0) return all;
  return responsesCovered < responses
    ? `${responsesCovered} of ${count(responses, 'documented response')} (${all})`
    : `${all} (${responsesCovered} of ${count(responses, 'response')})`;
}

/** The verdict with its reason and the exit code. */
export function verdictOf(report: Report): string {
  const { reason, exitCode } = report;
  return `${headline(report)}${reason ? ` ${asSentence(reason)}` : ''} (exit ${exitCode})`;
}

/**
 * What reports show beside the verdict of a cell: how many of its cases ran (` 88/88`), the reason, and that it does not gate.
 * Each is empty if the verdict is enough.
 */
export function cellWords({ ran, of, verdict, reason = '', gates }: Report['cells'][number]) {
  const isCovered = verdict === 'covered' || verdict === 'partly covered';
  return {
    cases: isCovered && of > 1 ? ` ${ran}/${of}` : '',
    reason: verdict === 'covered' || verdict === 'violated' ? '' : reason,
    note: gates || verdict === 'withheld' ? '' : 'does not gate',
  };
}

/** The numbers of requests and results. */
export function totalsOf(report: Report): string {
  const { cells, cases, causes, changes, notices, plan, totals, seed } = report;
  const { passed, failed, skipped, withheld, notReached, requests, ms } = totals;
  if (changes) {
    const ofOld = cases.filter(({ id }) => !id.endsWith('/compat')).length;
    return `${count(causes.length, 'breaking change')}, ${count(notices.length, 'warning')}; ${ofOld} cases of OLD, ${requests} requests (seed ${seed})`;
  }
  if (plan)
    return `At most ${plan.requests} requests, retries apart; at most ${plan.records} records are left that no operation removes; about ${plan.seconds} s, if each request takes 100 ms (seed ${seed})`;
  const covered = cells.filter(({ verdict }) => verdict === 'covered').length;
  const held = withheld > 0 ? `, ${withheld} withheld` : '';
  const sent =
    trafficCounts(report) ??
    `${totals.cases} cases: ${passed} passed, ${failed} failed, ${skipped} skipped${held}, ${notReached} not reached; ${requests} requests in ${(ms / 1000).toFixed(1)} s (seed ${seed})`;
  // Without a verdict coverage means nothing.
  return report.verdict === 'no verdict' ? sent : `${covered} of ${cells.length} responses covered; ${sent}`;
}

/** The document of the run, and the version that checked it. */
export function provenance({ documentInfo, document, paddock, startedAt }: Report): string {
  const { title, version, digest } = documentInfo;
  const name = [title, version].filter((text) => text !== '').join(' ') || 'An untitled document';
  return `${name} (${document}, ${digest}), checked by Paddock ${paddock} at ${startedAt}`;
}

/** How much of observed traffic was judged, and why the rest was not; undefined: the suite sent the requests. */
function trafficCounts({ traffic }: Report): string | undefined {
  if (!traffic) return undefined;
  const told = REASONS.flatMap(([name, text]) => (traffic[name] > 0 ? `${traffic[name]} ${text}` : []));
  const bodies = traffic.bodies > 0 ? `; ${bodiesJudged(traffic)}` : '';
  return `${traffic.exchanges} exchanges, ${[`${traffic.judged} judged`, ...told].join(', ')}${bodies}`;
}

/** How many of the documented response bodies were judged. */
export function bodiesJudged(of: Pick<Traffic, 'bodies' | 'bodiesJudged'>): string {
  return `bodies judged: ${of.bodiesJudged} of ${of.bodies}`;
}

type Counted = 'exchanges' | 'judged' | 'bodies' | 'bodiesJudged';

const REASONS: readonly (readonly [Exclude<keyof Traffic, Counted>, string])[] = [
  ['bodiesMissing', 'of them without a whole body'],
  ['elsewhere', 'to other services'],
  ['unknownPaths', 'to paths that the document does not have'],
  ['unknownMethods', 'with methods that it does not have there'],
  ['unread', 'to operations that are left out of the document'],
  ['withoutResponse', 'without a response'],
  ['byGateway', 'answered by a gateway'],
  ['removed', 'to operations that are gone'],
  ['foreign', 'answered by something else than the service'],
  ['leftOut', 'left out'],
  ['notSampled', 'not sampled'],
  ['findingsDropped', 'further findings not kept'],
];

/** The result of reproducing a cause, in a phrase; undefined: the traffic was sent by others. */
export function triedPhrase({ confirmation }: Pick<Cause, 'confirmation'>): string | undefined {
  if (!confirmation) return undefined;
  const { outcome, shown, tries, reason, needsData, wholeCase, caseId } = confirmation;
  const counts: Readonly<Record<typeof outcome, string>> = {
    confirmed: `confirmed ${shown} of ${tries}`,
    unsteady: `unsteady, ${shown} of ${tries}`,
    'not seen again': shown > 0 ? `${shown} of ${tries}` : `seen once, not again in ${tries} tries`,
    'not tried': 'not tried',
  };
  return [
    reason === undefined ? counts[outcome] : `${counts[outcome]}: ${reason}`,
    ...(needsData ? ['needs existing data'] : []),
    ...(wholeCase ? [`by the whole case ${caseId}`] : []),
  ].join('; ');
}

/** Merges observations with the same question into one line, with each answer and the number of cases that got it. */
export function groupObservations(observations: readonly Observation[]): { name: string; text: string }[] {
  const groups = Map.groupBy(observations, ({ operationId, question, text }) =>
    JSON.stringify([operationId, question ?? text]),
  );
  return [...groups.values()].flatMap((group) => {
    const [{ operationId: name, text, question }, ...others] = group as [Observation, ...Observation[]];
    if (others.length === 0) return { name, text };
    if (question === undefined) return { name, text: `${text} (${group.length} cases)` };
    const answers = Map.groupBy(group, ({ answer }) => answer ?? '');
    const told = [...answers].map(([answer, cases]) => `${answer} (${count(cases.length, 'case')})`);
    return { name, text: `${question}: ${told.join(', ')}, such as ${text}` };
  });
}
