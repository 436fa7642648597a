import { parseJson, stringifyJson } from '#spec';
import type { LoggedRequest } from './control/logged-request.ts';
import { respondWith } from './http/error-response.ts';
import { type Awaitable, andThen } from './http/exchange.ts';
import { type MockScenarios, openScenarios } from './mock-scenarios.ts';
import type { MockOptions } from './options.ts';
import type { PartialSnapshot, RecordAt, Snapshot } from './records/snapshot/snapshot.ts';
import type { ResolvedOptions } from './resolve-options.ts';
import { describeMock, type RunningMock } from './running-mock.ts';
import { fetchThrough } from './server/fetch.ts';
import type { Serving } from './serving.ts';
import { addRule, changeRules, orderRules } from './sessions/change-rules.ts';
import { type Delay, delayOf, LATENCY, NO_DELAY } from './sessions/preferences/delay.ts';
import { problemText, readRule } from './sessions/preferences/read-rule.ts';
import { mergeRule, type RuleForm, type RuleView, ruleJson } from './sessions/preferences/rules.ts';
import { readScenario } from './sessions/preferences/scenarios.ts';
import { changedSettings, resetSession, restoreSession, setClock, setLatency } from './sessions/session.ts';
import { isSessionName, sessionNameProblem } from './sessions/sessions.ts';
import { type Started, start } from './start.ts';

/**
 * Starts a mock of an OpenAPI document.
 * `P` and `O` are the `paths` and `operations` that openapi-typescript generates from the document; with them `state`,
 * `records` and code of operations have types.
 * @throws RangeError naming each unknown option and each invalid value; DocumentError if the document or a seed file is
 * invalid; CodeError if the code of a seed fails; StoreError if the store cannot be opened; the system's error
 * (`EADDRINUSE`, ...) if it cannot listen on the address.
 * @example
 * ```ts
 * const mock = await createMock({ document: 'openapi.yaml', seed: 7, count: 20 });
 * const response = await fetch(`${mock.url}/things`, { headers: { Authorization: `Bearer ${BUILT_IN_KEY}` } });
 * await mock.close();
 * ```
 */
export async function createMock<P = unknown, O = unknown>(options: MockOptions<P, O>): Promise<Mock<P>> {
  return openMock(await start(options as MockOptions));
}

/** A running mock, which is also the default session: that of all requests without a session name. */
export interface Mock<P = unknown> extends MockSession<P>, RunningMock {
  readonly url: string;
  /**
   * An isolated session, for tests that run in parallel; calls with the same name return the same session.
   * @throws RangeError unless the name has 1 to 64 letters, digits and the characters `.`, `_` and `-`.
   */
  session(name: string): MockSession<P>;
}

/** The public interface of a mock. */
export function openMock<P>(started: Started): Mock<P> {
  const { serving, origin, options } = started;
  const running = describeMock(started);
  const session = (name: string) =>
    openMockSession(name, { ...serving, origin, options, operations: () => running.operations });
  // As descriptors, since getters follow a document that is replaced.
  const mock = Object.defineProperties(session(''), {
    ...Object.getOwnPropertyDescriptors(running),
    session: { value: session, enumerable: true },
  });
  // The caller is responsible for passing the types of this document.
  return mock as unknown as Mock<P>;
}

/**
 * A session of a mock, with its own records, rules, log and clock. `P` is the `paths` that openapi-typescript generates
 * from the document, for the types of records.
 */
