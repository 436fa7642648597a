import type { Contract } from '#spec';
import type { AcceptedKeys } from './answer/authenticate.ts';
import { defaultParts, type Parts } from './parts.ts';
import type { LogEntry } from './server/log-entry.ts';
import { readMoment, type Time } from './session/clock.ts';
import type { Delay } from './session/delay.ts';
import { storeAt } from './store/open-store.ts';
import { StoreError } from './store/store-error.ts';

export interface MockOptions {
  /** Path or http(s) URL of an OpenAPI document, or a contract that was loaded from one. */
  readonly document: string | URL | Contract;
  /** What the document's references may lead to beyond its own folder or host: folders, files, http(s) URLs. */
  readonly allowRefs?: readonly string[];
  /** 0, the default, takes a free one; false: no socket at all, only {@link Mock.fetch}. */
  readonly port?: number | false;
  readonly host?: string;
  readonly apiKeys?: AcceptedKeys;
  readonly seed?: number;
  /** How many records each collection begins with. */
  readonly count?: number;
  /** Whether the path of the document's first server goes before each path. */
  readonly basePath?: boolean;
  /** The longest request body that is read, in bytes. */
  readonly maxBody?: number;
  /** Seed files (YAML or JSON), of the form of {@link Mock.state}: what the collections that they name begin with. */
  readonly fixtures?: readonly (string | URL)[];
  /** Where records are: `memory`, `file:PATH` (SQLite) or `postgres://...`, which several mocks may share. */
  readonly store?: string;
  /** The name under which this mock is known among those that share its store; told in answers of `/__admin`. */
  readonly replica?: string;
  /** How long each answer of an operation waits, in milliseconds. */
  readonly latency?: Delay | number;
  /** What the mock's clock shows when it starts; it then runs on, and removed operations are gone. */
  readonly now?: Date | string;
  /** Needed for all that steers the mock from outside, if given. */
  readonly adminToken?: string | undefined;
  /** How many named sessions there can be. */
  readonly maxSessions?: number;
  /** After how many milliseconds without a request a session is gone. */
  readonly sessionIdle?: number;
  /** Takes over the document when its files change; records that fit stay. */
  readonly watch?: boolean;
  /** The time that it is, in milliseconds since 1970. */
  readonly time?: Time;
  /** Told of each exchange that came through the socket. */
  readonly log?: (entry: LogEntry) => void;
  /** Told of what the mock did on its own, such as letting a session go. */
  readonly notice?: (text: string) => void;
  /** Told how far the mock is with a large collection, before it answers. */
  readonly progress?: (text: string) => void;
  /** Told of failures of the mock itself. */
  readonly onBug?: (error: unknown) => void;
  /** Replaces named parts of the engine. */
  readonly parts?: Partial<Parts>;
}

type Own = 'document' | 'parts' | 'latency' | 'now' | 'store';

export interface ResolvedOptions extends Required<Omit<MockOptions, Own>> {
  readonly parts: Parts;
  readonly latency: Delay;
  /** In milliseconds since 1970; undefined: no clock was given. */
  readonly now: number | undefined;
}

/** The key that every mock accepts that was given no other one. */
export const BUILT_IN_KEY = 'paddock-dev-key';

const DEFAULTS = {
  allowRefs: [],
  port: 0,
  host: '127.0.0.1',
  apiKeys: [BUILT_IN_KEY],
  seed: 1,
  count: 50,
  basePath: true,
  maxBody: 2 ** 20,
  fixtures: [],
  replica: `${process.getBuiltinModule('node:os').hostname()}-${process.pid}`,
  adminToken: undefined,
  maxSessions: 1000,
  sessionIdle: 3_600_000,
  watch: false,
  time: Date.now,
  log: () => {},
  notice: () => {},
  progress: () => {},
  // Shown by Node on stderr, and never in an answer.
  onBug: (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)),
};

/** @throws StoreError when the text does not say where a store is, or the store cannot go with the other options. */
export function resolveOptions({
  document: _,
  parts,
  store,
  latency = 0,
  now,
  ...options
}: MockOptions): ResolvedOptions {
  if (options.watch && store?.startsWith('postgres')) {
    throw new StoreError('a store that mocks share takes no watched document: restart the replicas in turn');
  }
  return {
    ...DEFAULTS,
    ...options,
    parts: { ...defaultParts, ...(store !== undefined && { store: storeAt(store) }), ...parts },
    latency: typeof latency === 'number' ? { low: latency, high: latency } : latency,
    now: now === undefined ? undefined : momentOf(now),
  };
}

function momentOf(now: Date | string): number {
  const moment = typeof now === 'string' ? readMoment(now) : now.getTime();
  if (moment === undefined || Number.isNaN(moment))
    throw new RangeError(`"${now}" is no date such as 2030-12-06`);
  return moment;
}
