import { readFileSync } from 'node:fs';
import {
  CALLBACK,
  FLAG,
  isListOf,
  isRecord,
  maskUrls,
  type OptionRule,
  optionProblems,
  wholeNumber,
} from '#spec';
import { type CredentialSource, sourceProblem } from '../credentials/source.ts';
import { type Hooks, hooksProblem } from '../hooks/hooks.ts';
import { type OwnLaw, ownLawProblem } from '../laws/all-laws.ts';
import type { Fetch } from '../send/client.ts';

/**
 * What affects the verdict beside promises: `stability`, operations whose `x-stability` is `draft`, `experimental`,
 * `alpha` or `beta`; `statuses`, undocumented 4xx (403, 404, 409); `cells`, documented statuses that no client can trigger
 * from the document alone; `presumed`, facts with one sign only; `all` of them.
 */
export const STRICT_PARTS = ['stability', 'statuses', 'cells', 'presumed', 'all'] as const;

export type StrictPart = (typeof STRICT_PARTS)[number];

/**
 * The options of {@link check} and {@link prepare}. Only `target` and `document` are required; `undefined` counts as
 * absent. A wrong type, a number outside its range and an unknown option are rejected with a {@link SettingsError}.
 */
export interface CheckOptions {
  /** Base URL of the target (http or https), including its path prefix: `http://127.0.0.1:4020/v1`. */
  readonly target: string;
  /** Path or http(s) URL of the OpenAPI 3.0 or 3.1 document, YAML or JSON. */
  readonly document: string;
  /** Folders, files and http(s) URLs that `$ref`s may refer to beyond the document's own folder or host. Default: none. */
  readonly allowRefs?: readonly string[] | undefined;
  /** Paths or http(s) URLs of OpenAPI Overlays (1.0 or 1.1), applied to the document in this order. Default: none. */
  readonly overlays?: readonly string[] | undefined;
  /** Whether to reject the document for what is otherwise a warning. Default: false. */
  readonly strictDocument?: boolean | undefined;
  /**
   * The credential of each security scheme that has none in `credentials`; for HTTP Basic `USER:PASSWORD`, or a user
   * without a password. No report, message or log contains it, in any encoding. An empty text counts as none. Default:
   * none.
   */
  readonly apiKey?: string | undefined;
  /**
   * Credentials by the name of their security scheme, or by that name in the form of an environment variable (`PET_STORE`
   * for `pet-store`); secret like `apiKey`. Each is a value or a source. Credentials from a source are renewed when they
   * are rejected (401) or about to expire. An empty text counts as none. Default: none.
   */
  readonly credentials?: Readonly<Record<string, CredentialSource>> | undefined;
  /** Custom code that runs around the run and its requests. Default: none. */
  readonly hooks?: Hooks | undefined;
  /** A shell command that implements hooks by JSON lines; they run after those of `hooks`. Default: none. */
  readonly hook?: string | undefined;
  /** Custom rules, in addition to the built-in ones. Default: none. */
  readonly laws?: readonly OwnLaw[] | undefined;
  /**
   * Paths of a client certificate with its chain, and of its unencrypted private key, for an https target: PEM, in one
   * file or two. Default: none.
   */
  readonly clientCert?: string | readonly string[] | undefined;
  /** Whether to skip verifying the certificate of an https target. Default: false. */
  readonly insecure?: boolean | undefined;
  /** Headers of every request, for gateways and tenants. Default: none. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Whether unsafe methods may be sent. Required unless the target is on loopback (default: true) or `stateless`. */
  readonly writes?: boolean | undefined;
  /**
   * Regular expressions for case ids, or `tag:NAME`: run the cases that match one of them, except those that match one
   * with a leading `!`. Default: all.
   */
  readonly only?: string | readonly string[] | undefined;
  /**
   * `K/N`: run only the Kth of N parts of the run, 1/N to N/N, at most 1000. `mergeReports` merges their reports. Default:
   * the whole run.
   */
  readonly shard?: string | undefined;
  /**
   * Operations that may be called although they may change records that the run did not create: operationId, `METHOD
   * /path`, `tag:NAME` or `all`. It does not permit writes as such (`writes`). Default: none.
   */
  readonly allow?: readonly string[] | undefined;
  /** Operations that are never called, not even for set-up; in the same forms. Default: none. */
  readonly exclude?: readonly string[] | undefined;
  /**
   * Whether the target may be damaged: all operations are called (`allow: ['all']`), unsafe requests are sent in parallel
   * and as races, and credentials that differ slightly from the run's. Default: false, with at most one unsafe request in
   * flight.
   */
  readonly disposable?: boolean | undefined;
  /** Whether to send nothing, and report what would be sent. Default: false. */
  readonly plan?: boolean | undefined;
  /** Values that are valid at the target, by name of the property or parameter. Default: none. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /**
   * Paths of YAML or JSON files with a request body each, by the operation that creates a record with it: an operationId
   * or `METHOD /path`. Default: none.
   */
  readonly bodies?: Readonly<Record<string, string>> | undefined;
  /**
   * The URL at which the target can reach the run, which listens there for callbacks. Default: an address of this machine
   * if the target is on loopback; otherwise callbacks are not checked.
   */
  readonly callbackUrl?: string | undefined;
  /** Whether the target has no state: each status is requested with `Prefer: code=`. Default: false. */
  readonly stateless?: boolean | undefined;
  /** What affects the verdict in addition to promises. Default: none. */
  readonly strict?: readonly StrictPart[] | undefined;
  /** Path of a YAML or JSON list of findings that are waived until a date. Default: none. */
  readonly known?: string | undefined;
  /** Whether the file of `known` may be missing, as `updateKnown` writes it from the report. Default: false. */
  readonly accept?: boolean | undefined;
  /** Whether the report contains every exchange of the run, for a HAR file. Default: false. */
  readonly recordExchanges?: boolean | undefined;
  /** Path of a YAML or JSON file with requests for statuses that the document gives no trigger for. Default: none. */
  readonly provoke?: string | undefined;
  /** Number of generated inputs for each operation and of random sequences for each resource: 0 to 1,000. Default: 25. */
  readonly examples?: number | undefined;
  /** The same seed generates the same inputs: 0 to 2,147,483,647. Default: 1. */
  readonly seed?: number | undefined;
  /** Seconds to wait until the target responds at all: 0 to 3,600. Default: 0. */
  readonly wait?: number | undefined;
  /** The number of cases that run in parallel: 1 to 64. Default: 4. */
  readonly jobs?: number | undefined;
  /** Maximum number of requests per second: any number above 0. Default: no limit. */
  readonly rate?: number | undefined;
  /** Timeout of an exchange in milliseconds: 1 to 600,000. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** Retries of a request after 429, 502, 503, 504 or a broken connection: 0 to 100. Default: 5. */
  readonly retries?: number | undefined;
  /** Milliseconds for which a read is repeated before it becomes a finding (replicas lag): 0 to 600,000. Default: 2,000. */
  readonly settle?: number | undefined;
  /**
   * Maximum number of records that may remain at the target since it has no operation to remove them: 0 to 100,000.
   * Default: 60; with `disposable` as many as the cases need.
   */
  readonly maxCreates?: number | undefined;
  /** Time limit of the whole run in seconds: 1 to 86,400. Default: 600. */
  readonly maxTime?: number | undefined;
  /** Aborting it ends the run: it only removes its records, and reports the results so far. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Receives notices before the first request. Default: a process warning. */
  readonly notice?: ((text: string) => void) | undefined;
  /**
   * Responds to the requests of the run instead of a socket, such as the `fetch` of a mock in this process. Default: none.
   */
  readonly fetch?: Fetch | undefined;
}