export interface MockSession<P = unknown> extends MockScenarios {
  /** Empty: the default session. */
  readonly name: string;
  /** The base URL with the base path: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** What the mock does for each operation, in the order of the document. */
  readonly operations: RunningMock['operations'];
  /**
   * Responds to a request without a socket; a path is resolved against the base URL.
   * @throws TypeError as `fetch` does: for an invalid URL, and if a rule closes the connection.
   * @example
   * ```ts
   * const response = await mock.fetch('/things?limit=10', {
   *   headers: { Authorization: `Bearer ${BUILT_IN_KEY}` },
   * });
   * const things = await response.json();
   * ```
   */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Restores the initial state: seeded records, only the rules of seed files, an empty log, the initial clock and latency.
   * Rejects with errors of the store.
   */
  reset(): Promise<void>;
  /**
   * All records, and the rules, latency and clock that differ from their initial values; integers beyond 2^53 are bigints.
   * Rejects if the store is unavailable.
   */
  state(): Promise<Snapshot<P>>;
  /**
   * The records of one collection, by its path: `/things`, `/shelves/3/books`, or `/shelves/{shelfId}/books` for those of
   * all shelves. Integers beyond 2^53 are bigints. Rejects if the store is unavailable, and with a RangeError if the
   * document has no collection at the path.
   */
  records<Path extends string>(path: Path): Promise<readonly RecordAt<P, Path>[]>;
  /**
   * Replaces all records, rules, latency and clock by those of the state; whatever it lacks is reset.
   * @throws DocumentError with everything in the state that does not fit the document; nothing is changed then.
   * @example
   * ```ts
   * const before = await mock.state();
   * // ... a test that changes records ...
   * await mock.restore(before);
   * ```
   */
  restore(state: PartialSnapshot<P>): Promise<void>;
  /** The last requests, the oldest first: at most 1,000, and at least 50 however many sessions there are. */
  requests(): readonly LoggedRequest[];
  /** Clears the log. */
  clearRequests(): void;
  /**
   * Adds a rule, which takes precedence over existing ones; returns a function that removes it. If mocks share a
   * store, both take effect after a moment. A session has at most 1,000 rules, of 1 MiB of JSON in total.
   * @throws RangeError with all problems of the rule.
   * @example
   * ```ts
   * const remove = mock.addRule({ operation: 'getThing', status: 503, times: 2, delay: '100-500' });
   * // ... the client under test retries ...
   * remove();
   * ```
   */
  addRule(rule: RuleForm): () => void;
  /** All rules, of which the last wins, each with its id, its use count, and the rule that hides it. */
  rules(): readonly RuleView[];
  /**
   * Orders rules by their ids: the last one wins, and unnamed rules win over all of these.
   * @throws RangeError unless all ids are those of rules, without repetition.
   * @example
   * ```ts
   * const [first, second] = mock.rules();
   * if (first && second) await mock.orderRules([second.id, first.id]);
   * ```
   */
  orderRules(ids: readonly number[]): Awaitable<void>;
  /**
   * Removes a rule, even one of a seed file; without an id all rules.
   * @throws RangeError if no rule has the id.
   */
  removeRules(id?: number): Awaitable<void>;
  /**
   * Changes members of a rule: `{ enabled: false }` disables it, `null` removes a member. Its use count is kept.
   * @throws RangeError with all problems of the changed rule, and if no rule has the id.
   */
  changeRule(
    id: number,
    change: { readonly [Member in keyof RuleForm]?: RuleForm[Member] | null },
  ): Awaitable<void>;
  /**
   * Sets the clock, which keeps running; undefined: real time, and no operation is removed.
   * @throws RangeError for an invalid date.
   */
  setClock(now: Date | undefined): Awaitable<void>;
  /** The time of the clock. Undefined: no clock is set. */
  clock(): Date | undefined;
  /** The range of the delay of every response, in milliseconds, both ends inclusive. */
  latency(): Delay;
  /**
   * Delays every later response: milliseconds from 0 to 600,000, or a range of them.
   * @throws RangeError for any other value.
   */
  setLatency(latency: Delay | number): Awaitable<void>;
}

export interface SessionContext extends Serving {
  readonly origin: string;
  readonly options: ResolvedOptions;
  readonly operations: () => RunningMock['operations'];
}

