import { parseJson, stringifyJson } from '#spec';
import type { LoggedRequest } from './control/logged-request.ts';
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
 * @throws RangeError naming each option that is unknown or has a value that is not allowed; DocumentError when the
 * document or a seed file is invalid; CodeError when the code of a seed fails; StoreError when the store cannot be opened; the system's error (`EADDRINUSE`, ...)
 * when the address cannot be listened on.
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

/** A running mock; it is itself the session of all requests that name none. */
export interface Mock<P = unknown> extends MockSession<P>, RunningMock {
  readonly url: string;
  /**
   * A session with a state of its own, for tests that run in parallel; the same name is the same session.
   * @throws RangeError unless the name has 1 to 64 letters, digits and the characters `.`, `_` and `-`.
   */
  session(name: string): MockSession<P>;
}

/** What users get of a mock. */
export function openMock<P>(started: Started): Mock<P> {
  const { serving, origin, options } = started;
  const running = describeMock(started);
  const sessionNamed = (name: string) =>
    openMockSession(name, { ...serving, origin, options, operations: () => running.operations });
  const mock: Mock = {
    ...sessionNamed(''),
    get url() {
      return running.url;
    },
    controlUrl: running.controlUrl,
    authority: running.authority,
    get contract() {
      return running.contract;
    },
    get documents() {
      return running.documents;
    },
    get operations() {
      return running.operations;
    },
    get recorded() {
      return running.recorded;
    },
    session: sessionNamed,
    curlLine: running.curlLine,
    close: running.close,
  };
  // That the generated types are those of this document is for the caller to see to.
  return mock as unknown as Mock<P>;
}

/**
 * One session of a mock: records, rules, log and clock of its own. `P` is the `paths` that openapi-typescript generates
 * from the document, and gives the types of records.
 */
export interface MockSession<P = unknown> extends MockScenarios {
  /** Empty: the session of requests that name none. */
  readonly name: string;
  /** The base URL with the base path: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** What the mock does for each operation, in the order of the document. */
  readonly operations: RunningMock['operations'];
  /**
   * Responds to a request without a socket; a path is resolved against the base URL.
   * @throws TypeError as `fetch` does: for an invalid URL, and when a rule drops the connection.
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
   * Restores the initial state: seeded records, rules of seed files only, an empty log, the initial clock and latency.
   * Rejects as the store does.
   */
  reset(): Promise<void>;
  /**
   * All records, and the rules, latency and clock that are not those of the start; integers beyond 2^53 are bigints.
   * Rejects when the store cannot be reached.
   */
  state(): Promise<Snapshot<P>>;
  /**
   * The records of one collection, by its path: `/things`, `/shelves/3/books`, or `/shelves/{shelfId}/books` for those of
   * all shelves. Integers beyond 2^53 are bigints. Rejects when the store cannot be reached, and with a RangeError where
   * the document has no collection at the path.
   */
  records<Path extends string>(path: Path): Promise<readonly RecordAt<P, Path>[]>;
  /**
   * Replaces all records, rules, latency and clock by those of the state; what it does not name is as at the start.
   * @throws DocumentError with everything in the state that does not fit the document; nothing is then changed.
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
  /** Empties the log. */
  clearRequests(): void;
  /**
   * Adds a rule, which goes before those that are there; returns a function that removes it. Where mocks share a
   * store, both take effect after a moment. A session has at most 1,000 rules of 1 MiB of JSON together.
   * @throws RangeError with everything that is wrong with the rule.
   * @example
   * ```ts
   * const remove = mock.addRule({ operation: 'getThing', status: 503, times: 2, delay: '100-500' });
   * // ... the client under test retries ...
   * remove();
   * ```
   */
  addRule(rule: RuleForm): () => void;
  /** All rules, the one that wins last, each with its id, how often it was used, and the rule that takes all of its requests. */
  rules(): readonly RuleView[];
  /**
   * Puts rules in an order by their ids: the last one wins, and rules that are not named win over all of these.
   * @throws RangeError unless each id is that of a rule, and there once.
   * @example
   * ```ts
   * const [first, second] = mock.rules();
   * if (first && second) await mock.orderRules([second.id, first.id]);
   * ```
   */
  orderRules(ids: readonly number[]): Awaitable<void>;
  /**
   * Removes a rule, one of a seed file, too; without an id all of them.
   * @throws RangeError where there is none of this id.
   */
  removeRules(id?: number): Awaitable<void>;
  /**
   * Changes members of a rule: `{ enabled: false }` switches it off, `null` takes a member out. What it was used counts on.
   * @throws RangeError with everything that is wrong with the changed rule, and where there is none of this id.
   */
  changeRule(
    id: number,
    change: { readonly [Member in keyof RuleForm]?: RuleForm[Member] | null },
  ): Awaitable<void>;
  /**
   * Sets the clock, which then runs on; undefined: no clock, and no operation is removed.
   * @throws RangeError for an invalid date.
   */
  setClock(now: Date | undefined): Awaitable<void>;
  /** The time of the clock; undefined: no clock is set. */
  clock(): Date | undefined;
  /** How long every response is delayed: milliseconds, both ends inclusive. */
  latency(): Delay;
  /**
   * Delays every later response: milliseconds from 0 to 600,000, or a range of them.
   * @throws RangeError for any other.
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
  // Looked up at each use: after having been idle for too long it is another one.
  const session = () => sessions.find(name);

  /** Of a copy, which the caller cannot change. */
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
      refuse: (refusal) => service().finish(service().refuse(refusal)),
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
