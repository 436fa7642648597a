import { stringifyJson } from '#spec';
import { renderCodequality, renderLines } from './annotations.ts';
import { renderHar } from './har.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import type { Report } from './report.ts';
import { renderSarif } from './sarif.ts';
import { renderCtrf, renderJunit } from './test-results.ts';

/** A file format for reports. */
export interface ReportFormat {
  /** Media type of the text, which is UTF-8. */
  readonly mediaType: string;
  readonly render: (report: Report) => string;
  /** It contains exchanges: the run needs `recordExchanges`. */
  readonly needsExchanges?: true;
}

/** The report formats, by their name in `--report NAME=FILE`. */
export const REPORT_FORMATS = {
  json: { mediaType: 'application/json', render: renderJson },
  junit: { mediaType: 'application/xml', render: renderJunit },
  html: { mediaType: 'text/html', render: renderHtml },
  sarif: { mediaType: 'application/sarif+json', render: renderSarif },
  markdown: { mediaType: 'text/markdown', render: renderMarkdown },
  ctrf: { mediaType: 'application/json', render: renderCtrf },
  codequality: { mediaType: 'application/json', render: renderCodequality },
  lines: { mediaType: 'text/plain', render: renderLines },
  har: { mediaType: 'application/json', render: renderHar, needsExchanges: true },
} as const satisfies Readonly<Record<string, ReportFormat>>;

/** The name of a report format. */
export type ReportFormatName = keyof typeof REPORT_FORMATS;

/** The report for programs. Integers beyond 2^53 are written exactly. */
export function renderJson({ exchanges: _, ...report }: Report): string {
  return `${stringifyJson(report, 2)}\n`;
}
