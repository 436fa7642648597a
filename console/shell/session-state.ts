import { admin } from './admin.ts';
import { onEvent, onOpen } from './connection.ts';
import { createValue } from './value.ts';

/** What of the session changes responses, beside its records. */
export interface SessionState {
  /** Milliseconds, or a range such as `50-150`. */
  readonly latency: number | string;
  /** RFC 3339, UTC; undefined: real time. */
  readonly now: string | undefined;
  /** How many rules can still apply to a request. */
  readonly rules: number;
}

/** Undefined until it is known. */
export const sessionState = createValue<SessionState | undefined>(undefined);

/** Milliseconds: requests, which use rules up, come by the thousand. */
const PAUSE = 400;
let isWaiting = false;

function loadSoon(): void {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    load();
  }, PAUSE);
}

interface Rule {
  readonly times?: number;
  readonly used: number;
  /** Absent: it is on. */
  readonly enabled?: boolean;
}

async function load(): Promise<void> {
  try {
    const [{ latency }, { now, given }, rules] = await Promise.all([
      admin<{ latency: number | string }>('latency'),
      admin<{ now: string; given: boolean }>('clock'),
      admin<readonly Rule[]>('rules'),
    ]);
    const active = rules.filter(
      ({ times = Number.POSITIVE_INFINITY, used, enabled = true }) => enabled && used < times,
    );
    sessionState.set({ latency, now: given ? now : undefined, rules: active.length });
  } catch {
    // The connection says what is wrong, and loads again.
  }
}

/** Keeps the state up to date for as long as the page is open. */
export function followSession(): void {
  onOpen(load);
  for (const event of ['latency', 'clock', 'rule', 'rules', 'reset', 'document']) onEvent(event, load);
  // Only a rule that can be used up changes with a request.
  onEvent('request', () => {
    if (sessionState.get()?.rules) loadSoon();
  });
}