/** Allows the empty text, as from an empty environment variable. */
const isAnyText = (value: unknown) => typeof value === 'string';
const isTextList = isListOf(isAnyText);

/** RFC 9110 §5.6.2 (token); a value has no line end (§5.5). */
const isHeader = (pair: unknown) =>
  isTextList(pair) &&
  (pair as string[]).length === 2 &&
  /^[!#$%&'*+.^_`|~\w-]+$/.test((pair as string[])[0] ?? '') &&
  !/[\r\n\0]/.test((pair as string[])[1] ?? '');

const TEXT: OptionRule = { allowed: 'text', isAllowed: isAnyText };
const REQUIRED_TEXT: OptionRule = { ...TEXT, isRequired: () => true };
/** RFC 9110 §5.5 and RFC 7617 §2: headers contain no control characters. */
const CREDENTIAL: OptionRule = {
  allowed: 'text without control characters',
  isAllowed: (value) => isAnyText(value) && !/\p{Cc}/u.test(value as string),
  isSecret: true,
};
const TEXTS: OptionRule = { allowed: 'a list of texts', isAllowed: isTextList };
const TEXT_OR_TEXTS: OptionRule = {
  allowed: 'text or a list of texts',
  isAllowed: (value) => isAnyText(value) || isTextList(value),
};

const MOST_SHARDS = 1000;

function isShard(value: unknown): boolean {
  const [, number, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(String(value)) ?? [];
  return isAnyText(value) && Number(number) >= 1 && Number(number) <= Number(of) && Number(of) <= MOST_SHARDS;
}

const RULES = {
  target: REQUIRED_TEXT,
  document: REQUIRED_TEXT,
  allowRefs: { ...TEXTS, default: [] },
  overlays: { ...TEXTS, default: [] },
  strictDocument: { ...FLAG, default: false },
  apiKey: CREDENTIAL,
  credentials: {
    allowed: 'an object of credentials by security scheme, each without control characters',
    isAllowed: (value) =>
      isRecord(value) && Object.values(value).every((one) => sourceProblem(one) === undefined),
    isSecret: true,
    problem: (value) =>
      Object.entries(isRecord(value) ? value : {}).flatMap(([name, source]) => {
        const problem = sourceProblem(source);
        return problem === undefined ? [] : `${name}: ${problem}`;
      })[0],
  },
  hooks: {
    default: {},
    allowed: 'an object of functions',
    isAllowed: (value) => hooksProblem(value) === undefined,
    problem: hooksProblem,
    isSecret: true,
  },
  hook: TEXT,
  laws: {
    allowed: 'a list of { name, judge }',
    isAllowed: (value) => ownLawProblem(value) === undefined,
    problem: ownLawProblem,
    isSecret: true,
  },
  clientCert: TEXT_OR_TEXTS,
  insecure: { ...FLAG, default: false },
  headers: {
    default: [],
    allowed: 'a list of [name, value], as HTTP allows them',
    isAllowed: (value) => Array.isArray(value) && value.every(isHeader),
    isSecret: true,
  },
  writes: { ...FLAG, default: true },
  only: TEXT_OR_TEXTS,
  shard: {
    allowed: `K/N: the Kth of N parts, 1/N to N/N, with N at most ${MOST_SHARDS}`,
    isAllowed: isShard,
  },
  allow: TEXTS,
  exclude: TEXTS,
  disposable: { ...FLAG, default: false },
  plan: { ...FLAG, default: false },
  values: {
    default: {},
    allowed: 'an object of texts',
    isAllowed: (value) => isRecord(value) && Object.values(value).every(isAnyText),
  },
  bodies: {
    allowed: 'an object of paths of files by operation',
    isAllowed: (value) => isRecord(value) && Object.values(value).every(isAnyText),
  },
  callbackUrl: TEXT,
  stateless: { ...FLAG, default: false },
  strict: {
    allowed: `a list of ${STRICT_PARTS.join(', ')}`,
    isAllowed: (value) => Array.isArray(value) && value.every((part) => STRICT_PARTS.includes(part)),
  },
  known: TEXT,
  accept: FLAG,
  recordExchanges: { ...FLAG, default: false },
  provoke: TEXT,
  examples: { ...wholeNumber(0, 1000), default: 25 },
  seed: { ...wholeNumber(0, 2 ** 31 - 1), default: 1 },
  wait: { ...wholeNumber(0, 3600), default: 0 },
  jobs: { ...wholeNumber(1, 64), default: 4 },
  rate: {
    allowed: 'a number above 0',
    isAllowed: (value) => Number.isFinite(value) && (value as number) > 0,
  },
  timeout: { ...wholeNumber(1, 600_000), default: 10_000 },
  retries: { ...wholeNumber(0, 100), default: 5 },
  settle: { ...wholeNumber(0, 600_000), default: 2000 },
  maxCreates: wholeNumber(0, 100_000),
  maxTime: { ...wholeNumber(1, 86_400), default: 600 },
  signal: { allowed: 'an AbortSignal', isAllowed: (value) => value instanceof AbortSignal },
  notice: CALLBACK,
  fetch: CALLBACK,
} as const satisfies Readonly<Record<keyof CheckOptions, OptionRule>>;

/** The names of all options. */
export const OPTION_NAMES = Object.keys(RULES) as readonly (keyof CheckOptions)[];

type WithDefault = {
  [Name in keyof typeof RULES]: (typeof RULES)[Name] extends { readonly default: unknown } ? Name : never;
}[keyof typeof RULES];

/** The options that have a default, with a value each. */
export type WithDefaults = { readonly [Name in WithDefault]: NonNullable<CheckOptions[Name]> };

export function withDefaults(options: CheckOptions): WithDefaults {
  const rules = Object.entries<OptionRule>(RULES).filter(([, rule]) => rule.default !== undefined);
  return Object.fromEntries(
    rules.map(([name, rule]) => [name, options[name as WithDefault] ?? rule.default]),
  ) as unknown as WithDefaults;
}

/** @throws SettingsError for an unknown option, a missing required one, or an invalid value */
export function validateOptions(options: CheckOptions): void {
  const [problem] = optionProblems(RULES, options);
  if (problem) throw new SettingsError(problem.message, problem.option);
}

/**
 * Reads a file.
 * @param about the beginning of the error message.
 * @throws SettingsError if it cannot be read
 */
export function readText(path: string, about: string, option?: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`${about}: ${(error as Error).message}`, option);
  }
}

/**
 * An invalid option. The message says what was received and what is allowed: `option retries must be a whole number from 0
 * to 100, not -1`.
 */
export class SettingsError extends Error {
  override name = 'SettingsError';
  /** The option at the start of the message, by its name in {@link CheckOptions}; undefined: it starts otherwise. */
  readonly option: string | undefined;
  /** Which of its members is wrong; undefined: not a single one. */
  readonly member: string | undefined;

  constructor(message: string, option?: string, member?: string) {
    super(maskUrls(message));
    this.option = option;
    this.member = member;
  }
}
