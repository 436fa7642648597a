import { type KnownFinding, readKnown } from './known.ts';
import type { JudgeName } from './opinions/find-judge.ts';
import { SettingsError } from './settings-error.ts';

/** What a caller may say about a run; everything but the target has a default. */
export interface CheckOptions {
  /** Base URL of the target, with the path prefix of its deployment: `http://127.0.0.1:4020/v1`. */
  readonly target: string;
  /** Path or URL of the OpenAPI document. */
  readonly document: string;
  /** What its references may lead to beyond its own folder or host: folders, files, http(s) URLs. */
  readonly allowRefs?: readonly string[];
  readonly apiKey?: string | undefined;
  /** Sent with every request, for gateways and tenants. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Whether unsafe methods may be sent. Undefined: on loopback only. */
  readonly writes?: boolean | undefined;
  /** Regular expressions over case ids. */
  readonly only?: string | undefined;
  readonly skip?: string | undefined;
  /** Values known to be good on the target, by member or parameter name. */
  readonly values?: Readonly<Record<string, string>>;
  /** The target keeps no state: each status is asked for with `Prefer: code=`. */
  readonly stateless?: boolean;
  readonly strictStability?: boolean;
  /** Near misses of the key may be sent. Undefined: on loopback only. */
  readonly probeKey?: boolean | undefined;
  /** File of findings that are accepted until a date. */
  readonly known?: string | undefined;
  /** Generated inputs for each operation, valid and invalid. */
  readonly examples?: number;
  /** Parallel requests for the run's own records. Undefined: they are sent wherever writes are. */
  readonly races?: boolean | undefined;
  readonly seed?: number;
  /** Seconds to wait for the target to answer at all. */
  readonly wait?: number;
  /** Requests in a second at most. */
  readonly rate?: number | undefined;
  /** Milliseconds for one exchange. */
  readonly timeout?: number;
  readonly retries?: number;
  /** Milliseconds for which a read that comes too early is repeated. */
  readonly settle?: number;
  readonly maxCreates?: number;
  /** Seconds for the whole run. */
  readonly maxTime?: number;
  /** Outside judges to ask about the run; they must be installed in the working directory. */
  readonly opinions?: readonly JudgeName[];
}

/** The options of a run, resolved once; never changed after. */
export interface Settings {
  readonly base: URL;
  /** The target is on the user's own machine: nobody else minds what a run leaves there. */
  readonly onLoopback: boolean;
  readonly document: string;
  readonly allowRefs: readonly string[];
  readonly apiKey: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly writes: boolean;
  readonly only: RegExp | undefined;
  readonly skip: RegExp | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly stateless: boolean;
  readonly strictStability: boolean;
  readonly probeKey: boolean;
  readonly known: readonly KnownFinding[];
  readonly examples: number;
  readonly races: boolean;
  readonly seed: number;
  readonly wait: number;
  readonly rate: number | undefined;
  readonly timeout: number;
  readonly retries: number;
  readonly settle: number;
  readonly maxCreates: number;
  readonly maxTime: number;
  readonly opinions: readonly JudgeName[];
}

/** @throws SettingsError */
export function resolveSettings(options: CheckOptions): Settings {
  const base = parseBase(options.target);
  const near = isLoopback(base);
  if (options.writes === undefined && !near && !options.stateless) {
    throw new SettingsError(
      `${base.href} is not on this machine: say --allow-writes to let the run create records there, or --read-only`,
    );
  }
  return Object.freeze({
    base,
    onLoopback: near,
    document: options.document,
    allowRefs: options.allowRefs ?? [],
    apiKey: options.apiKey === '' ? undefined : options.apiKey,
    headers: options.headers ?? [],
    writes: options.writes ?? true,
    only: parsePattern('--only', options.only),
    skip: parsePattern('--skip', options.skip),
    values: options.values ?? {},
    stateless: options.stateless ?? false,
    strictStability: options.strictStability ?? false,
    probeKey: options.probeKey ?? near,
    known: options.known === undefined ? [] : readKnown(options.known),
    examples: options.examples ?? 25,
    races: options.races ?? true,
    seed: options.seed ?? 1,
    wait: options.wait ?? 0,
    rate: options.rate,
    timeout: options.timeout ?? 10_000,
    retries: options.retries ?? 5,
    settle: options.settle ?? 2000,
    maxCreates: options.maxCreates ?? 60,
    maxTime: options.maxTime ?? 600,
    opinions: [...new Set(options.opinions)],
  });
}

function parseBase(text: string): URL {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) {
    throw new SettingsError(
      `"${text}" is no base URL: it must begin with http:// or https://, such as http://127.0.0.1:4020/v1`,
    );
  }
  if (url.username || url.password) {
    throw new SettingsError('the base URL must not hold a user or password: give the key in PADDOCK_API_KEY');
  }
  if (url.search || url.hash)
    throw new SettingsError(
      `the base URL must end with its path (${url.origin}${url.pathname}), without "?" or "#"`,
    );
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function parsePattern(option: string, text: string | undefined): RegExp | undefined {
  if (text === undefined) return undefined;
  try {
    return new RegExp(text);
  } catch (error) {
    throw new SettingsError(`${option}: ${(error as Error).message}`);
  }
}

/** RFC 6761 §6.3 (localhost), RFC 1122 §3.2.1.3 (127/8), RFC 4291 §2.5.3 (::1). */
function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
