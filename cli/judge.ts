import { basename } from 'node:path';
import type { Command } from 'commander';
import type { JudgedTarget } from '#configuration';
import type {
  CheckOptions,
  Observation,
  Report,
  ReportFormat,
  ReportFormatName,
  ShardReport,
} from '#contract-tests';
import type { HarProblem, RecordedExchange, Tally } from '#har';
import type { ObservedRequest, ObserveOptions, Replay } from '#observe';
import type { Contract } from '#spec';
import { ALL_TARGETS } from './apply-configuration.ts';
import { exitCodes } from './exit-codes.ts';
import { listenForInterrupts } from './interrupts.ts';
import { addOptions, examples, libraryOptions, type OptionRow, valuesOf } from './options.ts';
import { openReports } from './reports.ts';
import {
  BASELINE_OPTIONS,
  DOCUMENT_OPTIONS,
  documentOption,
  JUDGED_CELLS,
  KNOWN,
  MASKED,
  REPLICA_LAG,
  reportOption,
  STRICT_STABILITY,
  STRICT_STATUSES,
  VERBOSE,
} from './shared-options.ts';
import { columnsOf, hasColours, warnOf } from './terminal.ts';
import { onCommandLine, UsageError } from './usage-error.ts';

/** Those of the observer, and how the document is read. */
type JudgeOptions = ObserveOptions & Pick<CheckOptions, 'allowRefs' | 'overlays' | 'strictDocument'>;

/** All options of `paddock judge`. */
const OPTIONS: readonly OptionRow<JudgeOptions>[] = [
  documentOption(),
  ...DOCUMENT_OPTIONS,
  {
    flags: '--base-url <url>',
    help: 'judge only the requests below this URL of the service',
    defaultText: 'any origin',
    isList: true,
    to: 'baseUrls',
    convert: (urls: readonly string[]) => (urls.length > 0 ? urls : undefined),
  },
  {
    flags: '--exclusive',
    help: 'no client but the recorded ones changed records meanwhile',
    to: 'exclusive',
  },
  REPLICA_LAG,
  ...JUDGED_CELLS,
  MASKED,
  STRICT_STABILITY,
  STRICT_STATUSES,
  {
    flags: '--strict-cells',
    help: 'require every documented status to be in the traffic',
    to: 'strictCells',
  },
  KNOWN,
  ...BASELINE_OPTIONS,
  reportOption(),
  VERBOSE,
];

const EXAMPLES = examples([
  'paddock judge traffic.har --document openapi.yaml',
  'paddock judge traffic.har --document openapi.yaml --base-url https://staging.example/v1',
  'paddock judge traffic.har   # all targets of paddock.config.yaml, each by its own document',
  'paddock judge first.har second.har --document openapi.yaml --report html=traffic.html --report json=traffic.json',
  'paddock judge suite.har --document openapi.yaml --exclusive --strict-cells',
  'gunzip -c traffic.har.gz | paddock judge - --document openapi.yaml',
]);

export function addJudge(program: Command): void {
  const command = program
    .command('judge')
    .description('Judge recorded traffic (HAR) by its OpenAPI document, and report which cells it covers.')
    .argument(
      '<har...>',
      'HAR files of a browser, Playwright, k6, mitmproxy or Paddock; - is standard input',
    );
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('judge') + EXAMPLES)
    .action(async (files: string[]) => {
      process.exitCode = await runJudge(files, command);
    });
}

async function runJudge(files: readonly string[], command: Command): Promise<number> {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageError('-: standard input can be read only once');
  const [suite, { createReplay, observe }, har, { loadContract }] = await Promise.all([
    import('#contract-tests'),
    import('#observe'),
    import('#har'),
    import('#spec'),
  ]);
  const formats: Readonly<Record<ReportFormatName, ReportFormat>> = suite.REPORT_FORMATS;
  // The traffic is in files already.
  const names = (Object.keys(formats) as ReportFormatName[]).filter((name) => !formats[name].needsExchanges);
  const {
    allowRefs = [],
    overlays = [],
    strictDocument = false,
    ...options
  } = libraryOptions<JudgeOptions>(command);
  const reports = await openReports(valuesOf(command, 'report'), names);
  const targets = (command.getOptionValue(ALL_TARGETS) ?? []) as readonly JudgedTarget[];
  const isSeveral = targets.length > 0;
  const load = { allowRefs, overlays, strictDocument };
  const documents = isSeveral ? targets : [{ name: '', url: undefined, document: command.opts().document }];
  const contracts = await Promise.all(documents.map(({ document }) => loadContract(document, load)));
  for (const contract of contracts) warnOf(contract);
  const interrupts = listenForInterrupts(() => process.stderr.write('\ninterrupted\n'));
  try {
    const observed = documents.map(({ name, url }, index) => {
      const baseUrls = url === undefined ? options.baseUrls : [url];
      const observer = observe(contracts[index] as Contract, { ...options, baseUrls });
      return { name, observer, replay: createReplay(observer) };
    });
    const replays = observed.map(({ replay }) => replay);
    const read = await replayFiles(files, replays, har, interrupts.signal);
    const seen = observed.map(({ name, observer }) => ({ name, report: observer.report() }));
    const [only] = seen as [ShardReport];
    const whole = isSeveral ? withSharedTraffic(suite.joinTargets(seen), seen) : only.report;
    const judged = withFiles(whole, read);
    const report = { ...judged, exitCode: interrupts.exitCode() ?? judged.exitCode };
    const onStdout = !reports.some(({ isStdout }) => isStdout);
    const stream = onStdout ? process.stdout : process.stderr;
    const look = { verbose: command.opts().verbose, columns: columnsOf(stream) };
    const text = suite.renderTerminal(report, hasColours(stream), look);
    if (onStdout) console.log(text);
    else console.error(text);
    for (const { name, write } of reports) await write(formats[name].render(report));
    return report.exitCode;
  } catch (error) {
    if (error instanceof har.HarError) throw new UsageError(error.message);
    throw error instanceof suite.SettingsError ? new UsageError(onCommandLine(error)) : error;
  } finally {
    interrupts.close();
  }
}

