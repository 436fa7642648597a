import { parseJson, stringifyJson } from '#spec';
import { andThen } from '../answer/and-then.ts';
import type { Engine } from '../answer/engine.ts';
import type { Awaitable } from '../answer/exchange.ts';
import { readRule } from '../control/read-rule.ts';
import type { LoggedRequest } from '../control/requests.ts';
import { fetchThrough } from '../server/fetch.ts';
import type { Service } from '../service.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isSessionName } from './address.ts';
import type { Time } from './clock.ts';
import type { Rule } from './rules.ts';
import { resetSession, setClock } from './session.ts';
import type { Sessions } from './sessions.ts';

/** One session of a mock, as a test holds it. */
export interface MockSession {
  /** Empty: the session of requests that name none. */
  readonly name: string;
  /** Base URL with the base path: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** Answers a request without a socket; an address that begins with a slash is meant below the base URL. */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Back to how it began: the seeded records, no rules, nothing in the log, the first clock. */
  reset(): Promise<void>;
  /** All records; integers beyond 2^53 are bigints. */
  state(): Promise<Snapshot>;
  /** Takes over a state; collections that it does not name go back to their seeds. */
  restore(state: Snapshot): Promise<void>;
  /** The last requests, the oldest first; 1,000 at most. */
  requests(): readonly LoggedRequest[];
  /** Makes a rule; gives what removes it. Where mocks share a store, it holds after a moment. */
  addRule(rule: RuleForm): () => void;
  /** Sets the clock, which then runs on; undefined: back to the time that it is, and nothing is gone. */
  setClock(now: Date | undefined): Awaitable<void>;
}

/** A rule as it is written: `{ operation: 'getThing', times: 2, status: 503, delay: '100-500' }`. */
export type RuleForm = Omit<Rule, 'delay' | 'drop'> & {
  /** Milliseconds, or a range of them. */
  readonly delay?: number | string;
  readonly drop?: true | 'before' | 'after';
};

interface Context {
  readonly name: string;
  readonly origin: string;
  readonly maxBody: number;
  /** What is served now; a changed document puts another one in its place. */
  readonly service: () => Service;
  readonly engine: Engine;
  readonly sessions: Sessions;
  readonly time: Time;
  /** Told of failures of the mock itself. */
  readonly onBug: (error: unknown) => void;
}

export function openMockSession(context: Context): MockSession {
  const { name, origin, service, engine, time } = context;
  if (name !== '' && !isSessionName(name))
    throw new RangeError(`${JSON.stringify(name)} is no name of a session`);
  const url = () => origin + (name === '' ? '' : `/~${name}`) + service().basePath;
  // Looked up at each use: one that was idle for too long has been made anew.
  const session = () => context.sessions.find(name);
  return {
    name,
    get url() {
      return url();
    },
    fetch: fetchThrough(engine, { baseUrl: url, maxBody: context.maxBody, session: name }),
    reset: () => resetSession(session()),
    state: async () => parseJson(await service().takeSnapshot(session().store)) as Snapshot,
    restore: async (state) => session().store.restore(service().readSnapshot('state', stringifyJson(state))),
    requests: () => session().journal.entries().map(service().showEntry),
    addRule(form) {
      const read = readRule(form, service().contract.operations);
      if ('problems' in read) throw new RangeError(read.problems.join('; '));
      const { rules } = session();
      const added = rules.add(read.rule);
      if (added instanceof Promise) added.catch(context.onBug);
      return () => void andThen(added, ({ id }) => rules.remove(id));
    },
    setClock: (now) => setClock(session(), now?.getTime(), time),
  };
}
