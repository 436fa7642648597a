import { explicitStatuses, type Random, type Resource } from '#spec';
import { needsKey } from '../../send/credentials.ts';
import { CREATED, NOT_FOUND } from '../../send/wire.ts';

/** A request of a sequence. It names a record by its number in the sequence. */
export interface Step {
  readonly action: 'create' | 'list' | 'read' | 'replace' | 'update' | 'remove';
  /** For a create, the number of the new record. */
  readonly record: number;
  readonly how: 'ordinary' | 'invalid' | 'unauthorised';
  /** Selects members, values and queries; 0 is the plainest choice. */
  readonly salt: number;
}

const LONGEST = 8;
/** The maximum number of records in a sequence. */
export const MOST_RECORDS = 3;
const MOST_SALT = 5;
/** From this salt on, a list is filtered. */
export const FILTERED = 3;

/** The relative frequency of each action. */
const WEIGHTS = { create: 3, list: 2, read: 3, replace: 4, update: 4, remove: 2 } as const;

/** The number of redraws for a step that follows its predecessors as in an earlier sequence. */
const DRAWS = 6;

/** The share of sequences that favour one action. */
const PERSISTENT = 0.4;
const FAVOURED = 6;

/**
 * A random sequence of all operations of a resource, and reads of all that it leaves. It mostly stays with one record for
 * a while: many faults need the second or third change of a record.
 * @param seen the combinations of consecutive steps so far; new ones are preferred, and added
 */
export function randomSteps(random: Random, resource: Resource, seen: Set<string>): Step[] {
  const actions = availableActions(resource);
  const favourite = random.next() < PERSISTENT ? random.pick(actions) : undefined;
  const weighted = actions.flatMap((action) =>
    Array.from({ length: WEIGHTS[action] * (action === favourite ? FAVOURED : 1) }, () => action),
  );
  const steps: Step[] = [{ action: 'create', record: 0, how: 'ordinary', salt: salt(random) }];
  const removed = new Set<number>();
  // Records that cannot be removed are not created in quantity.
  const most = resource.actions.remove && !favourite ? random.integer(1, MOST_RECORDS) : 1;
  let records = 1;
  let current = 0;

  function draw(): Step {
    for (;;) {
      const action = random.pick(weighted);
      if (action === 'create') {
        const how = records < most ? howOf(random, resource, action) : refusal(random, resource);
        return { action, record: how === 'ordinary' ? records : -1, how, salt: salt(random) };
      }
      const how = howOf(random, resource, action);
      const record = random.next() < 0.3 ? random.integer(0, records - 1) : current;
      if (action === 'list') return { action, record: -1, how, salt: salt(random) };
      // Little is promised of removed records.
      const isPointless = action !== 'read' && random.next() < 0.7;
      if (!removed.has(record) || (mayFollowRemoval(resource, action, how) && !isPointless))
        return { action, record, how, salt: salt(random) };
    }
  }

  for (const length = random.integer(3, LONGEST); steps.length < length; ) {
    let step = draw();
    for (let draws = 1; !favourite && draws < DRAWS && seen.has(contextOf(steps, step)); draws++)
      step = draw();
    seen.add(contextOf(steps, step));
    steps.push(step);
    if (step.record >= 0) current = step.record;
    if (step.how !== 'ordinary') continue;
    if (step.action === 'create') records += 1;
    if (step.action === 'remove') removed.add(step.record);
  }
  return [...steps, ...lookAtAll(random, resource, records)];
}

/** The fixed part of every run: two records, one changed three times, the other changed twice and removed. */
export function plainSteps(random: Random, resource: Resource): Step[][] {
  const available = availableActions(resource);
  const changes = (['replace', 'update'] as const).filter((action) => available.includes(action));
  if (changes.length === 0) return [];
  const step = (action: Step['action'], salt = 0): Step => ({ action, record: 0, how: 'ordinary', salt });
  const changed = (times: number) =>
    Array.from({ length: times }, (_, index) => step(changes[index % changes.length] ?? 'replace', index));
  const removal = available.includes('remove') ? [step('remove')] : [];
  return [changed(3), ...(removal.length > 0 ? [[...changed(2), ...removal]] : [])].map((life) => [
    step('create'),
    ...life,
    ...lookAtAll(random, resource, 1),
  ]);
}

