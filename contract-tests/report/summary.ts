import type { Observation } from '../laws/finding.ts';
import type { Cause, SeenStatus } from './cause.ts';
import type { Report, Traffic } from './report.ts';
import type { CellVerdict, Verdict } from './verdict.ts';

/** The verdict in a sentence, which claims nothing of operations and responses that were not seen. */
export function headline({ verdict, withheld, totals, plan, changes }: Headed): string {
  const { length } = withheld;
  const told = length === 0 ? '' : `; ${length} ${length === 1 ? 'operation' : 'operations'} withheld`;
  return `${SENTENCES[verdict](changes ? '' : ` for ${coveredIn(totals)}`, plan)}${told}.`;
}

type Headed = Pick<Report, 'verdict' | 'withheld' | 'totals' | 'plan' | 'changes'>;

const SENTENCES: Readonly<Record<Verdict, (covered: string, plan: Report['plan']) => string>> = {
  holds: (covered) => `The contract holds${covered}`,
  broken: () => 'The contract is broken',
  incomplete: (covered) => `Incomplete: the contract was checked${covered}`,
  'no verdict': () => 'No verdict: the target could not be judged',
  planned: (_, plan) => {
    const all = plan?.operations ?? [];
    const called = all.filter(({ call }) => call === 'called').length;
    return `Planned: nothing was sent; ${called} of ${operationsOf(all.length)} would be called`;
  },
};

/** How much of the document was seen as documented: `3 of 3 operations (8 of 8 responses)`. */
function coveredIn(totals: Report['totals']): string {
  const { operations, operationsCovered, responses, responsesCovered } = totals;
  const told =
    responses === 0
      ? ''
      : ` (${responsesCovered} of ${responses} ${responses === 1 ? 'response' : 'responses'})`;
  return `${operationsCovered} of ${operationsOf(operations)}${told}`;
}

const operationsOf = (count: number) => `${count} ${count === 1 ? 'operation' : 'operations'}`;

/** ` 88/88`, how many of its cases ran; nothing where there is no more than one. */
export function caseCounts({ ran, of, verdict }: Report['cells'][number]): string {
  const isCovered = verdict === 'covered' || verdict === 'partly covered';
  return isCovered && of > 1 ? ` ${ran}/${of}` : '';
}

export function coveredCells({ cells }: Report): string {
  return `${cells.filter(({ verdict }) => verdict === 'covered').length} of ${cells.length} responses covered`;
}

export function casesByOutcome({ totals }: Report): string {
  const { passed, failed, skipped, withheld, notReached } = totals;
  const held = withheld > 0 ? `, ${withheld} withheld` : '';
  return `${passed} passed, ${failed} failed, ${skipped} skipped${held}, ${notReached} not reached`;
}

export function seconds({ totals }: Report): string {
  return `${(totals.ms / 1000).toFixed(1)} s`;
}

/** The verdict with its reason, as it stands first and last in a report for people. */
export function verdictAndReason(report: Report): string {
  const { reason } = report;
  return reason === undefined ? headline(report) : `${headline(report)} ${asSentence(reason)}`;
}

/** What follows a full stop. A name stays as it is: of a file, an operation or a target. */
export function asSentence(words: string): string {
  return words.replace(/^[a-z](?=[a-z]*(?:[ ,]|$))/, (first) => first.toUpperCase());
}

/** The document that the run was checked against, and by what. */
export function provenance({ documentInfo, document, paddock, startedAt }: Report): string {
  const { title, version, digest } = documentInfo;
  const name = [title, version].filter((text) => text !== '').join(' ') || 'An untitled document';
  return `${name} (${document}, ${digest}), checked by Paddock ${paddock} at ${startedAt}`;
}

/** How much of observed traffic was judged, and why the rest was not; undefined: the suite has sent the requests. */
export function trafficCounts({ traffic }: Report): string | undefined {
  if (!traffic) return undefined;
  const told = REASONS.flatMap(([name, text]) => (traffic[name] > 0 ? `${traffic[name]} ${text}` : []));
  const bodies = traffic.bodies > 0 ? `; ${bodiesJudged(traffic)}` : '';
  return `${traffic.exchanges} exchanges, ${[`${traffic.judged} judged`, ...told].join(', ')}${bodies}`;
}

