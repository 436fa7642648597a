import type { Command } from 'commander';
import type { JudgedTarget } from '#configuration';
import type { CheckOptions, Observation, Report, ShardReport } from '#contract-tests';
import type { JudgedFile } from '#judge';
import type { ObserveOptions } from '#observe';
import { ALL_TARGETS } from './apply-configuration.ts';
import { exitCodes } from './exit-codes.ts';
import { addOptions, examples, libraryOptions, type OptionRow } from './options.ts';
import { giveReport, openReportOutput, withoutExchanges } from './reports.ts';
import {
  DOCUMENT_OPTIONS,
  documentOption,
  JUDGED_CELLS,
  KNOWN,
  MASKED,
  REPLICA_LAG,
  reportOption,
  STRICT,
  VERBOSE,
} from './shared-options.ts';
import { warnOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** The observer's options, and how the document is read. */
type JudgeOptions = ObserveOptions & Pick<CheckOptions, 'allowRefs' | 'overlays' | 'strictDocument'>;

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
  JUDGED_CELLS,
  MASKED,
  STRICT,
  KNOWN,
  reportOption(),
  VERBOSE,
];

const EXAMPLES = examples([
  'paddock judge traffic.har --document openapi.yaml',
  'paddock judge traffic.har --document openapi.yaml --base-url https://staging.example/v1',
  'paddock judge traffic.har   # all targets of paddock.config.yaml, each by its own document',
  'paddock judge first.har second.har --document openapi.yaml --report html=traffic.html --report json=traffic.json',
  'paddock judge suite.har --document openapi.yaml --exclusive --strict cells',
  'gunzip -c traffic.har.gz | paddock judge - --document openapi.yaml',
]);

export function addJudge(program: Command): void {
  const command = program
    .command('judge')
    .description(
      'Judge recorded traffic (HAR) by its OpenAPI document, and report which responses it covers.',
    )
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
  const [suite, { observe }, { HarError }, { judgeFiles }, { loadContract }] = await Promise.all([
    import('#contract-tests'),
    import('#observe'),
    import('#har'),
    import('#judge'),
    import('#spec'),
  ]);
  const {
    allowRefs = [],
    overlays = [],
    strictDocument = false,
    ...options
  } = libraryOptions<JudgeOptions>(command);
  const output = await openReportOutput(command, suite, withoutExchanges(suite));
  const targets = (command.getOptionValue(ALL_TARGETS) ?? []) as readonly JudgedTarget[];
  const isSeveral = targets.length > 0;
  const load = { allowRefs, overlays, strictDocument };
  const documents = isSeveral ? targets : [{ name: '', url: undefined, document: command.opts().document }];
  const contracts = await Promise.all(documents.map(({ document }) => loadContract(document, load)));
  for (const contract of contracts) warnOf(contract);
  const work = async (signal: AbortSignal) => {
    const observers = contracts.map((contract, index) => {
      const url = documents[index]?.url;
      return observe(contract, { ...options, baseUrls: url === undefined ? options.baseUrls : [url] });
    });
    const read = await judgeFiles(files, observers, signal).catch((error) => {
      throw error instanceof HarError ? new UsageError(error.message) : error;
    });
    const seen = documents.map(({ name }, index) => ({ name, report: observers[index]?.report() as Report }));
    const [only] = seen as [ShardReport];
    return withFiles(isSeveral ? withSharedTraffic(suite.joinTargets(seen), seen) : only.report, read);
  };
  return giveReport(suite, output.write, 'interrupted', work);
}

/** All targets share the traffic: what belongs to none is counted elsewhere. */
function withSharedTraffic(joined: Report, seen: readonly ShardReport[]): Report {
  const all = seen.flatMap(({ report }) => report.traffic ?? []);
  const exchanges = Math.max(...all.map((one) => one.exchanges));
  const hits = all.reduce((sum, one) => sum + one.exchanges - one.elsewhere, 0);
  const { traffic } = joined;
  return traffic ? { ...joined, traffic: { ...traffic, exchanges, elsewhere: exchanges - hits } } : joined;
}

/** Adds what the files lack. An invalid file cannot show that the contract is kept. */
function withFiles(report: Report, files: readonly JudgedFile[]): Report {
  const notices = files.flatMap(({ name, tally }) =>
    tally.lines().map((text): Observation => ({ caseId: 'traffic', operationId: name, text })),
  );
  const incomplete = files.find(({ broken }) => broken);
  const whole = { ...report, notices: [...report.notices, ...notices] };
  if (!incomplete || report.verdict !== 'holds') return whole;
  const reason = `${incomplete.name} is not complete: what could be read of it keeps the contract`;
  return { ...whole, verdict: 'incomplete', exitCode: 4, reason };
}
