import type { ActiveRule, RuleForm } from '../shell/rule.ts';
import { throttle } from '../shell/throttle.ts';
import { createValue, type Value } from '../shell/value.ts';
import type { ContractView, DocumentedAnswer, LoggedRequest, SessionsPage } from '../wire.ts';
import { type Control, type ControlRequest, explainFailure, isMissing, wantsToken } from './control.ts';
import { isOffline, OFFLINE } from './quick-rules.ts';

export type State = 'connecting' | 'live' | 'lost' | 'token wanted';

/** What the panel shows of a mock, and what it does there. */
export interface Model {
  readonly state: Value<State>;
  /** Why the last thing that was asked for failed; empty: it did not. */
  readonly problem: Value<string>;
  readonly contract: Value<ContractView | undefined>;
  /** The oldest first. */
  readonly requests: Value<readonly LoggedRequest[]>;
  /** The newest first, which is the first to be asked. */
  readonly rules: Value<readonly ActiveRule[]>;
  /** Those that are kept under a name; undefined: nobody has asked, or the mock has neither them nor switches of rules. */
  readonly scenarios: Value<readonly Scenario[] | undefined>;
  /** By the path of a collection; of the first 50. */
  readonly counts: Value<Readonly<Record<string, number>>>;
  /** Counts up whenever records may have changed. */
  readonly changes: Value<number>;
  /** In milliseconds; a range is a text. */
  readonly latency: Value<number | string>;
  /** RFC 3339; undefined: the session has no clock of its own. */
  readonly clock: Value<string | undefined>;
  readonly urlOf: Control['urlOf'];
  enterToken(token: string): void;
  /** Asks for {@link Model.scenarios}, which are then kept up to date. */
  loadScenarios(): Promise<void>;
  clearRequests(): Promise<void>;
  sendAgain(number: number): Promise<void>;
  /** Adds the first of these rules that the mock takes. */
  addRule(...forms: readonly RuleForm[]): Promise<void>;
  switchRule(id: number, isOn: boolean): Promise<void>;
  removeRule(id: number): Promise<void>;
  removeRules(): Promise<void>;
  /** The session gets the rules, latency and clock of a scenario, and its records if it has some. */
  switchTo(scenario: string): Promise<void>;
  setOffline(isOff: boolean): Promise<void>;
  setLatency(milliseconds: number): Promise<void>;
  /** Null: back to the real time. */
  setClock(now: string | null): Promise<void>;
  /** Back to the initial state of the session. */
  reset(): Promise<void>;
  /** What an operation documents; it throws as the three below. */
  answersOf(operation: string): Promise<readonly DocumentedAnswer[]>;
  /** @throws AdminError when the mock refuses, and TypeError when it cannot be reached, as the two below */
  listRecords(query: RecordsQuery): Promise<FoundRecords>;
  /** Replaces the record with the id; without one it stores a new record. */
  saveRecord(collection: string, id: string | undefined, text: string): Promise<void>;
  removeRecord(collection: string, id: string): Promise<void>;
  close(): void;
}

export interface Scenario {
  readonly name: string;
  /** Whether the session is set to it. */
  readonly isCurrent: boolean;
  /** Why it cannot be used; absent: it can. */
  readonly problem?: string;
}

export interface RecordsQuery {
  readonly collection: string;
  readonly limit: number;
  readonly filter: string;
}

export interface FoundRecords {
  /** On all pages. */
  readonly total: number;
  readonly records: readonly FoundRecord[];
}

export interface FoundRecord {
  readonly id: number | string | bigint;
  readonly record: unknown;
  /** The path of its collection, with the ids of its parents. */
  readonly path: string;
}

interface LatencyView {
  readonly latency: number | string;
}

interface ClockView {
  readonly now: string;
  readonly given: boolean;
}

/** Undefined: the session has the real time. */
const ownTime = ({ now, given }: ClockView) => (given ? now : undefined);

/** How many requests the panel keeps. */
const MOST = 500;

/** In milliseconds: a page may send many requests at once. */
const PAUSE = 120;

/**
 * In milliseconds. A browser sends a request again at once when a connection that it has used before ends without a response
 * (RFC 9112 §9.3.1): a rule that drops one request alone would never be noticed.
 */
