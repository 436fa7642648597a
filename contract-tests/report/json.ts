import { stringifyJson } from '#spec';
import type { Report } from './report.ts';

/** The report for programs. Integers beyond 2^53 are written exact. */
export function renderJson({ exchanges: _, ...report }: Report): string {
  return `${stringifyJson(report, 2)}\n`;
}
