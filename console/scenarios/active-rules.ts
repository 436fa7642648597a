import { admin } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { createValue } from '../shell/value.ts';
import type { ActiveRule } from './rule.ts';

/** The rules of the session, in the order in which they are asked; undefined until they are known. */
export const activeRules = createValue<readonly ActiveRule[] | undefined>(undefined);

/** Milliseconds: requests come faster than anyone can read. */
const PAUSE = 250;
let isWaiting = false;

export async function loadRules(): Promise<void> {
  try {
    activeRules.set((await admin<readonly ActiveRule[]>('rules')).toReversed());
  } catch {
    // The connection says what is wrong, and loads again.
  }
}

/** Loads again whenever a rule may have changed or been used; returns what ends that. */
export function followRules(): () => void {
  const soon = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      loadRules();
    }, PAUSE);
  };
  const stops = ['rule', 'rules', 'reset', 'document', 'request'].map((event) => onEvent(event, soon));
  stops.push(onOpen(loadRules));
  return () => {
    for (const stop of stops) stop();
  };
}

/** In this order, the first one that is asked first. */
export async function orderRules(ids: readonly number[]): Promise<void> {
  await admin('rules/order', { method: 'PUT', body: ids.toReversed() });
  await loadRules();
}