/** Each target has seen all of the traffic: what is of none of them is elsewhere. */
function withSharedTraffic(joined: Report, seen: readonly ShardReport[]): Report {
  const all = seen.flatMap(({ report }) => report.traffic ?? []);
  const exchanges = Math.max(...all.map((one) => one.exchanges));
  const own = all.reduce((sum, one) => sum + one.exchanges - one.elsewhere, 0);
  const { traffic } = joined;
  return traffic ? { ...joined, traffic: { ...traffic, exchanges, elsewhere: exchanges - own } } : joined;
}

/** Adds what the files lack. A broken file cannot show that the contract is kept. */
function withFiles(report: Report, files: readonly ReadFile[]): Report {
  const notices = files.flatMap(({ name, tally }) =>
    tally.lines().map((text): Observation => ({ caseId: 'traffic', operationId: name, text })),
  );
  const broken = files.find(({ isBroken }) => isBroken);
  const whole = { ...report, notices: [...report.notices, ...notices] };
  if (!broken || report.verdict !== 'holds') return whole;
  const reason = `${broken.name} is not complete: what could be read of it keeps the contract`;
  return { ...whole, verdict: 'incomplete', exitCode: 4, reason };
}

/** What was read of one file. */
interface ReadFile {
  readonly name: string;
  readonly tally: Tally;
  /** It ends too early, or has places that cannot be read: what was read is judged. */
  readonly isBroken: boolean;
}

/** Standard input. */
const STDIN = '-';

type Item = { readonly file: number; readonly item: RecordedExchange | HarProblem };

/**
 * Replays all exchanges of HAR files, in the order in which they were sent.
 * @throws HarError when a file is no HAR, or cannot be read
 */
async function replayFiles(
  paths: readonly string[],
  replays: readonly Replay[],
  { readHar, createTally }: typeof import('#har'),
  signal: AbortSignal,
): Promise<ReadFile[]> {
  const tallies = paths.map(() => createTally());
  const broken = new Set<number>();
  const sources = paths.map((path, file) =>
    numbered(path === STDIN ? readHar(process.stdin) : readHar(path), file),
  );
  for await (const { file, item } of mergeInOrder(sources, timeOf)) {
    tallies[file]?.add(item);
    if ('problem' in item) {
      if (BROKEN.has(item.problem)) broken.add(file);
    } else if (!item.remarks.some((remark) => remark === 'from-cache' || remark === 'service-worker'))
      for (const replay of replays) replayOne(item, replay);
    if (signal.aborted) break;
  }
  for (const replay of replays) replay.finish();
  return paths.map((path, index) => ({
    name: path === STDIN ? 'standard input' : basename(path),
    tally: tallies[index] as Tally,
    isBroken: broken.has(index),
  }));
}

const BROKEN: ReadonlySet<HarProblem['problem']> = new Set([
  'broken-entry',
  'broken-json',
  'cut-off',
  'too-large',
]);

async function* numbered(
  items: AsyncIterable<RecordedExchange | HarProblem>,
  file: number,
): AsyncGenerator<Item> {
  for await (const item of items) yield { file, item };
}

function timeOf({ item }: Item): number | undefined {
  return 'problem' in item ? undefined : item.startedAt;
}

function replayOne({ request, response, startedAt, ms }: RecordedExchange, replay: Replay): void {
  // Without its duration it is not known what else was under way.
  const sent: ObservedRequest = { ...request, startedAt: ms === undefined ? undefined : startedAt };
  if (!response) {
    replay.add(sent, undefined, ms);
    return;
  }
  const { status, headers, body, bodyMissing } = response;
  replay.add(sent, { status, headers, body, cut: bodyMissing, ms: ms ?? 0 });
}

/**
 * Several sources as one, by a time that grows within each of them: traffic that was recorded in several files at the same
 * time is seen as it happened. What has no time comes at once. A source is read only as far as it is needed.
 */
async function* mergeInOrder<T>(
  sources: readonly AsyncIterable<T>[],
  timeOf: (item: T) => number | undefined,
): AsyncGenerator<T, void> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
  for (;;) {
    let first = -1;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [index, head] of heads.entries()) {
      if (head.done) continue;
      const time = timeOf(head.value) ?? Number.NEGATIVE_INFINITY;
      if (first >= 0 && time >= earliest) continue;
      first = index;
      earliest = time;
    }
    const head = heads[first];
    const iterator = iterators[first];
    if (!head || head.done || !iterator) return;
    yield head.value;
    heads[first] = await iterator.next();
  }
}
