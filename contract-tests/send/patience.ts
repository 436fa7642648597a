import { SAFE_METHODS } from '#spec';
import { type Client, type OpenOptions, openClient, WireError } from './client.ts';
import type { Pace } from './pace.ts';
import {
  FateUnknown,
  headerOf,
  Interrupted,
  noTries,
  type Tries,
  Unreachable,
  type WireRequest,
  type WireResponse,
} from './wire.ts';

const LONGEST_WAIT = 30_000;
const FIRST_WAIT = 100;

/** Statuses of gateways; 429 comes from the service, and does not reject the request as such. */
const PASSING = new Set([429, 502, 503, 504]);

/** A client that waits and retries if the environment prevents a response. */
export interface PatientClient {
  /**
   * @param about the purpose of the request: after too many failures of it there are no retries
   * @param awaited an expected status, which is not retried
   * @throws Unreachable if the environment prevented a response
   * @throws FateUnknown if that happened to an unsafe request that may have been carried out
   * @throws Interrupted if the run is stopping
   */
  send(request: WireRequest, about?: string, awaited?: number): Promise<WireResponse>;
  /** Runs work while no other client of the run sends anything. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for other clients of the run: an exclusive client lets them through in the meantime. */
  aside<T>(wait: () => Promise<T>): Promise<T>;
}

interface Sending {
  readonly about: string;
  readonly awaited: number | undefined;
  /** Whether it is its turn when requests are sequential. */
  readonly inTurn: boolean;
  readonly tries: Tries;
}

/** @param retries the number of retries of a request */
export function createPatientClient(client: Client, retries: number, pace: Pace): PatientClient {
  async function once(request: WireRequest, inTurn: boolean): Promise<WireResponse | WireError> {
    await pace.ready();
    const send = () =>
      pace.turns.take(request, async () => {
        pace.demandTime();
        return (pace.onlyClient() ?? client).send(request);
      });
    try {
      const response = await (inTurn ? send() : pace.exclusive.through(patient, send));
      pace.noteResponse(client);
      return response;
    } catch (error) {
      if (error instanceof WireError) return error;
      throw error;
    }
  }

  /** Exclusivity is checked before the turn: otherwise a turn could wait for an exclusive client that waits for the turn. */
  function takeTurn(request: WireRequest, sending: Sending, first = 0, wait = 0): Promise<WireResponse> {
    return pace.exclusive.through(patient, () =>
      pace.oneByOne(async () => {
        await pace.wait(wait);
        return persist(request, { ...sending, inTurn: true }, first);
      }),
    );
  }

  /** @param first the number of the first attempt */
  async function persist(request: WireRequest, sending: Sending, first = 0): Promise<WireResponse> {
    const { about, awaited, inTurn, tries } = sending;
    const isUnsafe = !SAFE_METHODS.has(request.method);
    const unanswered = `${about} is not answered in time`;
    if (isUnsafe && pace.failures.hasFailed(unanswered))
      throw new Unreachable(`${unanswered}: unsafe requests are not sent to it any more`, tries);
    let failure: string | undefined;
    for (let attempt = first; ; attempt++) {
      const result = await once(request, inTurn);
      if (!(result instanceof WireError) && (!PASSING.has(result.status) || result.status === awaited)) {
        if (failure !== undefined) pace.failures.passed(failure);
        if (isUnsafe) pace.failures.passed(unanswered);
        pace.noteAnswer();
        return result;
      }
      const reason =
        result instanceof WireError ? result.message : `the target keeps answering ${result.status}`;
      tries.sent += 1;
      if (result instanceof WireError && result.closed) {
        tries.closed += 1;
        if (!result.onReused) tries.fresh += 1;
        tries.closedAt ??= performance.now();
      }
      const untouched = result instanceof WireError ? result.neverSent : result.status === 429;
      if (result instanceof WireError && result.silent) throw new Unreachable(reason, tries);
      if (isUnsafe && !untouched) {
        if (!(result instanceof WireError) || result.timedOut) pace.noteOverload(about);
        if (result instanceof WireError && result.timedOut) pace.failures.failed(unanswered);
        const declined = !(result instanceof WireError) && result.status === 503;
        throw new FateUnknown(reason, result instanceof WireError && result.onReused, tries, declined);
      }
      if (pace.isStopped()) throw new Interrupted();
      failure = `${about} ${reason}`;
      // It is as slow alone: the target is slow, or waits for something.
      const isSlowAlone = result instanceof WireError && result.timedOut && inTurn && attempt > 0;
      if (attempt >= retries || isSlowAlone || pace.failures.isHopeless(failure)) {
        pace.failures.failed(failure);
        throw new Unreachable(reason, tries);
      }
      const wait = waitBefore(attempt, result);
      if (performance.now() + wait > pace.deadline)
        throw new Unreachable(`${reason}, and --max-time leaves no time to wait`, tries);
      if (result instanceof WireError ? result.timedOut : result.status === 429) pace.slowDown();
      else if (!(result instanceof WireError)) pace.noteOverload(about);
      if (pace.isSlow() && !inTurn) return takeTurn(request, sending, attempt + 1, wait);
      await pace.wait(wait);
    }
  }

  const patient: PatientClient = {
    send(request, about = request.method, awaited?) {
      const sending = { about, awaited, inTurn: false, tries: noTries() };
      return pace.isSlow() ? takeTurn(request, sending) : persist(request, sending);
    },
    alone: (work) => pace.exclusive.alone(patient, work),
    aside: (wait) => pace.exclusive.aside(patient, wait),
  };
  return patient;
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

/** The connections of a run: each running case has its own. */
export interface Connections {
  use<T>(work: (client: PatientClient) => Promise<T>): Promise<T>;
  close(): void;
}

interface ConnectionOptions extends OpenOptions {
  readonly retries: number;
  /** Wraps each client to log its requests. */
  readonly watch?: ((client: Client) => Client) | undefined;
}

export function createConnections(
  { retries, watch = (client) => client, ...options }: ConnectionOptions,
  pace: Pace,
): Connections {
  const reuse = { isUnsafe: false };
  const clients: { close(): void }[] = [];
  const idle: PatientClient[] = [];

  function open(): PatientClient {
    const client = watch(openClient({ ...options, reuse }));
    clients.push(client);
    return createPatientClient(client, retries, pace);
  }

  return {
    async use(work) {
      const client = idle.pop() ?? open();
      try {
        return await work(client);
      } finally {
        idle.push(client);
      }
    },
    close: () => clients.forEach((client) => void client.close()),
  };
}
