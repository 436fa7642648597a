import type { Https } from '#certificates';
import { fakerLocales, ownName, show, warn } from '#platform';
import { type Contract, isRecord } from '#spec';
import type { OperationsCode, SeedCode } from './code/code.ts';
import { defaultParts, type Parts } from './engine/parts.ts';
import { type AcceptedKeys, LONGEST_KEY } from './http/authenticate.ts';
import type { Recording } from './records/recorded/recorded-traffic.ts';
import { allowedLocales, findLocale } from './records/seed/locale.ts';
import type { Log } from './server/listen.ts';
import { type Delay, delayOf, LATENCY } from './sessions/preferences/delay.ts';
import { readMoment, type Time } from './sessions/session.ts';
import { type OpenStore, StoreError } from './store/port.ts';
import type { Judge } from './upstream/judge.ts';
import type { Sources } from './upstream/sources.ts';

/**
 * Options of {@link createMock}. `undefined` is the same as absent. `P` and `O` are the `paths` and `operations` that
 * openapi-typescript generates from the document; with them code of operations has types.
 */
export interface MockOptions<P = unknown, O = unknown> {
  /** Path or http(s) URL of an OpenAPI 3.0 or 3.1 document, or a contract that was loaded from one. Required, unless there are several. */
  readonly document?: string | URL | Contract | undefined;
  /**
   * Several documents in place of one, each at the host and base path of its first server, or below a path:
   * `{ document: 'users.yaml', at: '/users' }`. They share records' store, sessions, log, clock and keys. Default: none.
   */
  readonly documents?: readonly (string | URL | Contract | MountedDocument)[] | undefined;
  /**
   * What members and path parameters of one document name in another: by a collection's whole path, a number sign and the
   * name, the whole path of the other collection. Default: nothing.
   */
  readonly relate?: Readonly<Record<string, string>> | undefined;
  /**
   * Folders, files and http(s) URLs beyond the document's own folder or host that its `$ref`s may name.
   * Default: none.
   */
  readonly allowRefs?: readonly string[] | undefined;
  /**
   * Paths or http(s) URLs of OpenAPI Overlays (1.0 or 1.1), applied to the document in this order. Default: none.
   */
  readonly overlays?: readonly string[] | undefined;
  /** Strict: refuse what is otherwise a warning. Default: false. */
  readonly strictDocument?: boolean | undefined;
  /** From 0 to 65,535; 0 takes a free port; `false` opens no socket, for {@link Mock.fetch} only. Default: 0. */
  readonly port?: number | false | undefined;
  /** The address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Speak https: `true` with a certificate for localhost, 127.0.0.1 and ::1 that Paddock makes and keeps, or with one of
   * your own, `{ cert, key }`: paths of PEM files. Default: false, plain http.
   */
  readonly https?: Https | undefined;
  /**
   * The accepted API keys, each of 1 to 256 bytes, or `any`. Default: {@link BUILT_IN_KEY}; with an `upstream`, whose keys the
   * mock does not know, `any`.
   */
  readonly apiKeys?: AcceptedKeys | undefined;
  /**
   * By the name of a security scheme, the credential that alone is accepted under it, of 1 to 256 bytes; for HTTP Basic
   * `USER:PASSWORD`, or one of both. Default: {@link MockOptions.apiKeys} are accepted under every scheme.
   */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /**
   * A whole number; the same seed makes the same records. Or a function that gives records which collections begin with; the
   * seed is then 1. Default: 1.
   */
  readonly seed?: number | SeedCode | undefined;
  /** Functions that respond to operations, by operationId or `GET /things/{thingId}`. Default: none. */
  readonly operations?: OperationsCode<P, O> | undefined;
  /**
   * Base URL (http or https) of a real service, with the path prefix of its deployment: it responds to what it has, and the
   * mock to the rest. Credentials of clients are passed on. Default: none.
   */
  readonly upstream?: string | URL | undefined;
  /**
   * Who responds where there is an `upstream`: `real`, `mock`, or `auto`, which is the mock where the real service lacks the
   * operation. By operationId, `GET /things`, `tag:NAME` or `all`. Default: `auto`.
   */
  readonly sources?: Sources | undefined;
  /** Milliseconds after which a response of the `upstream` is not waited for, from 1 to 600,000. Default: 30,000. */
  readonly upstreamTimeout?: number | undefined;
  /**
   * Judges what the `upstream` responds: `judgeTraffic` of `openapi-paddock/check`. What it finds is in the log and in
   * {@link Mock.requests}. Default: nothing is judged.
   */
  readonly judge?: Judge | undefined;
  /**
   * The language of the records: names, addresses, phone numbers and texts. BCP 47 or a locale of faker, such as `de`, `de-AT`
   * or `pt_BR`; in a browser there is English alone. Default: `x-locale` of the document, at its root or in `info`, else `en`.
   */
  readonly locale?: string | undefined;
  /** How many records each collection starts with, from 0 to 10,000,000. Default: 50. */
  readonly count?: number | undefined;
  /**
   * Whether collections begin with the records that the document shows in its examples: true wherever these are valid,
   * false never. Default: where a path of the document names one of them.
   */
  readonly examplesFirst?: boolean | undefined;
  /** Whether the path of the document's first server precedes each path. Default: true. */
  readonly basePath?: boolean | undefined;
  /** The longest request body in bytes, from 1 to 2^30; longer ones get 413. Default: 2^20 (1 MiB). */
  readonly maxBody?: number | undefined;
  /** Seed files (YAML or JSON) in the form of {@link Mock.state}, for the collections that they name. Default: none. */
  readonly fixtures?: readonly (string | URL)[] | undefined;
  /**
   * A folder of seed files: each is a scenario, which sessions are switched to by its name (`/__admin/scenarios`), and where
   * the console keeps those that it makes. Default: none; scenarios last as long as the mock.
   */
  readonly scenarios?: string | undefined;
  /**
   * Recorded traffic: each collection that it shows begins with the records that it shows, and no others; of the others
   * nothing changes. A collection that a seed file names begins with that. Called at the start, and for each changed
   * document. Default: none.
   */
  readonly recorded?: Recording | undefined;
  /** `memory`, `file:PATH` (SQLite) or `postgres://...`, which several mocks may share. Default: `memory`. */
  readonly store?: string | undefined;
  /**
   * The name of this mock among those that share its store, in responses of `/__admin`: 1 to 256 printable ASCII
   * characters without spaces. Default: host name and process id.
   */
  readonly replica?: string | undefined;
  /**
   * How long each response of an operation is delayed: milliseconds from 0 to 600,000, or a range of them.
   * Default: 0.
   */
  readonly latency?: Delay | number | undefined;
  /**
   * Sets the mock's clock, which then runs on, and from their day of removal on operations respond with 410:
   * a `Date`, or an RFC 3339 date or date-time. Default: no clock, and no operation is removed.
   */
  readonly now?: Date | string | undefined;
  /** The bearer token of the control API, 1 to 256 bytes. Default: none; only this machine may use the control API. */
  readonly adminToken?: string | undefined;
  /** The maximum number of named sessions, from 1; above it the one idle the longest is removed. Default: 1000. */
  readonly maxSessions?: number | undefined;
  /** Milliseconds without a request after which a named session is removed, from 0. Default: 3,600,000 (1 hour). */
  readonly sessionIdle?: number | undefined;
  /**
   * Hosts beside this machine that callbacks and webhooks are sent to: names, each with a port or without. Default: none;
   * what is to be sent elsewhere is withheld, and the log of webhooks says so.
   */
  readonly callbackHosts?: readonly string[] | undefined;
  /**
   * Signs callbacks and webhooks whose document has a header for a signature, as the Standard Webhooks specification says:
   * base64, with `whsec_` before it or without. Default: none; nothing is signed.
   */
  readonly webhookSecret?: string | undefined;
  /** Reloads the document when its files change, and keeps the records that fit. Default: false. */
  readonly watch?: boolean | undefined;
  /** Returns the current time in milliseconds since 1970. Default: `Date.now`. */
  readonly time?: Time | undefined;
  /** Receives each exchange over the socket. Default: ignored. */
  readonly log?: Log | undefined;
  /**
   * Whether each response says in the header `Paddock-Trace` why it is what it is; else those to requests that have the header
   * `Paddock-Trace: 1`. Default: false.
   */
  readonly trace?: boolean | undefined;
  /** Receives what the mock does on its own, such as removing a session. Default: ignored. */
  readonly notice?: ((text: string) => void) | undefined;
  /** Receives the progress of filling a large collection at the start. Default: ignored. */
  readonly progress?: ((text: string) => void) | undefined;
  /** Receives unexpected errors, which clients see as a 500 without details. Default: `process.emitWarning`. */
  readonly onBug?: ((error: unknown) => void) | undefined;
  /**
   * Replaces named parts of the engine. Default: none.
   * @experimental See {@link Parts}.
   */
  readonly parts?: Partial<Parts> | undefined;
}

