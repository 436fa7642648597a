import { explicitStatuses, type Random, type Resource } from '#spec';
import { needsKey } from '../send/credentials.ts';

/** One request of a sequence. It names a record of the sequence by the number of the step that creates it. */
export interface Step {
  readonly action: 'create' | 'list' | 'read' | 'replace' | 'update' | 'remove';
  /** Of a create the number that it gives to its record. */
  readonly record: number;
  readonly how: 'ordinary' | 'invalid' | 'unauthorised';
  /** Chooses among members, values and queries; 0 is the plainest choice. */
  readonly salt: number;
}

const LONGEST = 9;
const MOST_RECORDS = 3;
const MOST_SALT = 5;

/** How often each action comes, relative to the others. */
const WEIGHTS = { create: 3, list: 2, read: 3, replace: 3, update: 3, remove: 2 } as const;

/**
 * A random sequence of all operations of a resource, and a look at all that it leaves. It stays with one record for a
 * while more often than not: much goes wrong only at the second or third change of a record.
 */
export function randomSteps(random: Random, resource: Resource): Step[] {
  const actions = availableActions(resource);
  const weighted = actions.flatMap((action) => Array.from({ length: WEIGHTS[action] }, () => action));
  const steps: Step[] = [{ action: 'create', record: 0, how: 'ordinary', salt: salt(random) }];
  const removed = new Set<number>();
  let records = 1;
  let current = 0;
  const length = random.integer(3, LONGEST);
  while (steps.length < length) {
    const action = random.pick(weighted);
    const how = howOf(random, resource, action);
    if (action === 'create') {
      if (how === 'ordinary' && records >= MOST_RECORDS) continue;
      steps.push({ action, record: how === 'ordinary' ? records : -1, how, salt: salt(random) });
      if (how === 'ordinary') current = records++;
      continue;
    }
    if (random.next() < 0.3) current = random.integer(0, records - 1);
    if (removed.has(current) && !mayFollowRemoval(resource, action, how)) continue;
    steps.push({ action, record: action === 'list' ? -1 : current, how, salt: salt(random) });
    if (action === 'remove' && how === 'ordinary') removed.add(current);
  }
  return [...steps, ...lookAtAll(records, actions)];
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

const NOT_FOUND = 404;
const CREATED = 201;

/** What a change of a removed record does is promised only where the document has a 404, and PUT makes no record. */
function mayFollowRemoval({ actions }: Resource, action: Step['action'], how: Step['how']): boolean {
  if (action === 'list' || action === 'read') return true;
  const statuses = explicitStatuses(actions[action]?.responses ?? []);
  return how === 'ordinary' && statuses.includes(NOT_FOUND) && !statuses.includes(CREATED);
}

function salt(random: Random): number {
  return random.integer(0, MOST_SALT);
}

function lookAtAll(records: number, actions: readonly Step['action'][]): Step[] {
  const reads = Array.from({ length: records }, (_, record) => ({ action: 'read' as const, record }));
  const list = { action: 'list' as const, record: -1 };
  return [...reads, list]
    .filter(({ action }) => actions.includes(action))
    .map((step) => ({ ...step, how: 'ordinary', salt: 0 }));
}
