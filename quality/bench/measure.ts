import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Contender, start } from './contenders.ts';
import type { Generator } from './generators.ts';
import type { Measured } from './operations.ts';
import type { Rounds } from './rounds.ts';

/** The result of each round, by operation and server; the same index in two lists is the same round. */
export type Loads = ReadonlyMap<Measured['name'], ReadonlyMap<string, readonly Load[]>>;

/** The result of each round, by server. */
export interface Starts {
  /** Milliseconds from the start to the first response. */
  readonly startUp: ReadonlyMap<string, readonly number[]>;
  /** Resident memory after the first response, in MiB. */
  readonly memory: ReadonlyMap<string, readonly number[]>;
}

type OnRound = (round: number) => void;

/** Interleaved, so that other load on the machine affects all servers alike. */
export async function measureLoads(
  generator: Generator,
  servers: readonly { readonly name: string; readonly url: string; readonly pid: number }[],
  operations: readonly Measured[],
  { rounds, seconds, warming }: Rounds,
  onRound: OnRound = () => {},
): Promise<Loads> {
  const loads = new Map(
    operations.map(({ name }) => [name, new Map(servers.map((server) => [server.name, [] as Load[]]))]),
  );
  for (let round = 0; round <= rounds; round++) {
    onRound(round);
    for (const operation of operations)
      for (const server of servers) {
        const result = await load(generator, server, operation, round === 0 ? warming : seconds);
        if (round > 0) loads.get(operation.name)?.get(server.name)?.push(result);
      }
  }
  return loads;
}

/** The first round fills Node's compile cache and the system's file cache for all alike, and does not count. */
export async function measureStarts(
  all: readonly Contender[],
  rounds: number,
  onRound: OnRound,
): Promise<Starts> {
  const empty = () => new Map(all.map(({ name }) => [name, [] as number[]]));
  const [startUp, memory] = [empty(), empty()];
  for (let round = 0; round <= rounds; round++) {
    onRound(round);
    for (const contender of all) {
      const running = await start(contender);
      const resident = costOf(running.pid).memory;
      await running.stop();
      if (round === 0) continue;
      startUp.get(contender.name)?.push(running.startUp);
      memory.get(contender.name)?.push(resident);
    }
  }
  return { startUp, memory };
}

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

/** What a process has used so far. */
interface Cost {
  /** Seconds of CPU time, user and system. */
  readonly cpu: number;
  /** Resident memory in MiB. */
  readonly memory: number;
}

/** From /proc where there is one (Linux), in steps of 10 ms; else from `ps`. */
export function costOf(pid: number): Cost {
  try {
    return fromProc(pid);
  } catch {
    return fromPs(pid);
  }
}

const TICKS_PER_SECOND = 100;

function fromProc(pid: number): Cost {
  // The name, in parentheses, may contain spaces: fields are counted after it (proc(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpu: ticks / TICKS_PER_SECOND, memory: Number(resident) / 1024 };
}

function fromPs(pid: number): Cost {
  const [time = '', rss = ''] = execFileSync('ps', ['-o', 'time=,rss=', '-p', `${pid}`])
    .toString()
    .trim()
    .split(/\s+/);
  const cpu = time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpu, memory: Number(rss) / 1024 };
}
