import { LAWS, type ReportedFinding, type WireResponse } from '#contract-tests';
import type { Fields } from '#forwarder';
import type { ObservedFinding, ObservedRequest, Observer, PendingExchange, RequestFault } from '#observe';
import { SAFE_METHODS } from '#spec';
import { type OwnResponse, problemResponse } from '../answer.ts';
import type { RequestHead } from '../message.ts';
import type { Counts, Replacement, Witness } from '../way.ts';
import { type Recorder, Recording } from './recording.ts';
import { Repeats } from './repeats.ts';

export interface JudgingOptions {
  readonly observer: Observer;
  readonly counts: Counts;
  /** Milliseconds for which a replica may lag behind a change. */
  readonly settle: number;
  /** Whether to replace invalid responses. */
  readonly enforce: boolean;
  /** Whether to name findings in a response header. */
  readonly annotate: boolean;
  /** Decides for each exchange in turn whether it is judged. */
  readonly isSampled: () => boolean;
  /** Called when a request has begun; its bodies are kept, judged or not. Undefined: only judged bodies are kept. */
  readonly onBegun: ((recording: Recording) => void) | undefined;
  /** Called when an exchange has ended. */
  readonly onJudged: (recording: Recording) => void;
  /** Called for a request that violates the document. */
  readonly onInvalid: (head: RequestHead, fault: RequestFault) => void;
  /** Called for a new finding. */
  readonly onFinding: (finding: ReportedFinding) => void;
  readonly onBug: (error: unknown) => void;
}

export interface Judging {
  /** @param origin where the request is sent: it is judged as one to it */
  witness(origin: string): (head: RequestHead) => Witness;
  /** Records a request that was not forwarded, with its response. */
  refused(origin: string, head: RequestHead, response: OwnResponse, fault: RequestFault): void;
  /** Judges everything that is waiting. */
  finish(): void;
}

/** The maximum number of bytes that wait to be judged. */
const MOST_KEPT = 256 * 2 ** 20;
/** The maximum number of exchanges that wait to be judged. */
const MOST_WAITING = 5000;
/** Milliseconds of judging before yielding to traffic. */
const TURN = 4;

