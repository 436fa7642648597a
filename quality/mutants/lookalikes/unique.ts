import { setTimeout as sleep } from 'node:timers/promises';
import { allOf, keyed, reserving } from '../faults/unique.ts';
import { action, mockOf, respondTo } from '../mock-faults.ts';
import { lookalikes } from '../suspect.ts';

// Services that keep values apart, each in a way of its own.

const lower = (value: unknown) => String(value).toLowerCase();

/** Two e-mail addresses that differ in their case alone are one. */
const anyCase = action('create', (act, { collection }) => async (task) => {
  const { email } = task.values.body as { email?: unknown };
  const records = email === undefined ? [] : await allOf(task.store, collection);
  return records.some((record) => lower(record.email) === lower(email))
    ? { refuse: 'conflict', message: 'taken' }
    : act(task);
});

/** Creates come one after the other. */
const inTurn = action('create', (act) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = last.then(() => sleep(5)).then(() => act(task));
    last = turn.catch(() => undefined);
    return turn;
  };
});

const TAKEN = JSON.stringify({ error: 'taken' });

export const uniqueLookalikes = lookalikes('festival', mockOf('festival.yaml', { count: 5 }), [
  ['as-it-is', 'a festival that keeps its document', {}],
  ['any-case', 'e-mail addresses are compared without their case', anyCase],
  ['venues-stay', 'the name of a removed venue is not given again', reserving('/venues', 'name')],
  [
    'emails-stay',
    'the e-mail address of a removed artist is not given again',
    reserving('/artists', 'email'),
  ],
  ['passes-alike', 'two passes may have one code', keyed('/passes')],
  ['in-turn', 'creates come one after the other', inTurn],
  ['plain-409', 'a conflict is answered in few words', respondTo('conflict', 409, 'application/json', TAKEN)],
]);
