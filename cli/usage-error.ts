import type { SettingsError } from '#contract-tests';

/** An error that the user can correct: an option, a value, a file, a port. Shown without a stack; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The input allows no verdict; exit code 3. */
export class NoVerdict extends UsageError {
  override name = 'NoVerdict';
}

/**
 * Translates `option maxCreates` of the library to `--max-creates`.
 * @param sources the source of each security scheme's credential, if that is no `--credential`
 */
export function onCommandLine(
  { option, member, message }: SettingsError,
  sources: ReadonlyMap<string, string> = new Map(),
): string {
  if (option === undefined) return message;
  const source = option === 'credentials' && member !== undefined ? sources.get(member) : undefined;
  return source === undefined ? withFlag(message, option) : message.replace(`option ${option}`, () => source);
}

export function withFlag(message: string, option: string): string {
  const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (option === 'hooks') return message.replace('option hooks: ', 'check.');
  if (option === 'credentials')
    return message.replace(`option ${option}`, '--credential (or PADDOCK_CREDENTIAL_NAME)');
  return message
    .replace(/^option https\.(?:cert|key)\b/, '--cert')
    .replace(`option ${option}`, () => flagOf(option));
}

/** Why the address cannot be used. Undefined: the error has another cause. */
export function listenProblem(
  error: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): UsageError | undefined {
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return undefined;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is taken; choose another one with --port, or --port 0 for any free one',
    EACCES: 'this port needs more rights; choose one above 1023 with --port',
    EADDRNOTAVAIL: 'this machine has no such address; see --host',
    ENOTFOUND: 'there is no such host; see --host',
  };
  return new UsageError(`cannot listen on ${host}:${port}: ${reasons[error.code ?? ''] ?? error.message}`);
}

/**
 * The places of options in a configuration file, `paddock.config.yaml:7:9`: by flag (`--port`), by key, and by the named
 * file.
 */
export type Places = Map<string, string>;

/** Adds to a message about an option, or an unreadable file, the place where it was given. */
export function withPlace(message: string, places: Places): string {
  const [, name = '', path = ''] =
    /^(--[a-z-]+|[a-z]\w*(?=:))|^.*?:1:1: cannot read (.*): /.exec(message) ?? [];
  const place = places.get(name || path);
  return place === undefined ? message : `${place}: ${message}`;
}
