import { type Contender, type Name, type Running, start } from './contenders.ts';
import type { Generator } from './generators.ts';
import { type Load, load } from './load.ts';
import type { Measured } from './operations.ts';
import { costOf } from './process-cost.ts';

/** What each round gave, by operation and server; the same place in two lists is the same round. */
export type Loads = ReadonlyMap<Measured['name'], ReadonlyMap<Name, Load[]>>;

/** What each round gave, by server. */
export interface Rests {
  /** Milliseconds from the start to the first answer. */
  readonly startUp: ReadonlyMap<Name, number[]>;
  /** Resident memory after the first answer, in MiB. */
  readonly memory: ReadonlyMap<Name, number[]>;
}

/** Told which round begins. */
type Tell = (round: number) => void;

export interface Rounds {
  readonly rounds: number;
  /** For each operation and server. */
  readonly seconds: number;
  /** In the round before the first: V8 compiles what is hot in several steps, on threads that count as the server's. */
  readonly warming: number;
}

/** Interleaved, so that what else the machine does meets all alike. What warms up does not count. */
export async function measureLoads(
  generator: Generator,
  running: readonly Running[],
  operations: readonly Measured[],
  { rounds, seconds, warming }: Rounds,
  tell: Tell = () => {},
): Promise<Loads> {
  const loads = new Map(
    operations.map(({ name }) => [name, new Map(running.map((server) => [server.name, [] as Load[]]))]),
  );
  for (let round = 0; round <= rounds; round++) {
    tell(round);
    for (const operation of operations) {
      for (const server of running) {
        const result = await load(generator, server, operation, round === 0 ? warming : seconds);
        if (round > 0) loads.get(operation.name)?.get(server.name)?.push(result);
      }
    }
  }
  return loads;
}

/** The first round fills Node's compile cache and the system's file cache, for all alike, and does not count. */
export async function measureStarts(
  all: readonly Contender[],
  rounds: number,
  tell: Tell = () => {},
): Promise<Rests> {
  const empty = () => new Map(all.map(({ name }) => [name, [] as number[]]));
  const [startUp, memory] = [empty(), empty()];
  for (let round = 0; round <= rounds; round++) {
    tell(round);
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