/** A step with the two before it, and whether they concern the same record. */
function contextOf(steps: readonly Step[], step: Step): string {
  const tell = (one: Step) => `${one.action} ${one.how} ${one.record === step.record}`;
  return [...steps.slice(-2), step].map(tell).join();
}

function availableActions({ actions, list, id }: Resource): Step['action'][] {
  const onOne = id?.parameter === undefined ? [] : (['read', 'replace', 'update', 'remove'] as const);
  const all = ['create', ...(list ? (['list'] as const) : []), ...onOne] as const;
  return all.filter((action) => actions[action]);
}

function howOf(random: Random, { actions }: Resource, action: Step['action']): Step['how'] {
  const operation = actions[action];
  const chance = random.next();
  if (operation?.body && chance < 0.1) return 'invalid';
  return operation && needsKey(operation) && chance > 0.93 ? 'unauthorised' : 'ordinary';
}

function refusal(random: Random, { actions }: Resource): Step['how'] {
  const isOpen = !actions.create || !needsKey(actions.create);
  return isOpen ? 'invalid' : random.pick(['invalid', 'unauthorised']);
}

/** Whether an action may follow the removal: it is promised only with a documented 404, and if PUT does not create. */
function mayFollowRemoval({ actions }: Resource, action: Step['action'], how: Step['how']): boolean {
  if (action === 'read') return true;
  const statuses = explicitStatuses(actions[action]?.responses ?? []);
  return how === 'ordinary' && statuses.includes(NOT_FOUND) && !statuses.includes(CREATED);
}

function salt(random: Random): number {
  return random.integer(0, MOST_SALT);
}

/** Reads of each record, the longest list and, if there is an enumerated filter, a list by one of its values. */
function lookAtAll(random: Random, resource: Resource, records: number): Step[] {
  const actions = availableActions(resource);
  const reads = Array.from({ length: records }, (_, record) => ({
    action: 'read' as const,
    record,
    salt: 0,
  }));
  const list = { action: 'list' as const, record: -1, salt: 0 };
  const isFiltered = resource.list?.filters.some(({ parameter }) => parameter.shape.values);
  const filtered = isFiltered ? [{ ...list, salt: random.integer(FILTERED, MOST_SALT) }] : [];
  return [...reads, list, ...filtered]
    .filter(({ action }) => actions.includes(action))
    .map((step) => ({ ...step, how: 'ordinary' }));
}

/**
 * Shrinks a sequence while it still fails: without the steps of a record, without single steps, and with plainer steps.
 * Only a failure in the last step is tried again: later steps are dropped.
 * @param attempt plays steps from scratch; it returns the failing ones up to the failure, or undefined if they do not fail
 * @returns the smallest failing sequence, or undefined if the sequence does not fail again
 */
export async function shrink(
  failing: readonly Step[],
  attempt: (steps: readonly Step[]) => Promise<readonly Step[] | undefined>,
): Promise<readonly Step[] | undefined> {
  let smallest = await attempt(failing);
  if (!smallest) return undefined;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of candidates(smallest)) {
      const failed = await attempt(candidate);
      if (!failed) continue;
      smallest = failed;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** The greatest savings first; the failing step stays. */
function* candidates(steps: readonly Step[]): Generator<readonly Step[]> {
  const failing = steps.at(-1);
  const records = new Set(steps.filter(({ record }) => record >= 0).map(({ record }) => record));
  for (const record of records)
    if (record !== failing?.record) yield steps.filter((step) => step.record !== record);
  for (const [index, step] of steps.entries())
    if (step !== failing && !makesRecord(step)) yield steps.toSpliced(index, 1);
  for (const [index, step] of steps.entries())
    if (step.salt > 0) yield steps.with(index, { ...step, salt: 0 });
}

function makesRecord({ action, how }: Step): boolean {
  return action === 'create' && how === 'ordinary';
}
