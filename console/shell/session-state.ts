import type { ClockView, LatencyView, RuleView } from '../wire.ts';
import { admin } from './admin.ts';
import { onEvent, onOpen, refresh, throttle, together } from './connection.ts';
import { attempt } from './messages.ts';
import { formOf, isActive } from './rule.ts';
import { createValue } from './value.ts';

/** What changes the responses of the session, beside its records; undefined until it is loaded. */
export const sessionState = {
  latency: createValue<LatencyView | undefined>(undefined),
  clock: createValue<ClockView | undefined>(undefined),
  /** In the order of precedence. */
  rules: createValue<readonly RuleView[] | undefined>(undefined),
};
const { latency, clock, rules } = sessionState;

export function loadRules(): Promise<void> {
  return refresh(
    rules,
    admin<readonly RuleView[]>('answers').then((oldest) => oldest.toReversed()),
  );
}

/** Runs a user's change of rules, and shows the result. */
export async function changeRules(
  work: () => Promise<unknown>,
  done?: string,
  undo?: () => Promise<unknown>,
): Promise<void> {
  await attempt(work, done, undo);
  await loadRules();
}

export async function deleteRules(rules: readonly Pick<RuleView, 'id'>[]): Promise<void> {
  for (const { id } of rules) await admin(`answers/${id}`, { method: 'DELETE' });
}

/** Removes rules; the removal can be undone, in their order. */
export function removeRules(removed: readonly RuleView[], done?: string): Promise<void> {
  const undo = async () => {
    for (const rule of removed.toReversed()) await admin('answers', { method: 'POST', body: formOf(rule) });
    await loadRules();
  };
  return changeRules(() => deleteRules(removed), done, undo);
}

export async function loadSession(): Promise<void> {
  await Promise.all([
    refresh(latency, admin<LatencyView>('latency')),
    refresh(clock, admin<ClockView>('clock')),
    loadRules(),
  ]);
}

/** In milliseconds, since thousands of requests may use up rules. */
const PAUSE = 250;
const loadRulesSoon = throttle(loadRules, PAUSE);

/** Keeps the state up to date; returns a function that stops this. */
export function followSession(): () => void {
  return together(
    onOpen(loadSession),
    onEvent('latency', (data) => latency.set(JSON.parse(data) as LatencyView)),
    onEvent('clock', (data) => clock.set(JSON.parse(data) as ClockView)),
    onEvent(['reset', 'document', 'state'], loadSession),
    onEvent(['rule', 'rules'], loadRulesSoon),
    // Requests only change rules that can still apply.
    onEvent('request', () => {
      if (rules.get()?.some(isActive)) loadRulesSoon();
    }),
  );
}

/** Milliseconds between two reloads while clients keep writing. */
const LOOK_PAUSE = 700;

/** Calls at once, and soon after records may have changed; returns a function that stops this. */
export function onRecordsChanged(listener: () => void): () => void {
  let isEnded = false;
  const soon = throttle(() => {
    if (!isEnded) listener();
  }, LOOK_PAUSE);
  return together(
    () => {
      isEnded = true;
    },
    onOpen(listener),
    // A changed document removes invalid records, and seeds new collections.
    onEvent(['records', 'state', 'reset', 'document'], listener),
    onEvent('request', (data) => {
      // Skips parsing the JSON of reads, which are most requests.
      if (!/"method":"(?:GET|HEAD|OPTIONS)"/.test(data)) soon();
    }),
  );
}
