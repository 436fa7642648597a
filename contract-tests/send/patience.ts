import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WireError } from './client.ts';
import { headerOf, type WireRequest, type WireResponse } from './wire.ts';

/** How long and how often to try. */
export interface Patience {
  /** How often a request is repeated. */
  readonly retries: number;
  /** Requests in a second at most; undefined: no bound. */
  readonly rate: number | undefined;
}

/** The environment, not the contract, stood in the way: a gateway, a limit, a broken connection. No finding. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** An unsafe request whose fate is unknown: it may have been carried out. The caller sends a fresh one. */
export class FateUnknown extends Unreachable {
  override name = 'FateUnknown';
}

const LONGEST_WAIT = 30_000;
const FIRST_WAIT = 100;

/** RFC 9110 §9.2.1: these change nothing, so they may be repeated. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Answers of what stands before the service; 429 is the service's own word and no refusal of the request. */
const PASSING = new Set([429, 502, 503, 504]);

/** A client that waits and repeats as {@link Patience} says, and counts what it sends. */
export interface PatientClient {
  /**
   * @throws Unreachable when the environment did not let an answer through
   * @throws FateUnknown when that happened to an unsafe request that may have been carried out
   */
  send(request: WireRequest): Promise<WireResponse>;
  /** Requests sent so far, over all connections. */
  readonly sent: () => number;
  /** The same over another connection: one rate and one count for all of them. */
  over(client: Client): PatientClient;
}

/** @param deadline on the clock of `performance.now()`: no wait goes beyond it */
export function createPatientClient(
  client: Client,
  { retries, rate }: Patience,
  deadline = Number.POSITIVE_INFINITY,
): PatientClient {
  const gap = rate ? 1000 / rate : 0;
  let earliest = 0;
  let sent = 0;

  async function once(connection: Client, request: WireRequest): Promise<WireResponse | WireError> {
    const now = performance.now();
    const begin = Math.max(now, earliest);
    earliest = begin + gap;
    if (begin > now) await sleep(begin - now);
    sent += 1;
    return connection.send(request).catch((error: unknown) => {
      if (error instanceof WireError) return error;
      throw error;
    });
  }

  const over = (connection: Client): PatientClient => ({
    sent: () => sent,
    over,
    async send(request) {
      const safe = SAFE_METHODS.has(request.method);
      for (let attempt = 0; ; attempt++) {
        const result = await once(connection, request);
        if (!(result instanceof WireError) && !PASSING.has(result.status)) return result;
        const reason =
          result instanceof WireError ? result.message : `the target keeps answering ${result.status}`;
        const untouched = result instanceof WireError ? result.neverSent : result.status === 429;
        if (!safe && !untouched) throw new FateUnknown(reason);
        if (attempt >= retries) throw new Unreachable(reason);
        const wait = waitBefore(attempt, result);
        if (performance.now() + wait > deadline)
          throw new Unreachable(`${reason}, and --max-time leaves no time to wait`);
        await sleep(wait);
      }
    },
  });
  return over(client);
}

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), else twice as long each time. */
function waitBefore(attempt: number, result: WireResponse | WireError): number {
  const after = result instanceof WireError ? undefined : headerOf(result, 'retry-after');
  const asked =
    after === undefined
      ? undefined
      : /^\d+$/.test(after)
        ? Number(after) * 1000
        : Date.parse(after) - Date.now();
  const wait = asked !== undefined && asked >= 0 ? asked : FIRST_WAIT * 2 ** attempt;
  return Math.min(wait, LONGEST_WAIT);
}
