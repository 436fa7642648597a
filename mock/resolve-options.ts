import { fakerLocales, ownName, warn } from '#platform';
import {
  CALLBACK,
  FLAG,
  isListOf,
  isRecord,
  isText,
  type OptionRule,
  type OptionRules,
  optionProblems,
  wholeNumber,
} from '#spec';
import type { SeedCode } from './code/code.ts';
import { defaultParts, type Parts } from './engine/parts.ts';
import { LONGEST_KEY } from './http/authenticate.ts';
import type { MockOptions } from './options.ts';
import type { Recording } from './records/recorded/recorded-traffic.ts';
import { allowedLocales, findLocale } from './records/seed/locale.ts';
import type { Log } from './server/listen.ts';
import { type Delay, delayOf, LATENCY, readMoment } from './sessions/preferences/delay.ts';
import { type OpenStore, StoreError } from './store/port.ts';
import type { Judge } from './upstream/judge.ts';

type RequiredOptions = { readonly [K in keyof MockOptions]-?: NonNullable<MockOptions[K]> };

export interface ResolvedOptions
  extends Omit<
    RequiredOptions,
    | 'adminToken'
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
  /** Undefined: the mock is in front of no real service. */
  readonly upstream: URL | undefined;
  /** Undefined: its responses are not validated. */
  readonly judge: Judge | undefined;
  /** Undefined: scenarios are kept in memory. */
  readonly scenarios: string | undefined;
  readonly seed: number;
  /** Undefined: there is no seed code. */
  readonly seedCode: SeedCode | undefined;
  /** Undefined: the document may state it. */
  readonly locale: string | undefined;
  readonly adminToken: string | undefined;
  /** Undefined: nothing is signed. */
  readonly webhookSecret: string | undefined;
  /** Undefined: there is no recorded traffic. */
  readonly recorded: Recording | undefined;
  /** Undefined: there is no log. */
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

const isKey = (value: unknown) =>
  isText(value) && new TextEncoder().encode(value as string).length <= LONGEST_KEY;

/** In the form of a URL's host, in lower case. */
const isHost = (value: unknown) =>
  typeof value === 'string' &&
  !value.includes('*') &&
  // URLs omit the default port of their scheme.
  ['http', 'https'].some((scheme) => URL.parse(`${scheme}://${value}`)?.host === value);
const isDocument = (value: unknown) =>
  isText(value) || value instanceof URL || (isRecord(value) && 'operations' in value);
const isMounted = (value: unknown) =>
  isRecord(value) &&
  isDocument(value.document) &&
  typeof value.at === 'string' &&
  // The mock's own paths are those of the control API and of sessions.
  /^(?!\/(?:__admin(?:\/|$)|~))(?:\/[^/?#{}\s]+)+$/.test(value.at) &&
  Object.keys(value).length === 2;

export const MOCK_OPTIONS: Readonly<Record<keyof MockOptions, OptionRule>> = {
  document: {
    allowed: 'a path, a URL or a contract',
    isAllowed: isDocument,
    isRequired: ({ documents }) => documents === undefined,
  },
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
    isAllowed: (value) => value === false || wholeNumber(0, 65_535).isAllowed(value),
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
  upstreamTimeout: wholeNumber(1, 600_000, 'milliseconds'),
  judge: CALLBACK,
  locale: {
    allowed: allowedLocales,
    // If only English is available, a notice is given.
    isAllowed: (value) =>
      typeof value === 'string' && (findLocale(value) !== undefined || fakerLocales().length === 1),
  },
  count: wholeNumber(0, 10_000_000),
  basePath: FLAG,
  trace: FLAG,
  maxBody: wholeNumber(1, 2 ** 30, 'a number of bytes'),
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
    allowed: 'a date such as 2030-12-06 or 2030-12-06T12:00:00Z, or today',
    isAllowed: (value) => momentOf(value) !== undefined,
  },
  adminToken: { allowed: `a text of 1 to ${LONGEST_KEY} bytes`, isAllowed: isKey, isSecret: true },
  maxSessions: {
    allowed: 'a whole number from 1',
    isAllowed: wholeNumber(1, Number.MAX_SAFE_INTEGER).isAllowed,
  },
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
 * @param rules the allowed values of each option
 * @throws RangeError with all problems; StoreError if the store cannot be used.
 */
export function resolveOptions(
  input: MockOptions,
  storeAt: (address: string) => OpenStore,
  rules: OptionRules = MOCK_OPTIONS,
): ResolvedOptions {
  const problems = optionProblems(rules, input).map(({ message }) => message);
  if (input?.documents && input.document !== undefined)
    problems.push('options document and documents exclude each other');
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  const options = Object.fromEntries(entries) as Partial<RequiredOptions>;
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
    // Unused if there are several documents.
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

const SOURCES: readonly unknown[] = ['real', 'mock', 'auto'];

/** Undefined: it is no valid base URL. */
function baseOf(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : value instanceof URL ? value : null;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username + url.password + url.search + url.hash === '' ? url : undefined;
}

/** Undefined: it is no valid date. */
function momentOf(now: unknown): number | undefined {
  const moment = typeof now === 'string' ? readMoment(now) : now instanceof Date ? now.getTime() : undefined;
  return Number.isNaN(moment) ? undefined : moment;
}
