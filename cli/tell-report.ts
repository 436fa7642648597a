import type { Command } from 'commander';
import type { Report, ReportFormat, ReportFormatName } from '#contract-tests';
import { hasColours } from './colours.ts';
import { valuesOf } from './options.ts';
import { openReports } from './report-files.ts';

type Suite = typeof import('#contract-tests');

/** Where the report of a command goes. */
export interface ReportOutput {
  /** Whether a report that is asked for needs everything that was sent and received. */
  readonly needsExchanges: boolean;
  /** Tells people, and writes the reports that are asked for. @throws UsageError when one cannot be written */
  write(report: Report, render: (report: Report, colour: boolean) => string): Promise<void>;
}

/**
 * Opens the reports of `--report` before anything is sent.
 * @param isOffered the reports that the command can make; default: all
 * @throws UsageError for an unknown report, and for a file that cannot be opened
 */
export async function openReportOutput(
  command: Command,
  { REPORT_FORMATS, renderGithub, withoutCommands }: Suite,
  isOffered: (format: ReportFormat) => boolean = () => true,
): Promise<ReportOutput> {
  const formats: Readonly<Record<ReportFormatName, ReportFormat>> = REPORT_FORMATS;
  const names = (Object.keys(formats) as ReportFormatName[]).filter((name) => isOffered(formats[name]));
  const reports = await openReports(valuesOf(command, 'report'), names);
  // Standard output may be a report of its own.
  const onStdout = !reports.some(({ isStdout }) => isStdout);
  return {
    needsExchanges: reports.some(({ name }) => formats[name].needsExchanges),
    async write(report, render) {
      const text = render(report, hasColours(onStdout ? process.stdout : process.stderr));
      const onGithub = process.env.GITHUB_ACTIONS === 'true';
      const told = onGithub ? renderGithub(report) + withoutCommands(text) : text;
      if (onStdout) console.log(told);
      else console.error(told);
      for (const { name, write } of reports) await write(formats[name].render(report));
    },
  };
}
