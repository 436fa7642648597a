import { SAFE_METHODS } from '#spec';
import type { Case, CaseResult } from '../cases/case.ts';
import { skipReason } from '../cases/execute.ts';
import { ALL_LAWS } from '../laws/all-laws.ts';
import {
  type Confirmation,
  compareEase,
  easeOf,
  type Finding,
  isOfInvalid,
  saysGone,
} from '../laws/finding.ts';
import { furtherRoleOf, roleOf } from '../laws/operation-role.ts';
import { Room } from '../run/budget.ts';
import type { Plan, Run } from '../run/run.ts';
import { eventsOf, reserveOf, runSideBySide } from '../run/schedule.ts';
import type { SentStep } from '../send/trail.ts';
import { type Attempt, isOld, type Ranked, roomFor, type Shown, waysToTry } from './replay.ts';
import { reproductionsFor, scriptOf } from './reproduction.ts';

/** Progress of the reproductions: `done` of `total` roots. */
export interface ConfirmingEvent {
  readonly type: 'confirming';
  readonly done: number;
  readonly total: number;
}

/** Groups findings by their root. */
export type Groups = (findings: readonly Finding[]) => readonly (readonly Finding[])[];

/** The findings after the attempts, with the steps that reproduce them and the results. */
export type Confirmed = ReadonlyMap<Finding, Finding>;

const TRIES = 3;
/** The maximum number of findings per root that are tried, until one is reproduced. */
const MOST_FINDINGS = 2;
/** The maximum number of attempts for a root. */
const MOST_TRIES = 100;
/** The maximum duration of all attempts together, in milliseconds: there may be hundreds of roots. */
const TIME_TO_CONFIRM = 30_000;
const TIME_IS_OVER = `the ${TIME_TO_CONFIRM / 1000} s for all tries are over`;

/**
 * Tries the shortest reproduction of each root from scratch, three times, within the limits of the run. Each attempt is
 * judged by the broken rule, and has its own marks and records, which are removed again.
 */
export async function* confirmAll(
  run: Run,
  cases: readonly Case[],
  results: readonly CaseResult[],
  groups: Groups,
): AsyncGenerator<ConfirmingEvent, Confirmed> {
  run.session.pace.giveMore(reserveOf(run.plan.settings));
  const deadline = performance.now() + TIME_TO_CONFIRM;
  const caseOf = new Map(
    results.flatMap((result) => result.findings.map((finding) => [finding, result.case] as const)),
  );
  const findings = [...caseOf.keys()].filter(({ confirmation }) => confirmation === undefined);
  const confirmed = new Map<Finding, Finding>();
  let left = run.plan.budget.toConfirm;
  let [begun, done] = [0, 0];

  // A finding that was not reproduced explains no others: those are tried as well.
  for (;;) {
    const open = openOf(groups(findings.map((finding) => confirmed.get(finding) ?? finding)), confirmed);
    const roots = open.map((group) => ranked(run, group));
    if (roots.length === 0) break;
    // Waived findings come last.
    roots.sort((rankedRoot, right) => Number(isAccepted(rankedRoot)) - Number(isAccepted(right)));
    const rooms = shareOut(run.plan, roots, left);
    left -= rooms.reduce((sum, room) => sum + room, 0);
    const jobs = roots.map((root, index) => {
      const [{ finding }] = root;
      const unsafe = finding.trail.some(({ operation }) => !SAFE_METHODS.has(operation.method));
      const quiet = caseOf.get(finding)?.quiet ?? false;
      // Reproductions that only read run while nothing is written, as when a user repeats them.
      return { root, left: rooms[index] ?? 0, number: begun + index, unsafe, phase: unsafe ? 1 : 0, quiet };
    });
    begun += jobs.length;
    yield* eventsOf<ConfirmingEvent>((tell) => {
      const tellDone = () => tell({ type: 'confirming', done, total: begun });
      tellDone();
      return runSideBySide(jobs, run.plan.settings.jobs, async ({ root, number, ...job }) => {
        const room = new Room(run, { left: job.left, below: run.plan.budget.below });
        const at = { run, room, place: cases.length + number * MOST_TRIES, deadline };
        const { shownBy, steps, ...confirmation } = await confirmRoot(root, caseOf, at);
        for (const { finding, reproductions } of root) {
          const script = (finding === shownBy && steps) || reproductions[0]?.steps;
          confirmed.set(finding, {
            ...finding,
            confirmation,
            ...(script && { steps: scriptOf(run, script) }),
          });
        }
        done += 1;
        tellDone();
      });
    });
  }
  return confirmed;
}

