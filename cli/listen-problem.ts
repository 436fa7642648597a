import { UsageError } from './usage-error.ts';

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
