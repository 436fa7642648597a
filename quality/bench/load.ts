import type { Generator } from './generators.ts';
import type { Measured } from './operations.ts';
import { costOf } from './process-cost.ts';

/** One operation under load. */
export interface Load {
  /** Requests in a second. */
  readonly throughput: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the server's CPU time for one request. */
  readonly cpu: number;
}

/** @throws Error where a response has another status than the operation's, or is missing */
export async function load(
  generator: Generator,
  server: { readonly url: string; readonly pid: number },
  operation: Measured,
  seconds: number,
): Promise<Load> {
  const before = costOf(server.pid);
  const seen = await generator.run(server.url, operation, seconds);
  const after = costOf(server.pid);
  const wanted = operation.status >= 400 ? seen.requests : 0;
  if (seen.broken > 0 || seen.errors !== wanted || seen.requests === 0) {
    const what = `${operation.name} at ${server.url}`;
    throw new Error(`${what}: ${JSON.stringify(seen)}, but each status should be ${operation.status}`);
  }
  return {
    throughput: seen.requests / seen.seconds,
    p50: seen.p50,
    p99: seen.p99,
    cpu: ((after.cpu - before.cpu) / seen.requests) * 1e6,
  };
}
