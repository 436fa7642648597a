import { type Operation, SAFE_METHODS } from '#spec';
import { wordsIn } from '../laws/blame.ts';
import { needsKey } from '../send/credentials.ts';
import type { RequestInput } from '../send/plan-request.ts';
import type { Exchange } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { headerOf, type Tries, Unreachable, type WireRequest } from '../send/wire.ts';
import type { TrialSubject } from './case-log.ts';

/** Detects when the service rejects the run's credential, or is gone: later responses say nothing of the contract. */
export interface TargetWatch {
  /** @returns true if the service rejects the run's credential after it worked: then call `admits` */
  note(exchange: Exchange): boolean;
  /**
   * Repeats requests that were accepted.
   * @returns why the run is over; undefined: it continues
   */
  admits(exchange: Exchange, ask: AskAgain): Promise<string | undefined>;
  /** After requests without a response: why the run is over; undefined: the service still responds to others. */
  responds(failure: string, ask: AskAgain): Promise<string | undefined>;
  /**
   * Whether it currently responds to a request that it responded to before.
   * @param besides another operation than this one
   */
  answers(ask: AskAgain, besides?: Operation): Promise<boolean>;
  /** Whether it stopped responding. */
  readonly isGone: boolean;
  /** When it last responded, on the clock of `performance.now()`, and whether it announced to close the connection. */
  readonly lastAnswer: { readonly at: number; readonly saysClose: boolean };
  /** Whether this very request got a response before. */
  hasAnswered(request: WireRequest): boolean;
  /** Whether an operation ever responded without an error. */
  hasSucceeded(operation: Operation): boolean;
}

/** Requests with the run's credential that were accepted, and rejected. */
export interface Admission {
  admitted: number;
  refused: number;
}

/** Sends the request of an exchange again. */
type AskAgain = (exchange: Exchange) => Promise<Exchange>;

/** A request without a response, since the target closed the connection in one attempt or in all. */
export interface Unanswered {
  readonly subject: TrialSubject;
  readonly operation: Operation;
  readonly input: RequestInput;
  readonly request: WireRequest;
  /** The earlier requests of its case, and finally the request itself. */
  readonly steps: readonly SentStep[];
  readonly tries: Tries;
}

/** Several operations are tried, since one may have its own rules. */
const ASKED_AGAIN = 3;
/** An operation for other users is always rejected: after so many responses that is certain. */
const MOST_DOUBTS = 3;
/** Requests so shortly before the first rejection may have caused it; several cases run in parallel. */
const SHORTLY = 8;

interface Sent {
  readonly number: number;
  readonly label: string;
}

/** The maximum number of remembered URLs. */
const MOST_URLS = 100_000;

const labelOf = ({ method, url }: WireRequest) => `${method} ${url.href}`;

const isRefused = (status: number) => status === 401 || status === 403;

/** @param counts updated in place */
export function createTargetWatch(counts: Admission = { admitted: 0, refused: 0 }): TargetWatch {
  const answered = new Map<Operation, Exchange>();
  const doubts = new Map<Operation, number>();
  const urls = new Set<string>();
  const succeeded = new Set<Operation>();
  let number = 0;
  let isGone = false;
  let lastAnswer = { at: 0, saysClose: false };
  let lastAnswered: Sent | undefined;
  let lastWrite: Sent | undefined;
  let asking: Promise<boolean> | undefined;
  let over: string | undefined;

  /** Whether one of the latest successful requests is still accepted. */
  async function asksAgain(
    ask: AskAgain,
    isLetIn: (status: number) => boolean,
    besides?: Operation,
  ): Promise<boolean> {
    const others = [...answered.values()].reverse().filter(({ operation }) => operation !== besides);
    for (const exchange of others.slice(0, ASKED_AGAIN)) {
      try {
        if (isLetIn((await ask(exchange)).response.status)) return true;
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
      }
    }
    return false;
  }

  function keep(exchange: Exchange): void {
    const { operation, input, request, response } = exchange;
    const sent = { number, label: `${request.method} ${operation.path}` };
    lastAnswered = sent;
    if (!SAFE_METHODS.has(request.method)) {
      lastWrite = sent;
      return;
    }
    if (response.status >= 300) return;
    // The latest one is tried first.
    answered.delete(operation);
    // Without the body: hundreds of operations may return long lists.
    const body = new Uint8Array();
    answered.set(operation, { operation, input, request, response: { ...response, body } });
  }

  function ended(first: Sent, what: string): string {
    const isLikely = lastWrite !== undefined && first.number - lastWrite.number <= SHORTLY;
    const { number: since, label } = isLikely && lastWrite ? lastWrite : first;
    return `${what} since request ${since}, \`${label}\``;
  }

  return {
    answers: (ask, besides) => asksAgain(ask, () => true, besides),
    hasAnswered: (request) => urls.has(labelOf(request)),
    hasSucceeded: (operation) => succeeded.has(operation),
    get isGone() {
      return isGone;
    },
    get lastAnswer() {
      return lastAnswer;
    },
    note(exchange) {
      const { operation, input, response } = exchange;
      number += 1;
      const saysClose =
        headerOf(response, 'connection')
          ?.toLowerCase()
          .split(/[\s,]+/)
          .includes('close') ?? false;
      lastAnswer = { at: performance.now(), saysClose };
      if (exchange.response.status < 400) succeeded.add(operation);
      if (urls.size < MOST_URLS) urls.add(labelOf(exchange.request));
      // `Prefer: code=401` requests it.
      const isAsked = isRefused(response.status) && input.expected?.status === response.status;
      const isOwn = !input.refused && !input.presented && !input.provoked && !isAsked && needsKey(operation);
      if (isOwn && isRefused(response.status)) {
        counts.refused += 1;
        const isDoubtful = (doubts.get(operation) ?? 0) < MOST_DOUBTS && answered.size > 0;
        return over !== undefined || (counts.admitted > 0 && isDoubtful);
      }
      if (isOwn) counts.admitted += 1;
      if (!input.refused) keep(exchange);
      return over !== undefined;
    },
    async admits({ operation, request }, ask) {
      const first = { number, label: `${request.method} ${operation.path}` };
      if (over !== undefined) return over;
      asking ??= asksAgain(ask, (status) => !isRefused(status));
      const isLetIn = await asking;
      asking = undefined;
      if (isLetIn) doubts.set(operation, (doubts.get(operation) ?? 0) + 1);
      else over ??= ended(first, 'the credential is refused everywhere');
      return over;
    },
    async responds(failure, ask) {
      if (await asksAgain(ask, () => true)) return undefined;
      isGone = true;
      const last = lastWrite ?? lastAnswered;
      over ??=
        last === undefined
          ? failure
          : `the target stopped responding after request ${last.number}, \`${last.label}\`: ${failure}`;
      return over;
    },
  };
}

/** The common error of all requests to an operation; `words` is empty if responses differ. */
export interface SoleRefusal {
  readonly status: number;
  readonly words: string;
  readonly count: number;
}

/** Records the response to a request, unless it intentionally has no valid credential, or no accepted media type. */
export function noteRefusal(
  refused: Map<Operation, SoleRefusal>,
  { operation, input, response }: Exchange,
): void {
  const { status } = response;
  if (input.refused || status === 406 || status === 415) return;
  const words = status >= 400 && status < 500 ? wordsIn(response) : '';
  const entry = refused.get(operation) ?? { status, words, count: 0 };
  const isSame = entry.status === status && entry.words === words;
  refused.set(operation, { status, words: isSame ? words : '', count: entry.count + 1 });
}