const REPEATED_WITHIN = 1000;

/** @param onChange is called when the panel has changed records */
export function openModel(control: Control, onChange: () => void = () => {}): Model {
  const { ask, session } = control;
  const state = createValue<State>('connecting');
  const problem = createValue('');
  const contract = createValue<ContractView | undefined>(undefined);
  const requests = createValue<readonly LoggedRequest[]>([]);
  const rules = createValue<readonly ActiveRule[]>([]);
  const scenarios = createValue<readonly Scenario[] | undefined>(undefined);
  const counts = createValue<Readonly<Record<string, number>>>({});
  const changes = createValue(0);
  const latency = createValue<number | string>(0);
  const clock = createValue<string | undefined>(undefined);

  let arrived: LoggedRequest[] = [];
  let loading = 0;

  /** What is heard while the log is fetched is in it, or comes after. */
  function takeArrived(): void {
    if (loading > 0) return;
    const last = requests.get().at(-1)?.number ?? 0;
    const added = arrived.filter(({ number }) => number > last);
    arrived = [];
    if (added.length > 0) requests.set([...requests.get(), ...added].slice(-MOST));
  }

  async function loadRequests(): Promise<void> {
    loading += 1;
    try {
      await requests.load(ask<readonly LoggedRequest[]>('requests').then((logged) => logged.slice(-MOST)));
    } finally {
      loading -= 1;
      takeArrived();
    }
  }

  function forgetRequests(): void {
    arrived = [];
    requests.set([]);
  }

  /** Rules that are removed once they were used. */
  const fleeting = new Set<number>();

  async function loadRules(): Promise<void> {
    const asked = ask<readonly ActiveRule[]>('rules').then((oldest) => oldest.toReversed());
    const shown = await rules.load(asked);
    const ended = shown.filter(({ id, used }) => used > 0 && fleeting.delete(id));
    if (ended.length > 0) setTimeout(() => attempt(() => removeAll(ended)), REPEATED_WITHIN);
  }

  async function loadScenarios(): Promise<void> {
    try {
      await scenarios.load(ask<readonly Scenario[]>('scenarios'));
    } catch (error) {
      if (!isMissing(error)) throw error;
      scenarios.set(undefined);
    }
  }

  async function loadCounts(): Promise<void> {
    const asked = ask<SessionsPage>('sessions', { query: { name: session, limit: '100' } });
    await counts.load(
      asked.then(({ sessions }) => sessions.find(({ name }) => name === session)?.records ?? {}),
    );
    changes.set(changes.get() + 1);
  }

  async function loadContract(): Promise<void> {
    await contract.load(ask<ContractView>('contract'));
  }

  async function loadLatency(request?: ControlRequest): Promise<void> {
    await latency.load(ask<LatencyView>('latency', request).then(({ latency: own }) => own));
  }

  async function loadClock(request?: ControlRequest): Promise<void> {
    await clock.load(ask<ClockView>('clock', request).then(ownTime));
  }

  async function loadAll(): Promise<void> {
    await Promise.all([
      loadContract(),
      loadRequests(),
      loadRules(),
      loadCounts(),
      loadLatency(),
      loadClock(),
    ]);
    problem.set('');
  }

  const soon = {
    requests: throttle(takeArrived, PAUSE),
    // A rule may have been used.
    rules: throttle(() => loadRules().catch(fail), PAUSE),
    // What the rules are now says which scenario is current.
    ruled: throttle(() => Promise.all([loadRules(), scenarios.get() && loadScenarios()]).catch(fail), PAUSE),
    counts: throttle(() => loadCounts().catch(fail), PAUSE),
  };

  const hear: Readonly<Record<string, (data: string) => void>> = {
    request(data) {
      const request = JSON.parse(data) as LoggedRequest;
      arrived = [...arrived.slice(1 - MOST), request];
      soon.requests();
      if (rules.get().length > 0) soon.rules();
      if (request.method !== 'GET') soon.counts();
    },
    clear: forgetRequests,
    reset() {
      forgetRequests();
      loadAll().catch(fail);
    },
    rule: soon.ruled,
    rules: soon.ruled,
    scenarios: soon.ruled,
    records: soon.counts,
    state: soon.counts,
    latency: (data) => latency.set((JSON.parse(data) as LatencyView).latency),
    clock: (data) => clock.set(ownTime(JSON.parse(data))),
    document: () => loadAll().catch(fail),
  };

  function fail(error: unknown): void {
    if (wantsToken(error)) state.set('token wanted');
    problem.set(explainFailure(error));
  }

  const listen = () =>
    control.listen({
      opened() {
        state.set('live');
        loadAll().catch(fail);
      },
      heard: (event, data) => hear[event]?.(data),
      failed(error) {
        state.set('lost');
        fail(error);
      },
    });
  let stop = listen();

  /** Does what a person has asked for, and says why that failed. */
  async function attempt(act: () => Promise<unknown>): Promise<void> {
    try {
      problem.set('');
      await act();
    } catch (error) {
      fail(error);
    }
  }

  async function addRule(forms: readonly RuleForm[]): Promise<void> {
    const [form, ...others] = forms;
    const isFleeting = form?.drop === true && form.times === 1 && control.urlOf !== undefined;
    const { times: _, ...lasting } = form ?? {};
    try {
      const added = await ask<ActiveRule>('rules', { method: 'POST', body: isFleeting ? lasting : form });
      if (isFleeting) fleeting.add(added.id);
    } catch (error) {
      if (others.length === 0) throw error;
      return addRule(others);
    }
    // The newest rule goes first, and nothing goes through while the page is off-line.
    const blocking = rules.get().filter(isOffline);
    if (form !== OFFLINE && blocking.length > 0) {
      await ask('rules', { method: 'POST', body: OFFLINE });
      await removeAll(blocking);
    }
    await loadRules();
  }

  async function removeAll(some: readonly ActiveRule[]): Promise<void> {
    for (const { id } of some) await ask(`rules/${id}`, { method: 'DELETE' });
    await loadRules();
  }

  return {
    ...{ state, problem, contract, requests, rules, scenarios, counts, changes, latency, clock },
    urlOf: control.urlOf,
    enterToken(token) {
      control.setToken(token);
      state.set('connecting');
      stop();
      stop = listen();
    },
    loadScenarios: () => attempt(loadScenarios),
    clearRequests: () => attempt(() => ask('requests', { method: 'DELETE' })),
    sendAgain: (number) => attempt(() => ask(`requests/${number}`, { method: 'POST' })),
    addRule: (...forms) => attempt(() => addRule(forms)),
    switchRule: (id, isOn) =>
      attempt(async () => {
        await ask(`rules/${id}`, { method: 'PATCH', body: { enabled: isOn } });
        await loadRules();
      }),
    switchTo: (name) =>
      attempt(async () => {
        await ask(`scenarios/${encodeURIComponent(name)}`, { method: 'POST' });
        await loadAll();
        onChange();
      }),
    removeRule: (id) => attempt(() => removeAll(rules.get().filter((rule) => rule.id === id))),
    removeRules: () =>
      attempt(async () => {
        await ask('rules', { method: 'DELETE' });
        await loadRules();
      }),
    setOffline: (isOff) =>
      attempt(() => (isOff ? addRule([OFFLINE]) : removeAll(rules.get().filter(isOffline)))),
    setLatency: (milliseconds) =>
      attempt(() => loadLatency({ method: 'PUT', body: { latency: milliseconds } })),
    setClock: (now) => attempt(() => loadClock({ method: 'PUT', body: { now } })),
    reset: () =>
      attempt(async () => {
        await ask('reset', { method: 'POST' });
        onChange();
      }),
    answersOf: (operation) => ask('rules/answers', { query: { operation } }),
    listRecords: ({ collection, limit, filter }) =>
      ask('records', { query: { collection, limit: String(limit), filter } }),
    async saveRecord(collection, id, text) {
      const query = { collection, ...(id !== undefined && { id }) };
      await ask('records', { method: id === undefined ? 'POST' : 'PUT', query, body: text });
      onChange();
    },
    async removeRecord(collection, id) {
      await ask('records', { method: 'DELETE', query: { collection, id } });
      onChange();
    },
    close: () => stop(),
  };
}
