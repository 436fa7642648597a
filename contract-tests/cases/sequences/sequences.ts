import { type Operation, type Resource, randomOf } from '#spec';
import { greatestPage, onEach } from '../../arrange/lists.ts';
import { partialBody, variedBody } from '../../arrange/requests.ts';
import { pathOf, pathTo, tryCreate } from '../../arrange/target.ts';
import { tidyAfter } from '../../arrange/tidy.ts';
import type { Finding } from '../../laws/finding.ts';
import { parentsOf, successStatuses } from '../../laws/operation-role.ts';
import { NoRoom } from '../../run/not-reached.ts';
import type { Trial } from '../../run/trial.ts';
import { NO_CREDENTIAL } from '../../send/credentials.ts';
import type { RequestInput } from '../../send/plan-request.ts';
import { isSuccess } from '../../send/response.ts';
import { FateUnknown } from '../../send/wire.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Family, makeCase } from '../case.ts';
import { FILTERED, MOST_RECORDS, plainSteps, randomSteps, type Step, shrink } from './steps.ts';

/**
 * Random sequences of all operations of a resource, each on new records. The model of the run's records predicts the state
 * after each request. The first failing sequence is shrunk.
 * The shrinker is not fast-check's: that one removes commands by position. This one removes all steps of a record at once
 * and those after the failure, so that a shared target receives far fewer requests.
 */
export const sequences: Family = (contract, settings) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const { resource, operation } = on;
    const { read, list, remove } = resource.actions;
    const number = sequencesFor(resource, settings);
    if (!operation.body || number === 0 || !(read || list)) return [];
    const title = 'random sequences of all operations leave what they promise';
    const creates = remove ? AT_ONCE * MOST_RECORDS : 2 * number;
    const requests = MOST_REQUESTS_TO_SHRINK + number * REQUESTS_OF_ONE;
    const drive = (trial: Trial) => playMany(trial, resource, number);
    return [makeCase(on, 'sequences', title, drive, { creates, elastic: true, requests })];
  });

/** The number of concurrent sequences. */
const AT_ONCE = 8;

/** For records that cannot be removed: a sequence creates one, and shrinking as many more. */
const MOST_LASTING = 6;
/** The requests of a sequence, including those for what it needs. */
const REQUESTS_OF_ONE = 30;

function sequencesFor({ actions }: Resource, { examples }: Settings): number {
  return actions.remove ? examples : Math.min(examples, MOST_LASTING);
}

async function playMany(trial: Trial, resource: Resource, number: number): Promise<void> {
  const { settings } = trial.plan;
  const seen = new Set<string>();
  const random = (index: number) => randomOf(`${settings.seed} ${resource.path} ${index}`);
  const plain = plainSteps(random(-1), resource).slice(0, number);
  const all = [
    ...plain,
    ...Array.from({ length: number - plain.length }, (_, index) =>
      randomSteps(random(index), resource, seen),
    ),
  ];
  for (let first = 0; first < number; first += AT_ONCE) {
    const chosen = all.slice(first, first + AT_ONCE);
    const findings = await playAtOnce(trial, resource, chosen);
    if (findings.length > 0) return report(trial, resource, chosen, findings);
  }
}

/** Plays sequences concurrently, and removes their records. */
async function playAtOnce(
  trial: Trial,
  resource: Resource,
  chosen: readonly (readonly Step[])[],
): Promise<Finding[]> {
  const findings = new Map<number, Finding[]>();
  await trial.together(
    chosen.map((steps, index) => async (part) => {
      const { ids } = await play(part, resource, steps);
      findings.set(index, part.findings.splice(0));
      await tidyAfter(part, part.case.id, part.client, ids);
    }),
    resource.actions.remove ? MOST_RECORDS : 1,
  );
  return chosen.flatMap((_, index) => findings.get(index)?.slice(0, 1) ?? []);
}

/** The share of the run's time for shrinking. */
const TIME_TO_SHRINK = 1 / 60;
const MOST_REQUESTS_TO_SHRINK = 300;

/**
 * Plays sequences again, one at a time, and shrinks the first one that fails. With concurrent sequences it depends on
 * timing in whose list or read a fault appears.
 */
async function report(
  trial: Trial,
  resource: Resource,
  chosen: readonly (readonly Step[])[],
  broken: readonly Finding[],
): Promise<void> {
  const { findings, client } = trial;
  const deadline = performance.now() + trial.plan.settings.maxTime * 1000 * TIME_TO_SHRINK;
  let left = MOST_REQUESTS_TO_SHRINK;
  let mayMake = resource.actions.remove ? Number.POSITIVE_INFINITY : MOST_LASTING;
  let told: readonly Finding[] | undefined;

  async function attempt(steps: readonly Step[]): Promise<readonly Step[] | undefined> {
    const isOver = performance.now() > deadline || left <= 0;
    if ((told && isOver) || mayMake <= 0) return undefined;
    const played = await client.alone(() => play(trial, resource, steps));
    left -= played.steps.length;
    mayMake -= played.ids.size;
    const batch = findings.splice(0);
    await tidyAfter(trial, trial.case.id, client, played.ids);
    // How far a sequence is shrunk depends on the time; the findings of the whole sequence do not.
    const wanted = told ?? batch;
    const same = batch.filter(({ key }) => wanted.some((finding) => finding.key === key));
    if (same.length === 0 || same.length < wanted.length) return undefined;
    told = same;
    return played.steps;
  }

  for (const steps of chosen) if (await shrink(steps, attempt)) break;
  // If none fails on its own, no script reproduces the finding.
  findings.push(...(told ?? broken.slice(0, 1)));
}