/** A document below a path. */
export interface MountedDocument {
  readonly document: string | URL | Contract;
  /** `/users` */
  readonly at: string;
}

type Given = { readonly [K in keyof MockOptions]-?: NonNullable<MockOptions[K]> };

export interface ResolvedOptions
  extends Omit<
    Given,
    | 'adminToken'
    | 'examplesFirst'
    | 'locale'
    | 'log'
    | 'parts'
    | 'latency'
    | 'now'
    | 'recorded'
    | 'scenarios'
    | 'seed'
    | 'store'
    | 'upstream'
    | 'judge'
    | 'webhookSecret'
  > {
  /** Undefined: no real service is behind the mock. */
  readonly upstream: URL | undefined;
  /** Undefined: what it responds is not judged. */
  readonly judge: Judge | undefined;
  /** Undefined: scenarios are kept in memory. */
  readonly scenarios: string | undefined;
  readonly seed: number;
  /** Undefined: no code gives records. */
  readonly seedCode: SeedCode | undefined;
  readonly examplesFirst: boolean | undefined;
  /** Undefined: the document may say it. */
  readonly locale: string | undefined;
  readonly adminToken: string | undefined;
  /** Undefined: nothing is signed. */
  readonly webhookSecret: string | undefined;
  /** Undefined: there is no recorded traffic. */
  readonly recorded: Recording | undefined;
  /** Undefined: nobody reads it. */
  readonly log: Log | undefined;
  readonly trace: boolean;
  readonly parts: Parts;
  readonly latency: Delay;
  /** In milliseconds since 1970; undefined: no clock. */
  readonly now: number | undefined;
}

