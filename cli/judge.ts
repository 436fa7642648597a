import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Observation, Report, ReportFormat, ReportFormatName } from '#contract-tests';
import { exitCodes } from './exit-codes.ts';
import { listenForInterrupts } from './interrupts.ts';
import { judgeFiles, type ReadFile } from './judge-files.ts';
import {
  allowRefs,
  examples,
  option,
  overlays,
  repeatable,
  reports,
  SHIPPED_DOCUMENT,
  strictDocument,
  valuesOf,
} from './options.ts';
import { openReports } from './reports.ts';
import { hasColours, warnOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { baseline, known, newOnly, replicaLag, strictStability } from './verdict-options.ts';

const EXAMPLES = examples([
  'paddock judge traffic.har --document openapi.yaml',
  'paddock judge traffic.har --document openapi.yaml --base-url https://staging.example/v1',
  'paddock judge first.har second.har --document openapi.yaml --report html=traffic.html --report json=traffic.json',
  'paddock judge suite.har --document openapi.yaml --exclusive --strict-cells',
  'gunzip -c traffic.har.gz | paddock judge - --document openapi.yaml',
]);

export function addJudge(program: Command): void {
  program
    .command('judge')
    .description('Judge recorded traffic (HAR) against its OpenAPI document, and say what of it was covered.')
    .argument('<har...>', 'HAR files of a browser, Playwright, k6, mitmproxy or Paddock; - is standard input')
    .addOption(
      option('--document <file>', 'OpenAPI 3 or Swagger 2.0, YAML or JSON, file or URL').default(
        fileURLToPath(SHIPPED_DOCUMENT),
        'the Pet Store',
      ),
    )
    .addOption(allowRefs())
    .addOption(overlays())
    .addOption(strictDocument())
    .addOption(
      repeatable(
        '--base-url <url>',
        'judge only requests below this URL of the service (repeatable; default: any origin)',
      ),
    )
    .addOption(option('--exclusive', 'no client but the recorded ones has changed records meanwhile'))
    .addOption(replicaLag())
    .addOption(option('--only <regexp>', 'judge only cells whose id (OPERATION/STATUS/traffic) matches'))
    .addOption(option('--skip <regexp>', 'leave out the cells whose id matches'))
    .addOption(strictStability())
    .addOption(option('--strict-cells', 'let cells gate that the traffic has not reached'))
    .addOption(known())
    .addOption(baseline())
    .addOption(newOnly())
    .addOption(reports())
    .addHelpText('after', exitCodes('judge') + EXAMPLES)
    .action(async (files: string[], _options: unknown, command: Command) => {
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
  const { document, strictDocument, exclusive, settle, only, skip, known, baseline, newOnly } =
    command.opts();
  const { strictStability, strictCells } = command.opts();
  const reports = await openReports(valuesOf(command, 'report'), names);
  const contract = await loadContract(document, {
    allowRefs: valuesOf(command, 'allowRefs'),
    overlays: valuesOf(command, 'overlay'),
    strictDocument,
  });
  warnOf(contract);
  const baseUrls = valuesOf(command, 'baseUrl');
  const interrupts = listenForInterrupts(() => process.stderr.write('\ninterrupted\n'));
  try {
    const observer = observe(contract, {
      baseUrls: baseUrls.length > 0 ? baseUrls : undefined,
      exclusive,
      settle,
      only,
      skip,
      known,
      baseline,
      newOnly,
      strictStability,
      strictCells,
    });
    const read = await judgeFiles(files, createReplay(observer), har, interrupts.signal);
    const judged = withFiles(observer.report(), read);
    const report = { ...judged, exitCode: interrupts.exitCode() ?? judged.exitCode };
    const onStdout = !reports.some(({ isStdout }) => isStdout);
    const text = suite.renderTerminal(report, hasColours(onStdout ? process.stdout : process.stderr));
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

/** What the files lack; one that is broken cannot show that all is well. */
function withFiles(report: Report, files: readonly ReadFile[]): Report {
  const notices = files.flatMap(({ name, tally }) =>
    tally.lines().map((text): Observation => ({ caseId: 'traffic', operationId: name, text })),
  );
  const broken = files.find(({ isBroken }) => isBroken);
  const told = { ...report, notices: [...report.notices, ...notices] };
  if (!broken || report.verdict !== 'holds') return told;
  const reason = `${broken.name} is not whole: what could be read of it keeps the contract`;
  return { ...told, verdict: 'incomplete', exitCode: 4, reason };
}

function onCommandLine({ option: name, message }: { option?: string | undefined; message: string }): string {
  return name === undefined
    ? message
    : message.replace(
        `option ${name}`,
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      );
}