/** Of how many responses with a documented body the body was judged. */
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

/** Cases whose ids a report for people says. */
const MOST_CASES = 3;

/** The cases that have seen a cause, the one that is shown first; of many some, and how many there are. */
export function casesOfCause({ cases, instances }: Cause, most = MOST_CASES): string {
  const ordered = [...new Set([...instances.map(({ caseId }) => caseId), ...cases])];
  const more = ordered.length - most;
  const named = ordered.slice(0, most).join(', ');
  return ordered.length === 1 ? named : `${ordered.length}: ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The case that is shown, and how many others there are. */
export function firstCaseOf({ cases, instances }: Cause): string {
  const [first = ''] = [...instances.map(({ caseId }) => caseId), ...cases];
  return cases.length > 1 ? `${first} and ${cases.length - 1} more` : first;
}

export function casesInWords(cause: Cause): string {
  return `${cause.cases.length === 1 ? 'case' : 'cases'} ${casesOfCause(cause)}`;
}

/** The findings that a cause explains; undefined: none. */
export function explainedBy({ followUps }: Cause): string | undefined {
  if (followUps.length === 0) return undefined;
  const count = followUps.reduce((sum, one) => sum + one.count, 0);
  const more = followUps.length - MOST_CASES;
  const keys = followUps.slice(0, MOST_CASES).map(({ key }) => key);
  return `${count} ${count === 1 ? 'finding' : 'findings'}: ${keys.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Operations that a list for people names. */
const MOST_OPERATIONS = 8;

/** A line for each status, with the operations that it came of; none where the title says it all. */
export function operationsByStatus(statuses: readonly SeenStatus[]): string[] {
  if (statuses.length < 2) return [];
  const groups = Map.groupBy(statuses, ({ status }) => status);
  return [...groups].map(([status, own]) => {
    return `${status} by ${named(own.map(({ operationId }) => operationId))}`;
  });
}

/** The cells that stand so, by operation: `listPets 200 400, getPet 200`; undefined: none does. */
export function cellsOf({ cells }: Report, verdict: CellVerdict): string | undefined {
  const groups = Map.groupBy(
    cells.filter((cell) => cell.verdict === verdict),
    ({ operationId }) => operationId,
  );
  if (groups.size === 0) return undefined;
  return named([...groups].map(([id, own]) => [id, ...own.map(({ status }) => status)].join(' ')));
}

/** How many cells stand so, and why; undefined: none does. */
export function reasonsOf({ cells }: Report, verdict: CellVerdict): string | undefined {
  const own = cells.filter((cell) => cell.verdict === verdict);
  if (own.length === 0) return undefined;
  return `${own.length} ${own.length === 1 ? 'response' : 'responses'}: ${counted(own.map(({ reason }) => reason ?? ''))}`;
}

/** How many operations no valid request has shown, and why; undefined: none. */
export function missingOperations({ operations }: Report): string | undefined {
  const own = operations.filter(({ verdict }) => verdict === 'not reached');
  if (own.length === 0) return undefined;
  return `${own.length} of ${operationsOf(operations.length)}: ${counted(own.map(({ reason }) => reason ?? ''))}`;
}

/** The operations that were not called; undefined: all were. */
export function withheldPaths({ withheld }: Report): string | undefined {
  return withheld.length === 0 ? undefined : named(withheld.map(({ method, path }) => `${method} ${path}`));
}

/** The first of some texts, and how many more there are. */
function named(texts: readonly string[]): string {
  const more = texts.length - MOST_OPERATIONS;
  return `${texts.slice(0, MOST_OPERATIONS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** How many behaviours the document does not define, and which; undefined: none. */
export function leftOpen({ notSpecified }: Report): string | undefined {
  const asked = new Map(notSpecified.map((one) => [`${one.operationId} ${topic(one)}`, topic(one)]));
  if (asked.size === 0) return undefined;
  return `${asked.size} undefined ${asked.size === 1 ? 'behaviour' : 'behaviours'}: ${counted([...asked.values()])}`;
}

const topic = ({ question, text }: Observation) => question ?? text;

/** So many different texts are said. */
const MOST_TEXTS = 3;

const LONGEST_TEXT = 200;

function inBrief(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}

/** Texts, the most frequent first, with how often each stands there. */
function counted(texts: readonly string[]): string {
  const groups = [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => ({ text, length }));
  const sorted = groups.toSorted((one, other) => other.length - one.length);
  const rest = sorted.slice(MOST_TEXTS).reduce((sum, { length }) => sum + length, 0);
  const named = sorted.slice(0, MOST_TEXTS).map(({ text, length }) => `${length} ${inBrief(text)}`);
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

/** What became of the tries to reproduce it, in a phrase; undefined: others have sent the requests. */
export function triedPhrase({ confirmation }: Pick<Cause, 'confirmation'>): string | undefined {
  if (!confirmation) return undefined;
  const { outcome, shown, tries, reason, needsData, wholeCase, caseId } = confirmation;
  const counts: Readonly<Record<typeof outcome, string>> = {
    confirmed: `confirmed ${shown} of ${tries}`,
    unsteady: `unsteady, ${shown} of ${tries}`,
    'not seen again': `seen once, not again in ${tries} tries`,
    'not tried': 'not tried',
  };
  return [
    reason === undefined ? counts[outcome] : `${counts[outcome]}: ${reason}`,
    ...(needsData ? ['needs existing data'] : []),
    ...(wholeCase ? [`by the whole case ${caseId}`] : []),
  ].join('; ');
}

/** Every try has shown it again, and there is nothing else to say of them. */
export function isPlainlyConfirmed({ confirmation }: Pick<Cause, 'confirmation'>): boolean {
  const { outcome, reason, needsData, wholeCase } = confirmation ?? {};
  return outcome === 'confirmed' && reason === undefined && !needsData && !wholeCase;
}

/** What the tries to reproduce the causes have shown, in a line; undefined: none was tried. */
export function triedCounts({ causes }: Report): string | undefined {
  const all = causes.flatMap(({ confirmation }) => confirmation ?? []);
  if (all.length === 0) return undefined;
  const groups = Map.groupBy(all, ({ outcome, shown, tries }) =>
    outcome === 'confirmed' ? `confirmed ${shown} of ${tries}` : outcome,
  );
  return [...groups].map(([told, own]) => `${own.length} ${told}`).join(', ');
}

/** It was seen once, and by no try again: reported apart from what is broken. */
export function isNotSeenAgain({ confirmation }: Pick<Cause, 'confirmation'>): boolean {
  return confirmation?.outcome === 'not seen again';
}

/** Observations of one operation that answer one question. */
interface ObservationGroup {
  readonly operationId: string;
  readonly text: string;
}

/** The heading of causes that break what is presumed alone. */
export const WORTH_A_LOOK = 'Worth a look';

/** What settles whether a presumed fact is meant, in words; empty: it is promised, or no line says it. */
export function settledBy({
  worthALook: { target, meant, otherwise } = {},
}: Pick<Cause, 'worthALook'>): string[] {
  if (target === undefined) return [];
  return [`${meant} at ${target}, if it is meant`, `${otherwise}, if it is not`];
}

/** What came, what is documented, and what settles whether that is meant. */
export function inOneLine(one: Pick<Cause, 'received' | 'documented' | 'worthALook'>): string {
  const settled = settledBy(one);
  const told = settled.length > 0 ? `; settled by ${settled.join('; ')}` : '';
  return `received ${one.received}; documented ${one.documented}${told}`;
}

/** Several cases may ask one question: their observations are one line, with each answer and how many cases got it. */
export function groupObservations(observations: readonly Observation[]): ObservationGroup[] {
  const groups = Map.groupBy(observations, ({ operationId, question, text }) =>
    JSON.stringify([operationId, question ?? text]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (!first) return [];
    const { operationId, text, question } = first;
    if (others.length === 0) return { operationId, text };
    if (question === undefined) return { operationId, text: `${text} (${group.length} cases)` };
    const answers = Map.groupBy(group, ({ answer }) => answer ?? '');
    const told = [...answers].map(([answer, own]) => `${answer} (${casesOf(own.length)})`);
    return { operationId, text: `${question}: ${told.join(', ')}, such as ${text}` };
  });
}

function casesOf(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}
