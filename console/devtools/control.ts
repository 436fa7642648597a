import { AdminError, readError } from '../shell/admin-error.ts';
import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import { readEvents } from '../shell/read-events.ts';
import type { DevtoolsOptions } from './options.ts';

/** The control API of one session of a mock, wherever that runs. */
export interface Control {
  /**
   * Integers are exact in both directions.
   * @throws AdminError when the mock refuses; TypeError when it cannot be reached.
   */
  ask<Answer>(endpoint: string, request?: ControlRequest): Promise<Answer>;
  /** Hears all events until the listening is ended; listens again when the mock comes back. */
  listen(listener: ControlListener): () => void;
  /** A token for all later requests. */
  setToken(token: string): void;
  /** The name of the session; empty: that of requests that name none. */
  readonly session: string;
  /** The address of a path of the mock for a program outside of the page; undefined: no such program can reach it. */
  readonly urlOf: ((target: string) => string) | undefined;
}

export interface ControlRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  /** Any JSON value; a text is sent as it is. */
  readonly body?: unknown;
}

export interface ControlListener {
  /** Each time that events begin to come: what was known may be old. */
  opened(): void;
  heard(event: string, data: string): void;
  /** Why nothing is heard for now. */
  failed(error: unknown): void;
}

/** How requests get to the mock: all that differs between one in the page and one behind a URL. */
interface Transport {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly origin: string;
  readonly session: string;
}

/** @throws RangeError for options that are not allowed */
export function openControl(options: DevtoolsOptions): Control {
  const { fetch, origin, session } = transportOf(options);
  let { token } = options;
  if (token !== undefined && (typeof token !== 'string' || token === ''))
    throw new RangeError('option token must be a text that is not empty');

  function send(endpoint: string, init: RequestInit, query = {}): Promise<Response> {
    const url = new URL(`/__admin/${endpoint}`, origin);
    for (const [name, value] of Object.entries({ ...query, ...(session !== '' && { session }) }))
      url.searchParams.set(name, String(value));
    const authorization = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
    return fetch(url.href, { ...init, headers: { ...init.headers, ...authorization } });
  }

  async function listenOnce(listener: ControlListener, signal: AbortSignal): Promise<void> {
    const response = await send('events', { signal, cache: 'no-store' });
    if (!response.ok) throw readError(response.status, await response.text(), 'mock');
    listener.opened();
    await readEvents(response.body as ReadableStream<BufferSource>, listener.heard, signal);
    throw new TypeError('the mock has ended the events');
  }

  return {
    session,
    async ask<Answer>(endpoint: string, { method = 'GET', query, body }: ControlRequest = {}) {
      const init = body === undefined ? {} : { body: typeof body === 'string' ? body : stringifyJson(body) };
      const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const response = await send(endpoint, { method, headers, ...init }, query);
      const text = await response.text();
      if (!response.ok) throw readError(response.status, text, 'mock');
      return (text === '' ? undefined : parseJson(text)) as Answer;
    },
    listen(listener) {
      const ended = new AbortController();
      keepListening((signal) => listenOnce(listener, signal), listener.failed, ended.signal);
      return () => ended.abort();
    },
    setToken(given) {
      token = given;
    },
    urlOf:
      origin === THIS_MACHINE
        ? undefined
        : (target) => origin + (session === '' ? '' : `/~${session}`) + target,
  };
}

/** Milliseconds between two attempts. */
const PAUSES = [300, 700, 1500, 2500];

async function keepListening(
  listenOnce: (signal: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let attempts = 0; !signal.aborted; attempts++) {
    const begun = performance.now();
    try {
      await listenOnce(signal);
    } catch (error) {
      if (signal.aborted) return;
      failed(error);
      // What was heard for some time was no failure.
      if (performance.now() - begun > 5000) attempts = 0;
    }
    const pause = PAUSES[Math.min(attempts, PAUSES.length - 1)];
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** A mock of the page lets in whoever has its `fetch`, and sees requests from this machine. */
const THIS_MACHINE = 'http://localhost';

function transportOf({ mock, url }: DevtoolsOptions): Transport {
  if ((mock === undefined) === (url === undefined))
    throw new RangeError('showDevtools needs either mock, a mock of this page, or url, the address of one');
  if (mock !== undefined) {
    if (typeof mock.fetch !== 'function')
      throw new RangeError('option mock must be what createMock of openapi-paddock/browser resolves to');
    return { fetch: (to, init) => mock.fetch(to, init), origin: THIS_MACHINE, session: mock.name ?? '' };
  }
  const address = URL.parse(String(url), location.href);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new RangeError(`option url must be an address such as http://127.0.0.1:4020/v1, not ${url}`);
  const session = /^\/~([^/]+)/.exec(address.pathname)?.[1] ?? '';
  return { fetch: globalThis.fetch.bind(globalThis), origin: address.origin, session };
}

/** Why a request failed, for a person. */
export function explainFailure(error: unknown): string {
  if (error instanceof AdminError) return error.message;
  return error instanceof TypeError ? 'The mock cannot be reached.' : String(error);
}

/** Whether the mock wants a token, or another one. */
export function wantsToken(error: unknown): boolean {
  return error instanceof AdminError && error.status === 401;
}

/** Whether the mock has no such endpoint. */
export function isMissing(error: unknown): boolean {
  return error instanceof AdminError && error.status === 404;
}
