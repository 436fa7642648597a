import type { Command } from 'commander';
import type { ReportFormat, ReportFormatName } from '#contract-tests';
import { hasColours } from './colours.ts';
import { listenForInterrupts } from './interrupts.ts';
import { allowRefs, examples, option, repeatable, valuesOf, wholeNumber } from './options.ts';
import { openReports } from './report-files.ts';

const EXAMPLES = examples([
  'paddock compat openapi.yaml openapi.next.yaml',
  'paddock compat git:main:openapi.yaml openapi.yaml',
  'paddock compat git:v1.2.0:api/openapi.yaml git:HEAD:api/openapi.yaml --report json=compat.json',
  'paddock compat https://api.example/openapi.json openapi.yaml --report markdown=compat.md',
]);

const EXIT_CODES = `
Exit codes:
  0  clients of OLD are safe with NEW; warnings change nothing
  1  NEW breaks clients of OLD
  2  invalid option or document
  4  incomplete: a changed operation could not be tried, or the time was over
  130, 143  interrupted by SIGINT (Ctrl-C) or SIGTERM; the reports say what was found until then
`;

export function addCompat(program: Command): void {
  program
    .command('compat')
    .description('Compare two versions of a document: are clients of OLD safe with NEW?')
    .argument('<old>', 'OpenAPI 3 or Swagger 2.0, YAML or JSON: file, URL or git:REF:PATH')
    .argument('<new>', 'likewise')
    .addOption(allowRefs())
    .addOption(
      option('--examples <n>', 'generated inputs for each operation')
        .argParser(wholeNumber(0, 1000))
        .default(10),
    )
    .addOption(
      option('--seed <n>', 'seed of the generated inputs; the same seed repeats a comparison')
        .argParser(wholeNumber(0, 2 ** 31 - 1))
        .default(1),
    )
    .addOption(
      option('--max-time <s>', 'seconds for the whole comparison')
        .argParser(wholeNumber(1, 86_400))
        .default(600),
    )
    .addOption(
      repeatable(
        '--report <name=file>',
        'write a report, such as json, junit, html, sarif or markdown; the file - is standard output (repeatable)',
      ),
    )
    .addHelpText('after', EXIT_CODES + EXAMPLES)
    .action(async (old: string, next: string, _options: unknown, command: Command) => {
      process.exitCode = await runCompat(old, next, command);
    });
}

async function runCompat(old: string, next: string, command: Command): Promise<number> {
  const [{ compat, renderComparison }, { REPORT_FORMATS }] = await Promise.all([
    import('#compat'),
    import('#contract-tests'),
  ]);
  const formats: Readonly<Record<ReportFormatName, ReportFormat>> = REPORT_FORMATS;
  // Exchanges with a mock in this process are nobody's traffic.
  const names = (Object.keys(formats) as ReportFormatName[]).filter((name) => !formats[name].needsExchanges);
  const reports = await openReports(valuesOf(command, 'report'), names);
  const interrupts = listenForInterrupts(() => process.stderr.write('\ninterrupted\n'));
  try {
    const { examples, seed, maxTime } = command.opts();
    const { signal } = interrupts;
    const found = await compat(old, next, {
      allowRefs: valuesOf(command, 'allowRefs'),
      examples,
      seed,
      maxTime,
      signal,
    });
    const report = { ...found, exitCode: interrupts.exitCode() ?? found.exitCode };
    const onStdout = !reports.some(({ isStdout }) => isStdout);
    const text = renderComparison(report, hasColours(onStdout ? process.stdout : process.stderr));
    if (onStdout) console.log(text);
    else console.error(text);
    for (const { name, write } of reports) await write(formats[name].render(report));
    return report.exitCode;
  } finally {
    interrupts.close();
  }
}
