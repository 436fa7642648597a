/** The entry point for Playwright Test: each worker has a session of one running mock, which its pages use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, expect as baseExpect, test as baseTest } from '@playwright/test';
import { parseJson, stringifyJson } from '#spec';
import type { LoggedRequest } from '../control/logged-request.ts';
import { CONTROL_PATH } from '../control/path.ts';
import { type ExpectedRequest, type ReceivedOperation, toHaveReceived } from '../matchers/index.ts';
import type { PartialSnapshot, Snapshot } from '../records/snapshot/snapshot.ts';
import type { RuleForm, RuleView } from '../sessions/preferences/rules.ts';

/** Options of `use` in `playwright.config.ts`. */
export interface PaddockOptions {
  /** The base URL of the mock, as printed by it. Default: `http://127.0.0.1:4020/v1`. */
  readonly mockUrl: string;
  /** The mock's `--admin-token`. Default: the variable PADDOCK_ADMIN_TOKEN, if set. */
  readonly mockAdminToken: string | undefined;
}

/** Fixtures for tests. */
export interface PaddockFixtures {
  /** The worker's session, reset before each test. The requests of `page` and `context` use it. */
  readonly mock: WorkerSession;
}

/** The session of a worker, with its own records, rules, log and clock. All methods reject if the mock is unreachable. */
export interface WorkerSession {
  /** `worker-0`, by Playwright's index of the worker. */
  readonly name: string;
  /** The base URL for requests without a browser: `http://127.0.0.1:4020/~worker-0/v1`. */
  readonly url: string;
  /** Sends another context's requests to this session: those to the mock, and to `baseURL`, which may forward them. */
  join(context: BrowserContext): Promise<void>;
  /** Restores the initial records, rules, log and clock; done before each test. */
  reset(): Promise<void>;
  /**
   * Adds a rule, which takes precedence over existing ones.
   * @example
   * ```ts
   * await mock.addRule({ operation: 'listPets', sequence: [503, 'pass'] });
   * ```
   */
  addRule(rule: RuleForm): Promise<RuleView>;
  /** The last requests of the test, the oldest first. */
  requests(): Promise<readonly LoggedRequest[]>;
  /** All records, and rules, latency and clock if they differ from their initial values. */
  state(): Promise<Snapshot>;
  /** Replaces records, rules, latency and clock by those of the state; whatever it lacks is reset. */
  restore(state: PartialSnapshot): Promise<void>;
  /** Sets the clock, which keeps running; undefined: real time. */
  setClock(now: Date | undefined): Promise<void>;
  /** The operations of the document. */
  operations(): Promise<readonly { readonly id: string }[]>;
}

interface SessionOptions extends PaddockOptions {
  readonly name: string;
  readonly baseURL: string | undefined;
}

function openSession({ name, mockUrl, mockAdminToken, baseURL }: SessionOptions): WorkerSession {
  const { origin, pathname } = new URL(mockUrl);
  const origins = [origin, ...(baseURL === undefined ? [] : [new URL(baseURL).origin])];
  const authorization = mockAdminToken && { authorization: `Bearer ${mockAdminToken}` };

  /** @throws Error with the mock's message for a request that it refuses */
  async function control<T>(method: string, path: string, value?: unknown): Promise<T> {
    const body = value === undefined ? null : stringifyJson(value);
    const url = `${origin}${CONTROL_PATH}/${path}?session=${name}`;
    const response = await fetch(url, { method, body, headers: { ...authorization } }).catch((error) => {
      throw new Error(
        `no mock responds at ${origin} (mockUrl of playwright.config): start one as webServer`,
        {
          cause: error,
        },
      );
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the mock refuses ${method} ${path}: ${messageIn(text)}`);
    return (text === '' ? undefined : parseJson(text)) as T;
  }

  return {
    name,
    url: `${origin}/~${name}${pathname.replace(/\/$/, '')}`,
    async join(context) {
      // A header for the whole context would also be sent to other origins, whose CORS refuses it.
      await context.route(
        ({ origin: to }) => origins.includes(to),
        (route, request) => route.continue({ headers: { ...request.headers(), 'paddock-session': name } }),
      );
    },
    reset: () => control('POST', 'reset'),
    addRule: (rule) => control('POST', 'answers', rule),
    requests: () => control('GET', 'requests'),
    state: () => control('GET', 'state'),
    restore: (state) => control('PUT', 'state', state),
    setClock: (now) => control('PUT', 'clock', { now: now?.toISOString() ?? null }),
    operations: async () => (await control<Pick<WorkerContract, 'operations'>>('GET', 'contract')).operations,
  };
}

interface WorkerContract {
  readonly operations: readonly { readonly id: string }[];
}

function messageIn(text: string): string {
  try {
    return (parseJson(text) as { readonly message: string }).message;
  } catch {
    return text;
  }
}

/** Playwright's `test`, whose pages use the session of their worker. */
export const test = baseTest.extend<PaddockFixtures & PaddockOptions>({
  mockUrl: ['http://127.0.0.1:4020/v1', { option: true }],
  mockAdminToken: [process.env.PADDOCK_ADMIN_TOKEN, { option: true }],
  mock: async ({ mockUrl, mockAdminToken, baseURL }, use, { parallelIndex }) => {
    const session = openSession({ name: `worker-${parallelIndex}`, mockUrl, mockAdminToken, baseURL });
    await session.reset();
    await use(session);
  },
  context: async ({ context, mock }, use) => {
    await mock.join(context);
    await use(context);
  },
});

/** The interval, in milliseconds, at which late requests are awaited. */
const PAUSE = 50;

/** Playwright's `expect`, with a matcher for received requests. */
export const expect = baseExpect.extend({
  /**
   * Passes if the session has received a request of this operation with these members, or does so before the timeout of
   * `expect`.
   * @example
   * ```ts
   * await expect(mock).toHaveReceived('createPet', { body: { name: 'Rex' } });
   * ```
   */
  async toHaveReceived(mock: WorkerSession, operation: ReceivedOperation, expected?: ExpectedRequest) {
    const operations = await mock.operations();
    const end = performance.now() + (this.timeout ?? 0);
    for (;;) {
      const requests = await mock.requests();
      const received = toHaveReceived({ requests: () => requests, operations }, operation, expected);
      if (received.pass !== this.isNot || performance.now() > end) return received;
      await sleep(PAUSE);
    }
  },
});

export type { ExpectedRequest } from '../matchers/index.ts';
