import { setTimeout as sleep } from 'node:timers/promises';
import { explicitStatuses, useMeaning } from '#spec';
import { tidyAfter } from '../arrange/tidy.ts';
import { attempt } from '../cases/execute.ts';
import { readRequest } from '../laws/evidence.ts';
import { promiseOf } from '../laws/expect-status.ts';
import type { Confirmation, Finding } from '../laws/finding.ts';
import type { Breach } from '../laws/law.ts';
import { Room } from '../run/budget.ts';
import { CaseLog } from '../run/case-log.ts';
import { ask } from '../run/outgoing.ts';
import type { Plan, Run } from '../run/run.ts';
import type { Unanswered } from '../run/target-watch.ts';
import { Trial } from '../run/trial.ts';
import type { PatientClient } from '../send/patience.ts';
import type { Exchange } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { Unreachable } from '../send/wire.ts';
import { reproductionsFor, scriptOf } from './reproduction.ts';

/** The maximum number of operations that are tried again, and of the requests in flight at a crash. */
const MOST_OPERATIONS = 5;
const MOST_CANDIDATES = 8;

/** An unstable environment does not fail so often in a row. */
const FEWEST_TRIES = 4;

/** The tolerance for the order of responses on several connections, in milliseconds. */
const SLACK = 100;

/** The time that a crashed target has to restart, in milliseconds. */
const COMING_BACK = 5000;
const BETWEEN_LOOKS = 500;

/**
 * Findings from closed connections: a valid read whose connection the service always closes while it responds to others,
 * and the request at which it stopped responding. Both are tried once more here; an occasionally broken connection is no
 * finding.
 */
export async function findUnanswered(run: Run): Promise<Finding[]> {
  const all = [...run.log.unanswered];
  if (run.session.watch.isGone) return findCrash(run, all);
  if (run.session.gaveUp() !== undefined) return [];
  const valid = all.filter((one) => isValid(run.plan, one) && one.tries.closed === one.tries.sent);
  const reads = valid.filter(
    (one) => !run.plan.permissions.changes(one.operation) && !run.session.watch.hasAnswered(one.request),
  );
  const findings = closedWrites(run, valid);
  const byOperation = [...Map.groupBy(reads, ({ operation }) => operation).values()];
  for (const [one] of byOperation.slice(0, MOST_OPERATIONS))
    if (one && (await isAlwaysClosed(run, one))) findings.push(closedFinding(run, one, FEWEST_TRIES));
  return findings;
}

/** A write is not repeated: several failed over their own connections, and none succeeded. */
function closedWrites(run: Run, valid: readonly Unanswered[]): Finding[] {
  const writes = valid.filter(
    ({ operation, tries }) =>
      run.plan.permissions.changes(operation) &&
      tries.fresh > 0 &&
      !run.session.watch.hasSucceeded(operation),
  );
  return [...Map.groupBy(writes, ({ operation }) => operation).values()].flatMap((group) => {
    const [one] = group;
    return one && group.length >= FEWEST_TRIES ? closedFinding(run, one, group.length) : [];
  });
}

function closedFinding(run: Run, one: Unanswered, times: number): Finding {
  const confirmation = { outcome: 'confirmed', shown: times, tries: times, caseId: one.subject.id } as const;
  return findingOf(run, one, 'closed', 'the connection was closed without a response', confirmation);
}

function isValid(plan: Plan, one: Unanswered): boolean {
  const { operation, input } = one;
  const { refused, presented, provoked, headers = [] } = input;
  if (refused || presented || provoked || headers.length > 0) return false;
  // A server may close a WebSocket endpoint for clients that do not upgrade.
  if (explicitStatuses(operation.responses).includes(101) || useMeaning(operation).isWebSocket) return false;
  return readRequest(plan.contract, one).violations.length === 0;
}

/** Whether the connection is closed each time, while another operation gets responses before and afterwards. */
async function isAlwaysClosed(run: Run, one: Unanswered): Promise<boolean> {
  return run.session.connections.use(async (client) => {
    for (let sent = 0; sent < FEWEST_TRIES; ) {
      if (!(await run.session.watch.answers((other) => ask(run, client, other), one.operation))) return false;
      const error = await sendAgain(run, client, one);
      if (!error || error.tries.closed < error.tries.sent) return false;
      sent += error.tries.sent;
    }
    return run.session.watch.answers((other) => ask(run, client, other), one.operation);
  });
}