/** @throws RangeError for an invalid name. */
function openMockSession(name: string, context: SessionContext): MockSession {
  const { origin, service, sessions, engine, access, operations } = context;
  const { maxBody, time, onBug } = context.options;
  const hasUpstream = context.options.upstream !== undefined;
  if (name !== '' && !isSessionName(name)) throw new RangeError(sessionNameProblem(name));
  const url = () => origin + (name === '' ? '' : `/~${name}`) + service().basePath;
  // Looked up at each use, since an idle session is replaced after a while.
  const session = () => sessions.find(name);

  /** Reads a copy, so that the caller cannot change it later. */
  function ruleOf(form: unknown) {
    const { contract } = service();
    const read = readRule(parseJson(stringifyJson(form) ?? 'null'), { ...contract, hasUpstream });
    if ('problems' in read) throw new RangeError(read.problems.map(problemText).join('; '));
    return read.rule;
  }

  return {
    name,
    get url() {
      return url();
    },
    get operations() {
      return operations();
    },
    fetch: fetchThrough(engine, {
      baseUrl: url,
      maxBody,
      mayControl: (request) => access(request) === undefined,
      refuse: (refusal) => respondWith(service(), refusal),
      session: name,
    }),
    reset: () => resetSession(session()),
    async state() {
      const { take } = await service().snapshots();
      const target = session();
      return parseJson(await take(target.store, changedSettings(target))) as Snapshot;
    },
    async records(path) {
      const { recordsAt } = await service().snapshots();
      return recordsAt(session().store, path);
    },
    async restore(state) {
      const { contract, snapshots } = service();
      const context = { document: { ...contract, hasUpstream }, snapshots };
      const { records, settings } = await readScenario({ text: stringifyJson(state), uri: 'state' }, context);
      await restoreSession(session(), settings, records);
    },
    requests: () => session().journal.entries().map(service().showEntry),
    clearRequests() {
      const { journal, events } = session();
      journal.clear();
      events.publish('clear', '{}');
    },
    addRule(form) {
      const rule = ruleOf(form);
      const target = session();
      const refused = target.rules.refuse(rule);
      if (refused !== undefined) throw new RangeError(refused);
      const added = addRule(target, rule);
      if (added instanceof Promise) added.catch(onBug);
      return () => void andThen(added, ({ id }) => changeRules(target, (rules) => rules.remove(id)));
    },
    rules: () => session().rules.all().map(ruleJson),
    orderRules: (ids) =>
      andThen(orderRules(session(), ids), (problem) => {
        if (problem !== undefined) throw new RangeError(`ids ${problem}`);
      }),
    removeRules(id) {
      const target = session();
      if (id !== undefined && !target.rules.all().some((rule) => rule.id === id))
        throw new RangeError(`there is no rule ${id}`);
      return andThen(
        changeRules<unknown>(target, (rules) => (id === undefined ? rules.clear() : rules.remove(id))),
        () => {},
      );
    },
    changeRule(id, change) {
      const target = session();
      const { rules } = target;
      const old = rules.all().find((rule) => rule.id === id);
      if (!old) throw new RangeError(`there is no rule ${id}`);
      const rule = ruleOf(mergeRule(old, change));
      const refused = rules.refuse(rule, id);
      if (refused !== undefined) throw new RangeError(refused);
      return andThen(
        changeRules(target, () => rules.replace(id, rule, 'kept')),
        () => {},
      );
    },
    ...openScenarios(session, { ...context, hasUpstream }),
    setClock(now) {
      if (now !== undefined && Number.isNaN(now.getTime())) throw new RangeError('now must be a valid date');
      return setClock(session(), now?.getTime(), time);
    },
    clock() {
      const { clock } = session();
      return clock && new Date(clock());
    },
    latency: () => session().latency ?? NO_DELAY,
    setLatency(delay) {
      if (!LATENCY.isAllowed(delay)) throw new RangeError(`latency must be ${LATENCY.allowed}`);
      return setLatency(session(), delayOf(delay));
    },
  };
}
