import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { Report, ReportFormat } from '#contract-tests';
import { valuesOf } from './options.ts';
import { parsePair } from './shared-options.ts';
import { columnsOf, hasColours } from './terminal.ts';
import { onCommandLine, UsageError } from './usage-error.ts';

/** A requested report, with its file open. */
export interface ReportFile {
  readonly name: string;
  /** Whether it is written to standard output. */
  readonly isStdout: boolean;
  /** @throws UsageError if the file cannot be written */
  readonly write: (text: string) => Promise<void>;
}

/** Standard output. */
const STDOUT = '-';

/**
 * Opens the files of `--report NAME=FILE` before a request is sent, so that a run whose report cannot be written does not
 * start. Missing folders are created. A file keeps its content until the report is complete, however the process ends.
 * @throws UsageError for an unknown report, and for a file that cannot be opened
 */
export async function openReports(texts: readonly string[], names: readonly string[]): Promise<ReportFile[]> {
  const wanted = texts.map((text) => parseReport(text, names));
  if (wanted.filter(({ file }) => file === STDOUT).length > 1)
    throw new UsageError('--report: only one report can be written to standard output');
  return Promise.all(
    wanted.map(async ({ name, file }): Promise<ReportFile> => {
      if (file === STDOUT) return { name, isStdout: true, write: toStdout };
      const write = await openFile(file).catch(refuse);
      return { name, isStdout: false, write: (text) => write(text).catch(refuse) };
    }),
  );
}

function parseReport(text: string, names: readonly string[]): { name: string; file: string } {
  const [name, file] = parsePair('--report', text);
  if (names.includes(name) && file !== '') return { name, file };
  throw new UsageError(`--report: "${text}" must be one of ${names.map((one) => `${one}=FILE`).join(', ')}`);
}

/** Returns a function that writes the text. */
async function openFile(file: string): Promise<ReportFile['write']> {
  await mkdir(dirname(file), { recursive: true });
  const { fileBehind, replaceFile, tryReplacing } = await import('#whole-file');
  const behind = fileBehind(file);
  if (behind === undefined) return toPipe(await open(file, 'a'));
  tryReplacing(behind);
  return async (text) => replaceFile(file, text);
}

/** A pipe or device stays open until the report is written, since closing it is the report's end for its reader. */
function toPipe(handle: FileHandle): ReportFile['write'] {
  return async (text) => {
    try {
      // Standard output may be redirected to a file.
      if ((await handle.stat()).isFile()) await handle.truncate(0);
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  };
}

const toStdout: ReportFile['write'] = (text) =>
  new Promise((resolve) => process.stdout.write(text, () => resolve()));

function refuse(error: Error): never {
  throw new UsageError(`--report: ${error.message}`);
}

type Suite = typeof import('#contract-tests');

/** The formats of a command that sends nothing, or must not show others' traffic. */
export function withoutExchanges({ REPORT_FORMATS }: Suite): Readonly<Record<string, ReportFormat>> {
  const formats: Readonly<Record<string, ReportFormat>> = REPORT_FORMATS;
  return Object.fromEntries(Object.entries(formats).filter(([, { needsExchanges }]) => !needsExchanges));
}

/** Where the report of a command goes. */
interface ReportOutput {
  /** Whether a requested report needs all messages that were sent and received. */
  readonly needsExchanges: boolean;
  /** Writes the requested reports, and prints nothing. @throws UsageError if one cannot be written */
  writeFiles(report: Report): Promise<void>;
  /** Prints the report for people, and writes the requested ones. @throws UsageError if one cannot be written */
  write(report: Report): Promise<void>;
}

/**
 * Opens the reports of `--report` before anything is sent.
 * @param formats the reports that the command supports
 * @throws UsageError for an unknown report, and for a file that cannot be opened
 */
export async function openReportOutput(
  command: Command,
  { renderGithub, renderTerminal, withoutCommands }: Suite,
  formats: Readonly<Record<string, ReportFormat>>,
): Promise<ReportOutput> {
  const reports = await openReports(valuesOf(command, 'report'), Object.keys(formats));
  const formatOf = (name: string) => formats[name] as ReportFormat;
  // Standard output may be a report itself.
  const onStdout = !reports.some(({ isStdout }) => isStdout);
  const writeFiles = async (report: Report) => {
    for (const { name, write } of reports) await write(formatOf(name).render(report));
  };
  return {
    writeFiles,
    needsExchanges: reports.some(({ name }) => formatOf(name).needsExchanges),
    async write(report) {
      const stream = onStdout ? process.stdout : process.stderr;
      const look = { columns: columnsOf(stream), verbose: command.opts().verbose };
      const text = renderTerminal(report, hasColours(stream), look);
      const onGithub = process.env.GITHUB_ACTIONS === 'true';
      const output = onGithub ? renderGithub(report) + withoutCommands(text) : text;
      if (onStdout) console.log(output);
      else console.error(output);
      await writeFiles(report);
    },
  };
}

/**
 * Makes a report and writes it. The user's first signal ends the work in order, the second one the program.
 * @param notice is printed at the first signal
 * @param sources see {@link onCommandLine}
 * @returns the exit code of the received signal, else of the report
 */
export async function giveReport(
  suite: Suite,
  write: ReportOutput['write'],
  notice: string,
  work: (signal: AbortSignal) => Promise<Report>,
  sources?: ReadonlyMap<string, string>,
): Promise<number> {
  const controller = new AbortController();
  let ofSignal: number | undefined;
  function interrupt(name: (typeof SIGNALS)[number]): void {
    // POSIX: 128 and the number of the signal.
    const code = 128 + constants.signals[name];
    if (ofSignal !== undefined) process.exit(code);
    ofSignal = code;
    process.stderr.write(`\n${notice}\n`);
    controller.abort();
  }
  for (const name of SIGNALS) process.on(name, interrupt);
  try {
    const made = await work(controller.signal);
    const report = { ...made, exitCode: ofSignal ?? made.exitCode };
    await write(report);
    return report.exitCode;
  } catch (error) {
    if (error instanceof suite.UserCodeError) throw new UsageError(error.message);
    throw error instanceof suite.SettingsError ? new UsageError(onCommandLine(error, sources)) : error;
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
