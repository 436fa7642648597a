import autocannon from 'autocannon';
import { headersOf, type Measured } from './operations.ts';
import { costOf } from './process-cost.ts';

/** One operation under load: what came out of it, and what it cost the server. */
export interface Load {
  /** Requests in a second. */
  readonly throughput: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the server's CPU time for one request. */
  readonly cpu: number;
}

const CONNECTIONS = 32;

/** @throws Error when an answer bore another status than the operation's */
export async function load(url: string, pid: number, operation: Measured, amount: number): Promise<Load> {
  const before = costOf(pid);
  const begun = performance.now();
  const result = await autocannon({
    url: url + operation.path,
    method: operation.method,
    headers: headersOf(operation),
    connections: CONNECTIONS,
    amount,
    ...(operation.body !== undefined && { body: operation.body }),
  });
  const seconds = (performance.now() - begun) / 1000;
  const after = costOf(pid);
  const right =
    result.statusCodeStats?.[String(operation.status) as keyof typeof result.statusCodeStats]?.count ?? 0;
  if (right < amount)
    throw new Error(
      `${operation.name} at ${url}: ${amount - right} of ${amount} answers were no ${operation.status}`,
    );
  return {
    throughput: amount / seconds,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: ((after.cpu - before.cpu) / amount) * 1e6,
  };
}
