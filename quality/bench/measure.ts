import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { refuse } from '../arguments.ts';
import { median } from '../table.ts';
import { sendLoad } from '../testing/send-load.ts';
import { headersOf, type Measured, methodOf } from './operations.ts';

export interface Rounds {
  readonly rounds: number;
  /** For each operation and server. */
  readonly seconds: number;
  /** Seconds of an uncounted warm-up round: V8 compiles hot code in steps, on threads that count as the server's. */
  readonly warming: number;
}

/** `--rounds`, `--seconds` and `--warming` for `readArguments`. */
export const ROUNDS = {
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '1' },
  warming: { type: 'string', default: '5' },
} as const;

/** Exits with code 2 unless all are numbers from 1 on. */
export function toRounds(values: Readonly<Record<keyof Rounds, string>>): Rounds {
  const number = (name: keyof Rounds) => {
    const value = Number(values[name]);
    return value >= 1 ? value : refuse(`--${name} must be a number from 1 on, not "${values[name]}"`);
  };
  return { rounds: number('rounds'), seconds: number('seconds'), warming: number('warming') };
}

/** The results of one server under load with one operation. */
export interface Load {
  /** Requests per second. */
  readonly throughput: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The server's CPU time per request, in microseconds. */
  readonly cpu: number;
}

interface Server {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
}

/**
 * The results of each server, by round. Servers are measured in turn, so that other load on the machine affects all
 * alike: the ratio of two servers within a round is valid on a busy machine, too.
 */
export async function measureLoads(
  servers: readonly Server[],
  operation: Measured,
  { rounds, seconds, warming }: Rounds,
): Promise<ReadonlyMap<string, readonly Load[]>> {
  const loads = new Map(servers.map(({ name }) => [name, [] as Load[]]));
  for (let round = 0; round <= rounds; round++) {
    process.stderr.write(
      `${operation.name}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}\n`,
    );
    for (const server of servers) {
      const measured = await load(server, operation, round === 0 ? warming : seconds);
      if (round > 0) loads.get(server.name)?.push(measured);
    }
  }
  return loads;
}

const CONNECTIONS = 32;

async function load({ url, pid }: Server, operation: Measured, seconds: number): Promise<Load> {
  const before = costOf(pid);
  const { statuses, broken, latencies, ...measured } = await sendLoad({
    url,
    headers: headersOf(operation),
    requests: [{ method: methodOf(operation), path: operation.path, body: operation.body }],
    connections: CONNECTIONS,
    until: { seconds },
  });
  const cpu = costOf(pid).cpu - before.cpu;
  const wanted = statuses[operation.status] ?? 0;
  if (broken > 0 || wanted === 0 || wanted !== latencies.length)
    throw new Error(`${operation.name} at ${url}: ${JSON.stringify(statuses)}, ${broken} without a response`);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  const throughput = latencies.length / measured.seconds;
  return { throughput, p50: at(0.5), p99: at(0.99), cpu: (cpu / latencies.length) * 1e6 };
}

/** The median of the ratios of all rounds, which cancels out whatever slows down a whole round. */
export function ratio(values: readonly number[] = [], others: readonly number[] = []): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** An empty text for a ratio to an omitted server. */
export const format = (value: number, decimals: number) =>
  Number.isNaN(value) ? '' : value.toFixed(decimals);

/** What a process has used so far: CPU seconds (user and system), and resident memory in MiB. */
export interface Cost {
  readonly cpu: number;
  readonly memory: number;
}

const TICKS_PER_SECOND = 100;

/** Read from /proc if available (Linux), in steps of 10 ms; else from `ps`. @throws if the process has ended */
export function costOf(pid: number): Cost {
  if (process.platform === 'linux') {
    // The name in parentheses may contain spaces, so fields are counted from its end (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { cpu: ticks / TICKS_PER_SECOND, memory: Number(resident) / 1024 };
  }
  const printed = execFileSync('ps', ['-o', 'time=,rss=', '-p', `${pid}`], { encoding: 'utf8' });
  const [time = '', rss] = printed.trim().split(/\s+/);
  const cpu = time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpu, memory: Number(rss) / 1024 };
}
