import type { SettingsError } from '#contract-tests';

/** An error that the user can correct: an option, a value, a file, a port. Shown without a stack; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What was given shows nothing to give a verdict on; exit code 3. */
export class NoVerdict extends UsageError {
  override name = 'NoVerdict';
}

/**
 * What the library calls `option maxCreates` is `--max-creates` here.
 * @param sources what gave a credential, by its security scheme, where that is no option `--credential`
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

/** Explains why the address cannot be listened on; undefined: it was another error. */
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
 * Where in a configuration file an option stands: `paddock.config.yaml:7:9`, by its name on the command line, `--port`, by its
 * key, and by the file that it names.
 */
export type Places = Map<string, string>;

/** A message about an option, or about a file that cannot be read, with the place that it was given at. */
export function withPlace(message: string, places: Places): string {
  const [, name = '', path = ''] =
    /^(--[a-z-]+|[a-z]\w*(?=:))|^.*?:1:1: cannot read (.*): /.exec(message) ?? [];
  const place = places.get(name || path);
  return place === undefined ? message : `${place}: ${message}`;
}
