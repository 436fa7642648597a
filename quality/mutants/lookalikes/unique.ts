import { allOf, keyed, reserving, TAKEN } from '../faults/unique.ts';
import { action, mockOf, respondTo } from '../mock-faults.ts';
import { lookalikes } from '../suspect.ts';
import { inTurn } from './concurrency.ts';

const lower = (value: unknown) => String(value).toLowerCase();

/** Two e-mail addresses that differ in their case alone are one. */
const anyCase = action('create', (act, { collection }) => async (task) => {
  const { email } = task.values.body as { email?: unknown };
  const records = email === undefined ? [] : await allOf(task.store, collection);
  return records.some((record) => lower(record.email) === lower(email)) ? TAKEN : act(task);
});

const inFewWords = respondTo('conflict', 409, 'application/json', '{"error":"taken"}');

/** Services that keep values apart, each in a way of its own. */
export const uniqueLookalikes = lookalikes('festival', mockOf('festival.yaml', { count: 5 }), [
  ['any-case', 'e-mail addresses are compared without their case', anyCase],
  ['venues-stay', 'the name of a removed venue is not given again', reserving('/venues', 'name')],
  ['emails-stay', 'the e-mail address of a removed artist is taken', reserving('/artists', 'email')],
  ['passes-alike', 'two passes may have one code', keyed('/passes')],
  ['in-turn', 'creates come one after the other', inTurn],
  ['plain-409', 'a conflict is answered in few words', inFewWords],
]);
