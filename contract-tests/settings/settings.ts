import { authorityFile } from '#certificates';
import { maskUrls, namesLoopback, readSourceFile } from '#spec';
import { type CredentialSource, resolveSource } from '../credentials/source.ts';
import { compileOwnLaws } from '../laws/all-laws.ts';
import type { Law } from '../laws/law.ts';
import type { TlsSettings } from '../send/client.ts';
import { parseBase, readTls } from './base-url.ts';
import {
  type CheckOptions,
  readText,
  SettingsError,
  STRICT_PARTS,
  type StrictPart,
  validateOptions,
  type WithDefaults,
  withDefaults,
} from './check-options.ts';
import { type KnownFinding, readKnown } from './known.ts';
import { type Provocation, readProvocations } from './provoke.ts';

/** The options of a run, resolved once and frozen: {@link CheckOptions} with their defaults. */
export interface Settings
  extends WithDefaults,
    Required<
      Pick<CheckOptions, 'document' | 'hook' | 'clientCert' | 'rate' | 'maxCreates' | 'signal' | 'fetch'>
    > {
  /** The base URL, without a trailing slash. */
  readonly base: URL;
  /** The document's base paths; empty before it is read. */
  readonly basePaths: readonly string[];
  /** Whether the target is on the user's own machine: records that a run leaves there disturb nobody else. */
  readonly onLoopback: boolean;
  readonly apiKey: string | undefined;
  /** By the documented name of the security scheme. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The sources of credentials that the run obtains and renews: their current values are in `credentials`. */
  readonly sources: Readonly<Record<string, CredentialSource>>;
  /** What reports redact beside the `credentials`: secrets for obtaining them, and their first values. */
  readonly secrets: Set<string>;
  /** The later values, of which there may be hundreds. */
  readonly renewed: Set<string>;
  /** The ids of the operations for which the user's code returns values. */
  readonly prepares: ReadonlySet<string>;
  /** Custom rules. */
  readonly laws: readonly Law[];
  readonly tls: TlsSettings;
  /** The file of this user's certificate authority, if it is trusted. */
  readonly authority: string | undefined;
  /** The user's expressions. */
  readonly only: CheckOptions['only'];
  /** Whether `only` selects a case or response, by its id. */
  readonly isChosen: (id: string) => boolean;
  /** The executed part of the run, from 1. */
  readonly shard: { readonly number: number; readonly of: number } | undefined;
  /** The URL at which the target reaches the run for callbacks; undefined: on loopback, the address that it listens on. */
  readonly callbackUrl: URL | undefined;
  /** Undefined: that of the URL, else a free one. */
  readonly callbackPort: number | undefined;
  /** Bodies for creating records, by the user's operation names; once the document is read, by operation ids. */
  readonly bodies: ReadonlyMap<string, unknown>;
  /** The user's operation names; once the document is read, operation ids. */
  readonly allow: ReadonlySet<string>;
  readonly exclude: ReadonlySet<string>;
  readonly strict: ReadonlySet<StrictPart>;
  readonly known: readonly KnownFinding[];
  readonly provoke: readonly Provocation[];
  readonly notice: (text: string) => void;
}

/** @throws SettingsError for an invalid option */
export function resolveSettings(options: CheckOptions): Settings {
  validateOptions(options);
  const base = parseBase(options.target);
  const onLoopback = namesLoopback(base.hostname);
  if (options.writes === undefined && !onLoopback && !options.stateless) {
    throw new SettingsError(
      `${base.href} is not on this machine: say --allow-writes to let the run create records there, or --read-only (in code: writes: true or false)`,
    );
  }
  const tls = readTls(options, base);
  const { document, hook, clientCert, rate, maxCreates, signal, fetch, only } = options;
  return Object.freeze({
    ...withDefaults(options),
    document,
    hook,
    clientCert,
    rate,
    maxCreates,
    signal,
    fetch,
    only,
    base,
    basePaths: [],
    onLoopback,
    apiKey: options.apiKey === '' ? undefined : options.apiKey,
    ...resolveCredentials(options.credentials),
    prepares: new Set(Object.keys(options.hooks?.prepare ?? {})),
    laws: compileOwnLaws(options.laws ?? []),
    tls,
    authority: tls.ca && authorityFile(),
    isChosen: compileChoice(only),
    shard: parseShard(options.shard),
    ...resolveCallbacks(options.callbackUrl),
    bodies: readBodies(options.bodies ?? {}),
    allow: new Set(options.disposable ? ['all', ...(options.allow ?? [])] : options.allow),
    exclude: new Set(options.exclude),
    strict: new Set(options.strict?.includes('all') ? STRICT_PARTS : options.strict),
    known:
      options.known === undefined
        ? []
        : readKnown(
            options.known,
            options.accept,
            options.laws?.map(({ name }) => name),
          ),
    provoke: options.provoke === undefined ? [] : readProvocations(options.provoke),
    notice: options.notice ?? warn,
  });
}

