import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sendLoad } from '../testing/send-load.ts';
import { headersOf, type Measured, methodOf } from './operations.ts';

/** The results of a load generator. */
export interface Seen {
  readonly requests: number;
  readonly seconds: number;
  /** Responses with a status of 400 and above. */
  readonly errors: number;
  /** Requests without a response. */
  readonly broken: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Sends requests of one operation over {@link CONNECTIONS} connections. */
export interface Generator {
  readonly name: string;
  run(url: string, operation: Measured, seconds: number): Promise<Seen>;
}

const CONNECTIONS = 32;

const wrk: Generator = {
  name: 'wrk',
  async run(url, operation, seconds) {
    const headers = headersOf(operation);
    const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
    const args = [...`-t 1 -c ${CONNECTIONS} -d ${seconds}s -s`.split(' '), script, url + operation.path];
    const environment = {
      BENCH_METHOD: methodOf(operation),
      BENCH_BODY: operation.body,
      BENCH_AUTHORIZATION: headers.authorization,
      BENCH_CONTENT_TYPE: headers['content-type'],
    };
    const { stdout } = await promisify(execFile)('wrk', args, { env: { ...process.env, ...environment } });
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) as string);
  },
};

const own: Generator = {
  name: 'quality/testing/send-load.ts',
  async run(url, operation, seconds) {
    const { statuses, broken, latencies, ...measured } = await sendLoad({
      url,
      headers: headersOf(operation),
      requests: [{ method: methodOf(operation), path: operation.path, body: operation.body }],
      connections: CONNECTIONS,
      until: { seconds },
    });
    const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
    const failed = Object.entries(statuses).filter(([status]) => Number(status) >= 400);
    return {
      requests: latencies.length,
      seconds: measured.seconds,
      errors: failed.reduce((sum, [, count]) => sum + count, 0),
      broken,
      p50: at(0.5),
      p99: at(0.99),
    };
  },
};

/** `wrk` where it is installed: it needs less CPU time, which leaves more to the server. */
export function findGenerator(): Generator {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
    return wrk;
  } catch (error) {
    // Installed: `wrk -v` ends with an error code.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? own : wrk;
  }
}
