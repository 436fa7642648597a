import { type Contender, start } from './contenders.ts';
import type { Generator } from './generators.ts';
import { type Load, load } from './load.ts';
import type { Measured } from './operations.ts';
import { costOf } from './process-cost.ts';
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
