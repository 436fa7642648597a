import type { Name } from './contenders.ts';
import type { Load } from './load.ts';
import type { Loads, Rests } from './measure.ts';
import { median, ratio } from './ratios.ts';
import { table } from './table.ts';

/** Medians of several rounds, and how they stand to others of the same run. */
interface LoadFigures extends Load {
  /** CPU time for a request: of the bare server's. */
  readonly cpuAgainstBare: number;
  /** How many times the throughput the mock has. */
  readonly paddockIsFasterBy: number;
}

export function loadFigures(loads: Loads): Record<string, Record<string, LoadFigures>> {
  return mapRecord(loads, (byServer) => {
    const rounds = (name: Name, figure: keyof Load) => (byServer.get(name) ?? []).map((load) => load[figure]);
    return mapRecord(byServer, (_, name) => {
      const of = (figure: keyof Load) => median(rounds(name, figure));
      return {
        ...{ throughput: of('throughput'), p50: of('p50'), p99: of('p99'), cpu: of('cpu') },
        cpuAgainstBare: ratio(rounds(name, 'cpu'), rounds('bare node:http', 'cpu')),
        paddockIsFasterBy: ratio(rounds('paddock', 'throughput'), rounds(name, 'throughput')),
      };
    });
  });
}

export function renderLoads(loads: Loads): string {
  const head = [
    ...['operation', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request'],
    ...['CPU against bare', 'paddock is faster by'],
  ];
  const all = loadFigures(loads);
  // In the order in which they were measured: a record has names that are numbers first.
  const rows = [...loads.keys()].flatMap((operation) =>
    Object.entries(all[operation] ?? {}).map(([name, figures]) => [
      operation,
      name,
      shown(figures.throughput, 0),
      shown(figures.p50, 2),
      shown(figures.p99, 2),
      shown(figures.cpu, 1),
      shown(figures.cpuAgainstBare, 2),
      shown(figures.paddockIsFasterBy, 2),
    ]),
  );
  return table(head, rows);
}

export function restFigures({ startUp, memory }: Rests) {
  return mapRecord(startUp, (starts, name) => ({
    startUp: median(starts),
    memory: median(memory.get(name) ?? []),
    startUpAgainstPrism: ratio(starts, startUp.get('Prism')),
    memoryAgainstPrism: ratio(memory.get(name), memory.get('Prism')),
  }));
}

export function renderRests(rests: Rests): string {
  const head = [
    'server',
    'start to first answer, ms',
    'memory at rest, MiB',
    'start, of Prism',
    'memory, of Prism',
  ];
  const rows = Object.entries(restFigures(rests)).map(([name, figures]) => [
    name,
    shown(figures.startUp, 0),
    shown(figures.memory, 0),
    shown(figures.startUpAgainstPrism, 2),
    shown(figures.memoryAgainstPrism, 2),
  ]);
  return table(head, rows);
}

/** A ratio to a server that was left out is none. */
function shown(figure: number, digits: number): string {
  return Number.isNaN(figure) ? '' : figure.toFixed(digits);
}

function mapRecord<K extends string, V, R>(
  map: ReadonlyMap<K, V>,
  make: (value: V, key: K) => R,
): Record<string, R> {
  return Object.fromEntries([...map].map(([key, value]) => [key, make(value, key)]));
}