const warn = (text: string) => process.emitWarning(text);

function resolveCredentials(
  byScheme: CheckOptions['credentials'] = {},
): Pick<Settings, 'credentials' | 'sources' | 'secrets' | 'renewed'> {
  const credentials: Record<string, string> = {};
  const sources: Record<string, CredentialSource> = {};
  const secrets = new Set<string>();
  for (const [scheme, credentialSource] of Object.entries(byScheme)) {
    try {
      const resolved = resolveSource(credentialSource);
      for (const secret of resolved.secrets) secrets.add(secret);
      if (typeof resolved.source !== 'string') sources[scheme] = resolved.source;
      else if (resolved.source !== '') credentials[scheme] = resolved.source;
    } catch (error) {
      throw new SettingsError(
        `option credentials: ${scheme}: ${(error as Error).message}`,
        'credentials',
        scheme,
      );
    }
  }
  return { credentials, sources, secrets, renewed: new Set() };
}

/** `URL`, or `URL,PORT`: a tunnel forwards what it receives at the URL to a port of this machine. */
const CALLBACK_PLACE = /^(?<url>.*?)(?:,(?<port>\d+))?$/s;

function resolveCallbacks(place: string | undefined): Pick<Settings, 'callbackUrl' | 'callbackPort'> {
  if (place === undefined) return { callbackUrl: undefined, callbackPort: undefined };
  const { url = '', port } = CALLBACK_PLACE.exec(place)?.groups ?? {};
  const callbackUrl = URL.parse(url);
  if (!callbackUrl || !/^https?:$/.test(callbackUrl.protocol))
    throw new SettingsError(
      `option callbackUrl must be an http or https URL, not "${maskUrls(place)}"`,
      'callbackUrl',
    );
  const callbackPort = port === undefined ? undefined : Number(port);
  if (callbackPort !== undefined && !(callbackPort > 0 && callbackPort < 65_536))
    throw new SettingsError(`option callbackUrl: the port must be 1 to 65535, not ${port}`, 'callbackUrl');
  if (callbackUrl.protocol === 'https:' && callbackPort === undefined)
    throw new SettingsError(
      'option callbackUrl is an https URL: add the port of this machine to which what answers it (a tunnel, say) passes requests on, as in https://tunnel.example,8099',
      'callbackUrl',
    );
  return { callbackUrl, callbackPort };
}

function parseShard(text: string | undefined): Settings['shard'] {
  const [number, of] = (text ?? '').split('/').map(Number);
  return text === undefined || number === undefined || of === undefined ? undefined : { number, of };
}

const ALL = () => true;

/**
 * Selects ids that no `!` expression matches and, if there are others, one of them does.
 * @param idsOf the operations with the tag of `tag:NAME`; undefined: the document is not read yet
 */
export function compileChoice(
  expressions: CheckOptions['only'] = [],
  idsOf?: (name: string) => readonly string[],
): Settings['isChosen'] {
  const texts = [expressions].flat();
  if (texts.length === 0) return ALL;
  const parse = (text: string): Settings['isChosen'] => {
    if (idsOf && text.startsWith('tag:')) {
      const ids = idsOf(text);
      return (id) => ids.some((one) => id.startsWith(`${one}/`));
    }
    const pattern = parsePattern(text);
    return (id) => pattern.test(id);
  };
  const without = texts.filter((text) => text.startsWith('!')).map((text) => parse(text.slice(1)));
  const within = texts.filter((text) => !text.startsWith('!')).map(parse);
  const isWithin = (id: string) => within.length === 0 || within.some((matches) => matches(id));
  return (id) => isWithin(id) && !without.some((matches) => matches(id));
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new SettingsError(`option only: ${(error as Error).message}`, 'only');
  }
}

/**
 * Reads the files of `--body`: each contains one body, as YAML or JSON.
 * @param files paths by the user's operation names
 * @throws SettingsError with file, line and remedy
 */
function readBodies(files: Readonly<Record<string, string>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(files).map(([operation, file]) => [operation, readBody(operation, file)]));
}

function readBody(operation: string, file: string): unknown {
  const { value } = readSourceFile(file, readText(file, `--body ${operation}`));
  if (value !== undefined && value !== null) return value;
  throw new SettingsError(
    `--body ${operation}=${file}:1: the file is empty; write the body in it, as YAML or JSON`,
  );
}
