import type {
  ObservedFinding,
  Observer,
  PendingExchange,
  ReportedFinding,
  WireResponse,
} from '#contract-tests';
import type { Counts } from '../counts.ts';
import type { Replacement, Witness } from '../pair/context.ts';
import type { RequestHead } from '../wire/request-head.ts';
import { type Recorder, Recording, type Unjudged } from './recording.ts';
import { lineOf, problemOf } from './told-finding.ts';

/** An exchange that has ended. */
export interface Judged {
  readonly recording: Recording;
  /** The operation of the document; undefined: it has none. */
  readonly operation: string | undefined;
  readonly findings: readonly ObservedFinding[];
}

export interface JudgingOptions {
  readonly observer: Observer;
  /** Where the target is: requests are judged as they are sent to it. */
  readonly origin: string;
  readonly counts: Counts;
  /** Answer in place of a broken response. */
  readonly enforce: boolean;
  /** Name findings in the header of the response. */
  readonly annotate: boolean;
  readonly onJudged: (judged: Judged) => void;
  /** A finding that was not there before. */
  readonly onFinding: (finding: ReportedFinding) => void;
  readonly onBug: (error: unknown) => void;
}

export interface Judging {
  witness(head: RequestHead): Witness;
  /** Judges what is still waiting. */
  finish(): void;
}

/** Bytes that wait to be judged, in all. */
const MOST_KEPT = 256 * 2 ** 20;
/** Exchanges that wait to be judged. */
const MOST_WAITING = 5000;
/** Milliseconds that are spent on judging before traffic is looked at again. */
const TURN = 4;

/** Judges exchanges after they have passed, in the order in which they began and ended. */
export function createJudging(options: JudgingOptions): Judging {
  const { observer, origin, counts, enforce, annotate, onJudged, onFinding, onBug } = options;
  const holds = enforce || annotate;
  const pending = new WeakMap<Recording, PendingExchange>();
  const results = new WeakMap<Recording, readonly ObservedFinding[]>();
  /** Each recording twice: when it began, and when it ended. */
  let queue: { readonly recording: Recording; readonly ends: boolean }[] = [];
  let next = 0;
  let kept = 0;
  let isScheduled = false;
  let told = 0;
  let ended = 0;
  let isNewThere = false;

  function enqueue(recording: Recording, ends: boolean): void {
    if (holds) {
      step(recording, ends);
      tellNew();
      return;
    }
    queue.push({ recording, ends });
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(work);
  }

  function work(): void {
    const until = performance.now() + TURN;
    while (next < queue.length) {
      const { recording, ends } = queue[next++] as (typeof queue)[number];
      step(recording, ends);
      if (performance.now() > until) break;
    }
    tellNew();
    isScheduled = next < queue.length;
    if (isScheduled) setImmediate(work);
    if (isScheduled && next < MOST_WAITING) return;
    queue = queue.slice(next);
    next = 0;
  }

  /** That an exchange cannot be judged must not end the traffic of others. */
  function step(recording: Recording, ends: boolean): void {
    try {
      if (ends) end(recording);
      else begin(recording);
    } catch (error) {
      onBug(error);
    }
  }

  function begin(recording: Recording): void {
    const { head, startedAt, requestBody, unjudged } = recording;
    const url = new URL(head.target === '*' ? '/*' : origin + head.target);
    const observed = observer.begin({
      method: head.method,
      url,
      headers: head.fields.map(({ name, value }) => [name, value] as const),
      body: unjudged === undefined ? requestBody : undefined,
      bodyMissing: unjudged !== undefined && head.length !== 0,
      startedAt,
    });
    pending.set(recording, observed);
  }

  function end(recording: Recording): void {
    ended += 1;
    const observed = pending.get(recording);
    const { unjudged, kept: bytes } = recording;
    const response = unjudged === undefined || unjudged === 'tooLong' ? responseOf(recording) : undefined;
    const findings = observed?.end(response) ?? [];
    kept -= bytes;
    count(unjudged, observed);
    if (findings.some(({ times }) => times === 1)) isNewThere = true;
    if (holds) results.set(recording, findings);
    onJudged({ recording, operation: observed?.operation?.id, findings });
    recording.forget();
  }

  function count(unjudged: Unjudged | undefined, observed: PendingExchange | undefined): void {
    if (unjudged === 'tooLong' || unjudged === 'overtaken') counts[unjudged] += 1;
    else if (unjudged === undefined) counts[observed?.operation ? 'judged' : 'unknown'] += 1;
  }

  /** Of what was seen before the service had shown itself, the observer tells later. */
  function tellNew(): void {
    if (ended > UNPROVEN && !isNewThere) return;
    isNewThere = false;
    const all = observer.findings;
    for (const finding of all.slice(told)) onFinding(finding);
    told = all.length;
  }

  const recorder: Recorder = {
    keep(bytes) {
      if (kept + bytes > MOST_KEPT) return false;
      kept += bytes;
      return true;
    },
    began(recording) {
      if (queue.length - next > 2 * MOST_WAITING) recording.leave('overtaken');
      enqueue(recording, false);
    },
    ended: (recording) => enqueue(recording, true),
    replacement(recording) {
      const findings = results.get(recording) ?? [];
      if (findings.length === 0) return undefined;
      const lines = annotate ? findings.slice(0, MOST_LINES).map(lineOf) : [];
      return enforce ? { ...problemOf(findings), lines } : ({ lines } satisfies Replacement);
    },
  };

  return {
    witness: (head) => new Recording(head, recorder),
    finish() {
      for (const { recording, ends } of queue.splice(next)) step(recording, ends);
      tellNew();
    },
  };
}

/** Findings that a header names. */
const MOST_LINES = 8;
/** Exchanges after which a service has shown itself, or is none. */
const UNPROVEN = 1000;

function responseOf({ response, responseBody, unjudged, ms }: Recording): WireResponse | undefined {
  if (!response) return undefined;
  const headers = response.fields.map(({ name, value }) => [name, value] as const);
  return { status: response.status, headers, body: responseBody, cut: unjudged === 'tooLong', ms };
}
