import type { Load, Loads, Starts } from './measure.ts';

/** By operation and server: medians of the rounds, and ratios to other servers of the same run. */
export function loadFigures(loads: Loads) {
  return mapRecord(loads, (byServer) =>
    mapRecord(byServer, (_, name) => {
      const rounds = (server: string, figure: keyof Load) =>
        (byServer.get(server) ?? []).map((load) => load[figure]);
      const of = (figure: keyof Load) => median(rounds(name, figure));
      return {
        ...{ throughput: of('throughput'), p50: of('p50'), p99: of('p99'), cpu: of('cpu') },
        cpuAgainstBare: ratio(rounds(name, 'cpu'), rounds('bare node:http', 'cpu')),
        paddockIsFasterBy: ratio(rounds('paddock', 'throughput'), rounds(name, 'throughput')),
      };
    }),
  );
}

export function startFigures({ startUp, memory }: Starts) {
  return mapRecord(startUp, (starts, name) => ({
    startUp: median(starts),
    memory: median(memory.get(name) ?? []),
    startUpAgainstPrism: ratio(starts, startUp.get('Prism')),
    memoryAgainstPrism: ratio(memory.get(name), memory.get('Prism')),
  }));
}

/** Titles and decimals of the columns, in the order of the figures. */
type Columns = Readonly<Record<string, number>>;

const LOAD_COLUMNS: Columns = {
  ...{ 'requests/s': 0, 'p50 ms': 2, 'p99 ms': 2, 'CPU µs/request': 1 },
  ...{ 'CPU against bare': 2, 'paddock is faster by': 2 },
};
const START_COLUMNS: Columns = {
  'start to first answer, ms': 0,
  'memory at rest, MiB': 0,
  'start, of Prism': 2,
  'memory, of Prism': 2,
};

export function renderLoads(loads: Loads): string {
  const figures = loadFigures(loads);
  // In the order of measurement: a record has names that are numbers first.
  const rows = [...loads.keys()].flatMap((operation) =>
    Object.entries(figures[operation] ?? {}).map(([name, row]) => [
      ...[operation, name],
      ...shown(row, LOAD_COLUMNS),
    ]),
  );
  return table(['operation', 'server', ...Object.keys(LOAD_COLUMNS)], rows);
}

export function renderStarts(starts: Starts): string {
  const rows = Object.entries(startFigures(starts)).map(([name, row]) => [
    name,
    ...shown(row, START_COLUMNS),
  ]);
  return table(['server', ...Object.keys(START_COLUMNS)], rows);
}

function shown(figures: Readonly<Record<string, number>>, columns: Columns): string[] {
  const decimals = Object.values(columns);
  // A ratio to a server that was left out is none.
  return Object.values(figures).map((figure, at) =>
    Number.isNaN(figure) ? '' : figure.toFixed(decimals[at]),
  );
}

function mapRecord<K extends string, V, R>(
  map: ReadonlyMap<K, V>,
  make: (value: V, key: K) => R,
): Record<string, R> {
  return Object.fromEntries([...map].map(([key, value]) => [key, make(value, key)]));
}

/** A Markdown table, its columns padded as the project's formatter does. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function median(values: readonly number[]): number {
  const ordered = [...values].sort((left, right) => left - right);
  return ordered[Math.floor(ordered.length / 2)] ?? Number.NaN;
}

/** The median of the ratios of each round: whatever slows a whole round down cancels out. */
export function ratio(values: readonly number[] = [], limits: readonly number[] = []): number {
  return median(values.map((value, round) => value / (limits[round] ?? Number.NaN)));
}