/** The roots without an attempt. A finding that shares the root of a tried one adopts its result. */
function openOf(roots: ReturnType<Groups>, confirmed: Map<Finding, Finding>): (readonly Finding[])[] {
  return roots.flatMap((group) => {
    const confirmation = group.find((finding) => finding.confirmation)?.confirmation;
    if (!confirmation) return [group];
    for (const finding of group)
      if (!finding.confirmation) confirmed.set(finding, { ...finding, confirmation });
    return [];
  });
}

/** At least one finding, the best one to show first. */
type RankedRoot = readonly [Ranked, ...Ranked[]];

function ranked(run: Run, findings: readonly Finding[]): RankedRoot {
  const all = findings.map((finding) => {
    const inOrder = reproductionsFor(run, finding).map((reproduction) => ({
      reproduction,
      old: Number(isOld(reproduction, finding)),
    }));
    inOrder.sort((left, right) => left.old - right.old);
    const reproductions = inOrder.map(({ reproduction }) => reproduction);
    return { finding, reproductions, ease: [inOrder[0]?.old ?? 0, ...easeOf(finding, reproductions[0])] };
  });
  return all.sort((left, right) => compareEase(left.ease, right.ease)) as unknown as RankedRoot;
}

function isAccepted([{ finding }]: RankedRoot): boolean {
  return finding.knownUntil !== undefined;
}

/** Reserves room for one attempt of each root, in order, then for further attempts and other ways: deterministic. */
function shareOut(plan: Plan, roots: readonly RankedRoot[], most: number): number[] {
  const rooms = roots.map(() => 0);
  let left = most;
  for (let tries = 1; tries <= TRIES; tries++) {
    for (const [index, [{ finding, reproductions }]] of roots.entries()) {
      const wanted = roomFor(plan, reproductions[0]?.steps ?? finding.trail, tries) - (rooms[index] ?? 0);
      if (wanted > left) continue;
      rooms[index] = (rooms[index] ?? 0) + wanted;
      left -= wanted;
    }
  }
  for (const [index, [{ reproductions }]] of roots.entries()) {
    const others = reproductions.slice(1).map(({ steps }) => roomFor(plan, steps, 1));
    const wanted = Math.min(
      left,
      others.reduce((sum, room) => sum + room, 0),
    );
    rooms[index] = (rooms[index] ?? 0) + wanted;
    left -= wanted;
  }
  return rooms;
}

/** How often one way reproduced a finding. */
interface Count {
  readonly one: Ranked;
  readonly wholeCase: boolean;
  shown: number;
  tries: number;
  /** The steps of the last successful attempt. */
  steps: readonly SentStep[] | undefined;
}

interface Tried extends Confirmation, Pick<Count, 'steps'> {
  readonly shownBy: Finding;
}