/** Judges exchanges after they have passed, in the order in which they began and ended. */
export function createJudging(options: JudgingOptions): Judging {
  const { observer, counts, settle, enforce, annotate } = options;
  const { isSampled, onBegun, onJudged, onInvalid, onFinding, onBug } = options;
  const holds = enforce || annotate;
  const repeats = new Repeats();
  /** Safe requests that may be repetitions. */
  const deferred = new Set<Recording>();
  /** Unsafe requests without a response. */
  const underWay = new Set<Recording>();
  let changedAt = Number.NEGATIVE_INFINITY;
  /** Each recording twice: when it began, and when it ended. */
  let queue: { readonly recording: Recording; readonly ends: boolean }[] = [];
  let next = 0;
  let kept = 0;
  let isScheduled = false;
  let reported = 0;
  let ended = 0;
  let isNewThere = false;
  let latestFault: { readonly key: string; readonly invalid: Recording['invalid'] } = {
    key: '',
    invalid: undefined,
  };

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

  /** An exchange that cannot be judged must not affect other traffic. */
  function step(recording: Recording, ends: boolean): void {
    try {
      if (ends) end(recording);
      else begin(recording);
    } catch (error) {
      onBug(error);
    }
  }

  function begin(recording: Recording): void {
    const isSafe = SAFE_METHODS.has(recording.head.method);
    if (isSafe && recording.isSampled && isQuiet() && repeats.mayRepeat(recording.head)) {
      // Until something changes, it does not matter when it begins.
      deferred.add(recording);
      return;
    }
    if (!isSafe) {
      for (const one of deferred) observe(one);
      deferred.clear();
      underWay.add(recording);
      changed();
    }
    observe(recording);
  }

  /** Whether nothing changes, and no replica lags behind a change. */
  function isQuiet(): boolean {
    return underWay.size === 0 && performance.now() - changedAt > settle;
  }

  function changed(): void {
    changedAt = performance.now();
    repeats.forget();
  }

  function observe(recording: Recording): PendingExchange {
    const observed = observer.begin(requestOf(recording));
    recording.pending = observed;
    const fault = observed.fault();
    recording.isInvalid = fault !== undefined;
    if (!fault) return observed;
    recording.invalid = described(fault);
    onInvalid(recording.head, fault);
    return observed;
  }

  /** Most faults recur; an unknown path is no fault of the request alone. */
  function described(fault: RequestFault): Recording['invalid'] {
    if (fault.kind !== 'invalid') return undefined;
    const { key } = latestFault;
    if (key !== fault.key) latestFault = { key: fault.key, invalid: fault.describe() };
    return latestFault.invalid;
  }

  function requestOf(recording: Recording): ObservedRequest {
    const { head, origin, startedAt, requestBody, unjudged } = recording;
    return {
      method: head.method,
      url: new URL(head.target === '*' ? `${origin}/*` : origin + head.target),
      headers: head.fields,
      body: unjudged === undefined ? requestBody : undefined,
      bodyMissing: unjudged !== undefined && head.hasBody,
      startedAt,
      isSkipped: !recording.isSampled,
    };
  }

  function end(recording: Recording): void {
    ended += 1;
    const { kept: bytes } = recording;
    const findings = findingsOf(recording);
    if (!recording.isSampled) recording.unjudged ??= 'notSampled';
    const { unjudged } = recording;
    kept -= bytes;
    const operation = recording.operation;
    if (unjudged === 'tooLong' || unjudged === 'overtaken' || unjudged === 'notSampled')
      counts[unjudged] += 1;
    else if (unjudged === undefined) counts[operation ? 'judged' : 'unknown'] += 1;
    if (findings.some(({ times }) => times === 1)) isNewThere = true;
    recording.findings = findings;
    onJudged(recording);
    recording.forget();
  }

  function findingsOf(recording: Recording): readonly ObservedFinding[] {
    const { head, response, unjudged, ms } = recording;
    if (deferred.delete(recording) && response) {
      const operation = repeats.operationOf(recording);
      if (operation) {
        recording.operation = operation;
        observer.countAgain(operation, response.status, ms);
        return [];
      }
    }
    const observed = recording.pending ?? observe(recording);
    recording.pending = undefined;
    recording.operation = observed.operation;
    const before = observer.traffic.judged;
    const isHeadKnown = unjudged === 'tooLong' || unjudged === 'notSampled';
    const answer = unjudged === undefined || isHeadKnown ? responseOf(recording) : undefined;
    const findings = observed.end(answer);
    if (underWay.delete(recording)) changed();
    else if (observed.operation && isQuiet() && SAFE_METHODS.has(head.method)) {
      const isSound = findings.length === 0 && !recording.isInvalid && observer.traffic.judged > before;
      repeats.judged(recording, observed.operation, isSound);
    }
    return findings;
  }

  /** The observer reports exchanges from before the service was proven later. */
  function tellNew(): void {
    if (ended > UNPROVEN && !isNewThere) return;
    isNewThere = false;
    const all = observer.findings;
    for (const finding of all.slice(reported)) onFinding(finding);
    reported = all.length;
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
      const { findings } = recording;
      if (findings.length === 0) return undefined;
      const more = annotate ? findings.slice(0, MOST_FIELDS).map(fieldOf) : [];
      return enforce ? problemOf(findings, more) : ({ more } satisfies Replacement);
    },
  };

  return {
    witness: (origin) => (head) => {
      const recording = new Recording(head, origin, recorder);
      if (!isSampled()) {
        recording.isSampled = false;
        if (!onBegun) recording.leave('notSampled');
      }
      onBegun?.(recording);
      return recording;
    },
    refused(origin, head, response, fault) {
      const recording = new Recording(head, origin, recorder);
      recording.leave('refused');
      recording.invalid = described(fault);
      recording.response = { ...response, reason: '', identity: '' };
      recording.responseContent(response.body);
      recording.operation = fault.operation;
      onJudged(recording);
    },
    finish() {
      for (const { recording, ends } of queue.splice(next)) step(recording, ends);
      tellNew();
    },
  };
}

/** The maximum number of findings in headers. */
const MOST_FIELDS = 8;
/** The number of exchanges after which a service has proven itself, or is another server. */
const UNPROVEN = 1000;

function responseOf({ response, responseBody, unjudged, left, ms }: Recording): WireResponse | undefined {
  if (!response) return undefined;
  const { status, fields: headers } = response;
  return { status, headers, body: responseBody, cut: unjudged === 'tooLong', left, ms };
}

/** The header that `--annotate` adds for a finding. */
function fieldOf({ law, operationId, at }: ObservedFinding): Fields[number] {
  return ['Paddock-Finding', `${law}; operation=${quoted(operationId)}; at=${quoted(at)}`];
}

/** RFC 9110 §5.6.4, in ASCII. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

/** The response by which `--enforce` replaces an invalid one (RFC 9457). */
function problemOf(findings: readonly ObservedFinding[], more: Fields): OwnResponse {
  const count = findings.length === 1 ? 'a promise' : `${findings.length} promises`;
  const detail = `The response of the target breaks ${count} of its document, and was held back`;
  const entries = findings.map(({ law, operationId, status, received, documented, at }) => {
    return { law, promise: LAWS[law], operationId, status, received, documented, at };
  });
  return problemResponse(502, { detail, findings: entries }, more);
}