/** @returns the error; undefined: there was a response, or it may not be sent */
async function sendAgain(run: Run, client: PatientClient, one: Unanswered): Promise<Unreachable | undefined> {
  let broken: Unreachable | undefined;
  const subject = { ...one.subject, id: `${one.subject.id} again` };
  const trial = new Trial(run, subject, {
    place: [AGAIN],
    client,
    room: new Room(run, { left: 1, below: 1 }),
  });
  const send = async () => {
    const { reserved: _, ...input } = one.input;
    await trial.send(one.operation, input).catch((error: unknown) => {
      if (error instanceof Unreachable) broken = error;
      throw error;
    });
  };
  await attempt(trial, { ...subject, title: '', unsafe: false, run: send });
  if (!broken) await tidyAfter(run, subject.id, client);
  run.log.ledger.rename(subject.id, one.subject.id);
  return broken;
}

/** No case has this place. */
const AGAIN = Number.MAX_SAFE_INTEGER;

/** The requests in flight when the target stopped responding for good. */
async function findCrash(run: Run, all: readonly Unanswered[]): Promise<Finding[]> {
  const { at: last, saysClose } = run.session.watch.lastAnswer;
  const underWay = all
    // A server that announces to close its connections may do so just as a request arrives.
    .filter(
      ({ tries }) => last > 0 && (tries.closedAt ?? 0) > last - SLACK && (tries.fresh > 0 || !saysClose),
    )
    .sort((left, right) => numberOf(left) - numberOf(right))
    .slice(0, MOST_CANDIDATES);
  const [first] = underWay;
  if (!first) return [];
  const tried = await tryCrash(run, underWay);
  const culprit = tried.culprit ?? first;
  const others = underWay.length - 1;
  const among =
    others > 0 && !tried.culprit ? `; ${others} more ${others === 1 ? 'was' : 'were'} under way` : '';
  const received = `the connection was closed, and the target has stopped responding${among}`;
  const at = { ...tried.confirmation, caseId: culprit.subject.id };
  const finding = findingOf(run, culprit, 'crashed', received, at);
  if (tried.culprit || others === 0) return [finding];
  const steps = underWay.map((one): SentStep => ({ ...stepOf(one), amongOthers: true }));
  return [{ ...finding, steps: scriptOf(run, steps) }];
}

/** The request that was sent first is the most likely cause. */
const numberOf = (one: Unanswered) => stepOf(one).number;

const stepOf = ({ steps }: Unanswered) => steps.at(-1) as SentStep;

interface TriedCrash {
  readonly culprit?: Unanswered;
  readonly confirmation: Omit<Confirmation, 'caseId'>;
}

/** Sends each once more, if the target comes back, until it stops again. */
async function tryCrash(run: Run, underWay: readonly Unanswered[]): Promise<TriedCrash> {
  return run.session.connections.use(async (client) => {
    const isThere = () => run.session.watch.answers((other) => ask(run, client, other));
    const until = Math.min(performance.now() + COMING_BACK, run.session.pace.deadline);
    let isBack = await isThere();
    while (!isBack && performance.now() < until && !run.session.pace.isStopped()) {
      await sleep(BETWEEN_LOOKS);
      isBack = await isThere();
    }
    const reason = `the target has not come back within ${COMING_BACK / 1000} s`;
    if (!isBack) return { confirmation: { outcome: 'not tried', shown: 0, tries: 0, reason } };
    for (const [index, one] of underWay.entries()) {
      const error = await sendAgain(run, client, one);
      const isCrash = error !== undefined && error.tries.closed > 0;
      if (isCrash) return { culprit: one, confirmation: { outcome: 'confirmed', shown: 1, tries: 1 } };
      if (index < underWay.length - 1 && !(await isThere())) break;
    }
    const tries = underWay.length;
    return { confirmation: { outcome: 'not seen again', shown: 0, tries } };
  });
}

function findingOf(
  run: Run,
  { operation, input, request, subject, steps }: Unanswered,
  kind: 'closed' | 'crashed',
  received: string,
  confirmation: Confirmation,
): Finding {
  const log = new CaseLog(subject, run.plan);
  const documented = 'a response to every request';
  const breach: Breach = {
    law: 'answered',
    kind: { keyword: kind },
    received,
    documented,
    at: promiseOf(operation),
  };
  log.blame([{ law: { stage: 'status' }, breach }], { operation, input, request, response: NO_RESPONSE });
  const [finding] = log.findings as [Finding];
  const trailed = { ...finding, trail: steps };
  const reproduction = reproductionsFor(run, trailed)[0]?.steps ?? steps.slice(-1);
  return { ...trailed, steps: scriptOf(run, reproduction), confirmation };
}

const NO_RESPONSE: Exchange['response'] = {
  status: 0,
  headers: [],
  body: new Uint8Array(),
  cut: false,
  ms: 0,
  contentType: undefined,
  text: '',
  encodingProblem: undefined,
  json: { error: 'there is no response' },
};