/** The API key that a mock accepts if `apiKeys` is not given. */
export const BUILT_IN_KEY = 'paddock-dev-key';

const DEFAULTS = {
  documents: [],
  relate: {},
  allowRefs: [],
  overlays: [],
  strictDocument: false,
  port: 0,
  host: '127.0.0.1',
  https: false,
  apiKeys: [BUILT_IN_KEY],
  credentials: {},
  seed: 1,
  operations: {},
  upstream: undefined,
  sources: {},
  upstreamTimeout: 30_000,
  judge: undefined,
  locale: undefined,
  count: 50,
  examplesFirst: undefined,
  basePath: true,
  maxBody: 2 ** 20,
  fixtures: [],
  recorded: undefined,
  scenarios: undefined,
  replica: ownName(),
  adminToken: undefined,
  maxSessions: 1000,
  sessionIdle: 3_600_000,
  callbackHosts: [],
  webhookSecret: undefined,
  watch: false,
  time: Date.now,
  log: undefined,
  trace: false,
  notice: () => {},
  progress: () => {},
  onBug: warn,
};

interface Allowed {
  readonly allowed: string | ((value: unknown) => string);
  readonly isAllowed: (value: unknown) => boolean;
  /** The value may hold a credential, and no message repeats it. */
  readonly isSecret?: boolean;
}

const isInteger = (low: number, high: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= low && Number(value) <= high;
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem);
const isKey = (value: unknown) =>
  isText(value) && new TextEncoder().encode(value as string).length <= LONGEST_KEY;

/** As the host of a URL is written, in lower case. */
const isHost = (value: unknown) =>
  typeof value === 'string' &&
  !value.includes('*') &&
  // A scheme hides the port that is its own.
  ['http', 'https'].some((scheme) => URL.parse(`${scheme}://${value}`)?.host === value);
const isDocument = (value: unknown) =>
  isText(value) || value instanceof URL || (isRecord(value) && 'operations' in value);
