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
 * Random sequences of all operations of a resource, each on fresh records of its own. The model of the run's own records
 * tells what must hold after each request. The first sequence that fails is shrunk.
 *
 * The shrinker is not fast-check's: its commands are cut by position, where here all steps of a record go at once and
 * what follows the failure is cut off, so that far fewer requests are sent to a target that others use, too.
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

/** Sequences at the same time. */
const AT_ONCE = 8;

/** Where records cannot be removed: a sequence makes one, and as many more may be made to shrink it. */
const MOST_LASTING = 6;
/** Requests of a sequence, with those for what it needs. */
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

/** Plays sequences at the same time, and removes what they have made. */
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

/** Of the run's time for shrinking. */
const TIME_TO_SHRINK = 1 / 60;
const MOST_REQUESTS_TO_SHRINK = 300;

/**
 * Plays sequences again, each by itself, and shrinks the first one that fails. In whose list or read a fault shows when
 * they are played at the same time depends on the moment.
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
    const found = findings.splice(0);
    await tidyAfter(trial, trial.case.id, client, played.ids);
    // How far a sequence is shrunk depends on the time; what it has shown as a whole does not.
    const wanted = told ?? found;
    const same = found.filter(({ key }) => wanted.some((one) => one.key === key));
    if (same.length === 0 || same.length < wanted.length) return undefined;
    told = same;
    return played.steps;
  }

  for (const steps of chosen) if (await shrink(steps, attempt)) break;
  // Where none fails by itself, no script reproduces it.
  findings.push(...(told ?? broken.slice(0, 1)));
}

/** The steps whose requests were sent, up to the first one that breaks a law, and the ids of the records that they made. */
interface Played {
  readonly steps: readonly Step[];
  readonly ids: ReadonlySet<unknown>;
}

interface PlayedRecord {
  readonly id: unknown;
  removed: boolean;
}

/** The records of one sequence, by the numbers that its steps have for them. */
type Records = Map<number, PlayedRecord>;

/** `left out`: the target did not make its record. `ends here`: there is no room for more, or nobody knows what became of it. */
type Outcome = 'sent' | 'left out' | 'ends here';

/** Plays steps from nothing, as far as there is room for records. */
export async function play(trial: Trial, resource: Resource, steps: readonly Step[]): Promise<Played> {
  trial.trail.restart();
  const records: Records = new Map();
  const played: Step[] = [];
  const before = trial.findings.length;
  const { create } = resource.actions;
  // A list that comes first is looked at where the records will be made.
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
  // Which changes a record allows in which state, the document does not say.
  const expected = isPromised && { expected: { status: success, or4xx: true } };
  try {
    if (action === 'read') await trial.send(operation, input);
    // That it is gone may reach a replica later.
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

/** The longest list, one by a filter, or one of a page size that nobody has named. */
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