/** The steps that were sent, up to the first one that breaks a rule, and the ids of the created records. */
interface Played {
  readonly steps: readonly Step[];
  readonly ids: ReadonlySet<unknown>;
}

interface PlayedRecord {
  readonly id: unknown;
  removed: boolean;
}

/** The records of a sequence, by their number in its steps. */
type Records = Map<number, PlayedRecord>;

/** `left out`: the target did not create the record. `ends here`: the budget is exhausted, or the outcome is unknown. */
type Outcome = 'sent' | 'left out' | 'ends here';

/** Plays steps from scratch, as far as the budget allows. */
export async function play(trial: Trial, resource: Resource, steps: readonly Step[]): Promise<Played> {
  trial.trail.restart();
  const records: Records = new Map();
  const played: Step[] = [];
  const before = trial.findings.length;
  const { create } = resource.actions;
  // A list before the first create must use the same parents.
  if (create) await pathOf(trial, create);
  for (const step of steps) {
    const outcome = await playStep(trial, resource, step, records);
    if (outcome === 'ends here') break;
    if (outcome === 'sent') played.push(step);
    if (trial.findings.length > before) break;
  }
  return { steps: played, ids: new Set([...records.values()].map(({ id }) => id)) };
}

async function playStep(trial: Trial, resource: Resource, step: Step, records: Records): Promise<Outcome> {
  const operation = resource.actions[step.action];
  const record = records.get(step.record);
  if (!operation) return 'left out';
  if (step.action === 'create') return playCreate(trial, resource, operation, step, records);
  if (step.action !== 'list')
    return record ? playOnRecord(trial, resource, operation, step, record) : 'left out';
  const path = await pathOf(trial, operation);
  await trial.send(operation, { path, query: listQuery(resource, step), ...howSent(step) });
  return 'sent';
}

async function playCreate(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  step: Step,
  records: Records,
): Promise<Outcome> {
  const body = await variedBody(trial, operation, step.salt);
  if (step.how !== 'ordinary') {
    await trial.send(operation, { path: await pathOf(trial, operation), body, ...howSent(step) });
    return 'sent';
  }
  try {
    const { id } = await tryCreate(trial, resource, { change: () => body, expect: 'success' });
    if (id !== undefined) records.set(step.record, { id, removed: false });
    return 'sent';
  } catch (error) {
    if (error instanceof NoRoom) return 'ends here';
    throw error;
  }
}

async function playOnRecord(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  step: Step,
  record: PlayedRecord,
): Promise<Outcome> {
  const { action, how, salt } = step;
  const path = await pathTo(trial, resource, operation, record.id);
  const body = action === 'update' ? partialBody : variedBody;
  const input: RequestInput = {
    path,
    ...(operation.body && { body: await body(trial, operation, salt) }),
    ...howSent(step),
  };
  const [success, ...more] = successStatuses(operation);
  const isPromised = how === 'ordinary' && success !== undefined && more.length === 0;
  // The document does not state which changes a record allows in which state.
  const expected = isPromised && { expected: { status: success, or4xx: true } };
  try {
    if (action === 'read') await trial.send(operation, input);
    // The removal may reach a replica later.
    else if (record.removed) await trial.settle(() => trial.send(operation, input));
    else {
      const { response } = await trial.send(operation, { ...input, ...expected });
      if (action === 'remove' && isSuccess(response)) record.removed = true;
    }
    return 'sent';
  } catch (error) {
    if (action === 'read' || !(error instanceof FateUnknown)) throw error;
    trial.session.model.forget(resource, record.id, parentsOf(resource, path));
    return 'ends here';
  }
}

function howSent({ how }: Step): Pick<RequestInput, 'rawBody' | 'refused'> {
  if (how === 'ordinary') return {};
  return how === 'invalid' ? { rawBody: '[]' } : { refused: NO_CREDENTIAL };
}

/** The query of a list: the greatest page, also with a filter, or none. */
function listQuery({ list }: Resource, { salt }: Step) {
  if (!list || salt === 1) return {};
  const filter = list.filters.find(({ parameter }) => parameter.shape.values);
  const value =
    salt >= FILTERED
      ? filter?.parameter.shape.values?.[salt % filter.parameter.shape.values.length]
      : undefined;
  return {
    ...greatestPage(list),
    ...(filter && value !== undefined && { [filter.parameter.name]: value }),
  };
}