async function confirmRoot(
  root: RankedRoot,
  caseOf: ReadonlyMap<Finding, Case>,
  at: Omit<Attempt, 'case'>,
): Promise<Tried> {
  const { run, deadline } = at;
  const ways = root.slice(0, MOST_FINDINGS).flatMap((one) => {
    const ofFinding = caseOf.get(one.finding) as Case;
    return waysToTry(run, one, ofFinding).map((way) => ({ one, ofFinding, way }));
  });
  let [number, made] = [0, 0];
  let reason: string | undefined;

  /** @returns the result of an attempt; undefined: it was not made or not completed */
  async function next({ ofFinding, way }: (typeof ways)[number]): Promise<Shown | undefined> {
    const isOver = performance.now() > deadline || number >= MOST_TRIES;
    const skipped = skipReason(run, ofFinding)?.text ?? (isOver ? TIME_IS_OVER : undefined);
    const place = at.place + number;
    const tried = skipped === undefined ? await way.attempt({ ...at, case: ofFinding, place }) : undefined;
    if (tried) number += 1;
    if (tried && tried.shown !== undefined) {
      made += 1;
      return tried;
    }
    reason ??= tried && performance.now() <= deadline ? tried.reason : (skipped ?? TIME_IS_OVER);
    return undefined;
  }

  const [first] = root;
  let best: Count = { one: first, wholeCase: false, shown: 0, tries: 0, steps: undefined };
  // The shortest valid one first: one finding may be shown with fewer requests than another.
  const effortOf = ({ one: { finding, reproductions }, way }: (typeof ways)[number]) => [
    Number(isOfInvalid(finding, reproductions[0]?.steps.map(({ request }) => request) ?? [])),
    Math.min(way.length, Number.MAX_SAFE_INTEGER),
  ];
  for (const choice of ways.toSorted((a, b) => compareEase(effortOf(a), effortOf(b)))) {
    const { one, way } = choice;
    if (best.shown > 0 && best.one !== one) continue;
    const count: Count = { one, wholeCase: way.wholeCase, shown: 0, tries: 0, steps: undefined };
    // If the first attempt fails, another way is tried.
    while (count.tries < TRIES && (count.tries === 0 || count.shown > 0)) {
      const tried = await next(choice);
      if (!tried) break;
      count.tries += 1;
      if (tried.shown) count.steps = tried.steps;
      count.shown += Number(tried.shown);
    }
    if (count.shown > best.shown) best = count;
    if (best.shown === TRIES) break;
  }
  const shortest = ways.find(({ one }) => one === first);
  while (best.shown === 0 && shortest && made > 0 && made < TRIES) {
    const tried = await next(shortest);
    if (!tried) break;
    if (tried.shown) best = { ...best, shown: 1, steps: tried.steps };
  }
  return toTried(run, root, { ...best, tries: best.tries || made }, reason);
}

function toTried(run: Run, root: RankedRoot, count: Count, reason: string | undefined): Tried {
  const { one, shown, tries, steps, wholeCase } = count;
  const needsData = one.reproductions[0]?.needsData === true;
  const mayBeOther =
    new Set(root.map(({ finding }) => finding.caseId)).size > 1 ||
    needsData ||
    root.some((ranked) => mayPass(run.plan, ranked) || isFiltered(run.plan, ranked));
  // A missing record must be missing with new records in each attempt.
  const isByOthers = root.every(({ finding }) => saysGone(finding)) && shown < tries;
  return {
    outcome: isByOthers ? 'not seen again' : outcomeOf(count, mayBeOther || reason !== undefined),
    shown,
    tries,
    caseId: one.finding.caseId,
    ...(isByOthers ? { reason: BY_OTHERS } : tries < TRIES && reason !== undefined && { reason }),
    ...(needsData && { needsData }),
    ...(wholeCase && { wholeCase }),
    shownBy: one.finding,
    steps,
  };
}

const BY_OTHERS = 'new records stay, so others may have removed what is gone';

function outcomeOf({ shown, tries }: Count, mayBeOther: boolean): Confirmation['outcome'] {
  if (tries === 0) return 'not tried';
  if (shown === tries) return 'confirmed';
  return shown > 0 || mayBeOther ? 'unsteady' : 'not seen again';
}

/** A filtered list depends on all existing records. */
function isFiltered({ contract }: Plan, { finding: { exchange } }: Ranked): boolean {
  const { operation, input } = exchange;
  const list = roleOf(contract, operation)?.resource.list ?? furtherRoleOf(contract, operation)?.further.list;
  return list?.filters.some(({ parameter }) => input.query?.[parameter.name] !== undefined) ?? false;
}

/** The finding may depend on the order or timing of requests, which no attempt repeats reliably. */
function mayPass({ settings }: Plan, { finding: { law: name, trail } }: Ranked): boolean {
  const law = [...ALL_LAWS, ...settings.laws].find((one) => one.name === name);
  const isOfMoment = trail.some(({ amongOthers }) => amongOthers);
  return !law || isOfMoment || law.about === 'sequence' || law.settles !== undefined;
}
