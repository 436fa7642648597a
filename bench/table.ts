import type { Load } from './load.ts';

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number;
}

/** The medians of several rounds, each figure for itself. */
export function medianLoad(rounds: readonly Load[]): Load {
  const of = (figure: keyof Load) => median(rounds.map((round) => round[figure]));
  return { throughput: of('throughput'), p50: of('p50'), p99: of('p99'), cpu: of('cpu') };
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
