import { admin } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { createValue } from '../shell/value.ts';

/** A rule as the control API shows it. */
export interface ActiveRule extends RuleAnswer {
  readonly id: number;
  readonly operation?: string;
  readonly tag?: string;
  readonly match?: Readonly<Record<string, unknown>>;
  readonly times?: number;
  readonly sequence?: readonly (number | RuleAnswer | 'pass')[];
  /** How many requests it was applied to. */
  readonly used: number;
}

export interface RuleAnswer {
  readonly status?: number;
  readonly example?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: number | string;
  readonly drop?: string;
  readonly truncate?: boolean;
}

/** The rules of the session, the newest first, which is the first to be asked. */
export const activeRules = createValue<readonly ActiveRule[]>([]);

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