const isMounted = (value: unknown) =>
  isRecord(value) &&
  isDocument(value.document) &&
  typeof value.at === 'string' &&
  // The mock's own paths are its control API and those of sessions.
  /^(?!\/(?:__admin(?:\/|$)|~))(?:\/[^/?#{}\s]+)+$/.test(value.at) &&
  Object.keys(value).length === 2;

const FLAG: Allowed = { allowed: 'true or false', isAllowed: (value) => typeof value === 'boolean' };
const CALLBACK: Allowed = { allowed: 'a function', isAllowed: (value) => typeof value === 'function' };

const OPTIONS: Readonly<Record<keyof MockOptions, Allowed>> = {
  document: { allowed: 'a path, a URL or a contract', isAllowed: isDocument },
  documents: {
    allowed: "a list of at least one document, or of { document, at: '/path' }",
    isAllowed: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => isDocument(one) || isMounted(one)),
  },
  relate: {
    allowed: "an object such as { '/orders#userId': '/users' }",
    isAllowed: (value) => isRecord(value) && Object.values(value).every(isText),
  },
  allowRefs: { allowed: 'a list of folders, files and URLs', isAllowed: isListOf(isText) },
  overlays: { allowed: 'a list of paths and URLs', isAllowed: isListOf(isText) },
  strictDocument: FLAG,
  port: {
    allowed: 'a whole number from 0 to 65535, or false',
    isAllowed: (value) => value === false || isInteger(0, 65_535)(value),
  },
  host: { allowed: 'an address', isAllowed: isText },
  https: {
    allowed: 'true, false or { cert, key } with the paths of both',
    isAllowed: (value) =>
      typeof value === 'boolean' || (isRecord(value) && isText(value.cert) && isText(value.key)),
  },
  apiKeys: {
    allowed: `"any" or a list of keys of 1 to ${LONGEST_KEY} bytes`,
    isAllowed: (value) => value === 'any' || (isListOf(isKey)(value) && (value as unknown[]).length > 0),
    isSecret: true,
  },
  credentials: {
    allowed: `an object of credentials by security scheme, each of 1 to ${LONGEST_KEY} bytes`,
    isAllowed: (value) => isRecord(value) && Object.values(value).every(isKey),
    isSecret: true,
  },
  seed: {
    allowed: 'a whole number or a function',
    isAllowed: (value) => Number.isSafeInteger(value) || typeof value === 'function',
  },
  operations: {
    allowed: 'an object of functions by operationId or "GET /path"',
    isAllowed: (value) =>
      isRecord(value) && Object.values(value).every((one) => one === undefined || typeof one === 'function'),
  },
  upstream: {
    allowed: 'a URL with http or https, without credentials, query and fragment',
    isAllowed: (value) => baseOf(value) !== undefined,
    // A URL may hold a password.
    isSecret: true,
  },
  sources: {
    allowed: 'an object of "real", "mock" or "auto" by operationId, "GET /path", "tag:NAME" or "all"',
    isAllowed: (value) => isRecord(value) && Object.values(value).every((one) => SOURCES.includes(one)),
  },
  upstreamTimeout: { allowed: 'milliseconds from 1 to 600000', isAllowed: isInteger(1, 600_000) },
  judge: CALLBACK,
  locale: {
    allowed: allowedLocales,
    // Where English is all that there is, a notice says so.
    isAllowed: (value) =>
      typeof value === 'string' && (findLocale(value) !== undefined || fakerLocales().length === 1),
  },
  count: { allowed: 'a whole number from 0 to 10000000', isAllowed: isInteger(0, 10_000_000) },
  examplesFirst: FLAG,
  basePath: FLAG,
  trace: FLAG,
  maxBody: { allowed: `a number of bytes from 1 to ${2 ** 30}`, isAllowed: isInteger(1, 2 ** 30) },
  fixtures: {
    allowed: 'a list of paths and file URLs',
    isAllowed: isListOf((file) => isText(file) || (file instanceof URL && file.protocol === 'file:')),
  },
  recorded: CALLBACK,
  scenarios: { allowed: 'the path of a folder', isAllowed: isText },
  store: { allowed: 'memory, file:PATH or postgres://...', isAllowed: isText, isSecret: true },
  replica: {
    allowed: '1 to 256 printable ASCII characters without spaces',
    isAllowed: (value) => typeof value === 'string' && /^[\x21-\x7e]{1,256}$/.test(value),
  },
  latency: LATENCY,
  now: {
    allowed: 'a date such as 2030-12-06 or 2030-12-06T12:00:00Z',
    isAllowed: (value) => momentOf(value) !== undefined,
  },
  adminToken: { allowed: `a text of 1 to ${LONGEST_KEY} bytes`, isAllowed: isKey, isSecret: true },
  maxSessions: { allowed: 'a whole number from 1', isAllowed: isInteger(1, Number.MAX_SAFE_INTEGER) },
  sessionIdle: {
    allowed: 'milliseconds from 0',
    isAllowed: (value) => typeof value === 'number' && value >= 0,
  },
  callbackHosts: {
    allowed: 'a list of host names such as hooks.example or hooks.example:8443',
    isAllowed: isListOf(isHost),
  },
  webhookSecret: {
    allowed: 'base64, with whsec_ before it or without',
    isAllowed: (value) => typeof value === 'string' && /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(value),
    isSecret: true,
  },
  watch: FLAG,
  time: CALLBACK,
  log: CALLBACK,
  notice: CALLBACK,
  progress: CALLBACK,
  onBug: CALLBACK,
  parts: { allowed: 'an object of parts', isAllowed: isRecord },
};

/**
 * Validates the options and fills in defaults.
 * @throws RangeError with everything that is wrong with them; StoreError when the store cannot be used.
 */
export function resolveOptions(given: MockOptions, storeAt: (address: string) => OpenStore): ResolvedOptions {
  if (!isRecord(given))
    throw new RangeError("options must be an object such as { document: 'openapi.yaml' }");
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const options = Object.fromEntries(entries) as Partial<Given>;
  const isNeeded = options.documents === undefined;
  const names = Object.keys(options).filter((name) => !isNeeded || name !== 'document');
  const problems = [...(isNeeded ? ['document'] : []), ...names].flatMap((name) =>
    problemWith(name, options[name as keyof MockOptions]),
  );
  if (options.documents && options.document !== undefined)
    problems.push('options document and documents exclude each other');
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  if (options.https && options.port === false)
    throw new RangeError('option https: without a socket (port: false) there is nothing to encrypt');
  const { parts, store, latency = 0, now, seed, upstream, ...others } = options;
  if (upstream === undefined && Object.keys(others.sources ?? {}).length > 0)
    throw new RangeError('option sources needs a real service: name it with upstream');
  if (others.watch && store?.startsWith('postgres')) {
    throw new StoreError('a store that mocks share takes no watched document: restart the replicas in turn');
  }
  return {
    ...DEFAULTS,
    ...(upstream !== undefined && { apiKeys: 'any' as const }),
    // Where there are several, nobody asks for it.
    document: '',
    ...others,
    upstream: baseOf(upstream),
    parts: { ...defaultParts, ...(store !== undefined && { store: storeAt(store) }), ...parts },
    seed: typeof seed === 'number' ? seed : DEFAULTS.seed,
    seedCode: typeof seed === 'function' ? seed : undefined,
    latency: delayOf(latency),
    now: momentOf(now),
  };
}

function problemWith(name: string, value: unknown): string | [] {
  if (!Object.hasOwn(OPTIONS, name)) {
    return `unknown option ${JSON.stringify(name)}; there are ${Object.keys(OPTIONS).join(', ')}`;
  }
  const { allowed, isAllowed, isSecret } = OPTIONS[name as keyof MockOptions];
  if (isAllowed(value)) return [];
  const received = isSecret ? `what was given (${typeof value})` : show(value);
  const wanted = typeof allowed === 'string' ? allowed : allowed(value);
  return `option ${name} must be ${wanted}, not ${received}`;
}

const SOURCES: readonly unknown[] = ['real', 'mock', 'auto'];

/** Undefined: no base URL of a service. */
function baseOf(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : value instanceof URL ? value : null;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username + url.password + url.search + url.hash === '' ? url : undefined;
}

/** Undefined: no valid date. */
function momentOf(now: unknown): number | undefined {
  const moment = typeof now === 'string' ? readMoment(now) : now instanceof Date ? now.getTime() : undefined;
  return Number.isNaN(moment) ? undefined : moment;
}
