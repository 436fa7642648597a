import type { Command } from 'commander';
import type { CompatOptions, CompatProgress } from '#compat';
import { exitCodes } from './exit-codes.ts';
import {
  addOptions,
  examples,
  FILE,
  libraryOptions,
  type OptionRow,
  valuesOf,
  wholeNumber,
} from './options.ts';
import { createProgressLine } from './progress.ts';
import { giveReport, openReportOutput, withoutExchanges } from './reports.ts';
import {
  ALLOW_REFS,
  generatedInputs,
  inputSeed,
  maxTime,
  reportOption,
  STRICT_DOCUMENT,
} from './shared-options.ts';
import { printable, warnOf } from './terminal.ts';

const OPTIONS: readonly OptionRow<CompatOptions>[] = [
  ALLOW_REFS,
  overlayOption(
    '--overlay <file>',
    'OpenAPI Overlay that is applied to both documents before they are read: path or URL',
  ),
  overlayOption(
    '--overlay-old <file>',
    'OpenAPI Overlay that is applied to OLD only, after those of --overlay',
  ),
  overlayOption(
    '--overlay-new <file>',
    'OpenAPI Overlay that is applied to NEW only, after those of --overlay',
  ),
  STRICT_DOCUMENT,
  {
    flags: '--strict <part>',
    help: 'let breaking changes of operations of OLD from draft to beta (stability) decide the verdict, too',
    value: { type: 'text', choices: ['stability', 'all'] },
    isList: true,
    to: 'strict',
  },
  {
    flags: '--known <file>',
    help: 'breaking changes that are accepted until a date, YAML or JSON',
    value: FILE,
    to: 'known',
    see: 'reports.md#known-findings',
  },
  {
    flags: '--deprecation-days <n>',
    help: 'days from today that what NEW deprecates must stay; an earlier day, or none, is breaking',
    isSetting: true,
    value: wholeNumber(0, 36_500),
    default: 0,
    to: 'deprecationDays',
  },
  {
    flags: '--consumer <name=har>',
    help: 'a client and its recorded traffic (HAR): breaks that touch it come first',
    value: { type: 'pairs', between: '=', path: 'path' },
    isList: true,
    to: 'consumers',
    see: 'compat.md#what-clients-use',
  },
  generatedInputs('generated inputs for each operation', 10),
  inputSeed('a comparison'),
  maxTime('the whole comparison'),
  reportOption('changelog'),
];

function overlayOption(flags: string, help: string): OptionRow {
  return { flags, help, value: FILE, isList: true };
}

const EXAMPLES = examples([
  'paddock compat openapi.yaml openapi.next.yaml',
  'paddock compat git:main:openapi.yaml openapi.yaml',
  'paddock compat git:v1.2.0:api/openapi.yaml git:HEAD:api/openapi.yaml --report json=compat.json',
  'paddock compat https://api.example/openapi.json openapi.yaml --report markdown=compat.md',
  'paddock compat git:main:openapi.yaml openapi.yaml --report changelog=-',
  'paddock compat git:main:openapi.yaml openapi.yaml --consumer web=traffic.har',
  'paddock compat git:main:openapi.yaml openapi.yaml --overlay team.overlay.yaml --known accepted.yaml',
]);

export function addCompat(program: Command): void {
  const command = program
    .command('compat')
    .description('Compare two versions of a document: are clients of OLD safe with NEW?')
    .argument('<old>', 'OpenAPI 3 or Swagger 2.0 document, YAML or JSON: path, URL or git:REF:PATH')
    .argument('<new>', 'the same for the new version');
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('compat') + EXAMPLES)
    .action(async (old: string, next: string) => {
      process.exitCode = await runCompat(old, next, command);
    });
}

async function runCompat(old: string, next: string, command: Command): Promise<number> {
  const [{ compat, renderChangelog }, suite] = await Promise.all([
    import('#compat'),
    import('#contract-tests'),
  ]);
  const changelog = { mediaType: 'text/markdown', render: renderChangelog };
  const output = await openReportOutput(command, suite, { ...withoutExchanges(suite), changelog });
  let progress: CompatProgress | undefined;
  const line = createProgressLine();
  const close = process.stderr.isTTY ? line.show(() => progress && lineOf(progress)) : () => undefined;
  const both = valuesOf(command, 'overlay');
  const work = (signal: AbortSignal) =>
    compat(old, next, {
      ...libraryOptions<CompatOptions>(command),
      oldOverlays: [...both, ...valuesOf(command, 'overlayOld')],
      newOverlays: [...both, ...valuesOf(command, 'overlayNew')],
      signal,
      onWarnings: (warnings) => warnOf({ warnings }, line.say),
      onProgress: (latest) => {
        progress = latest;
      },
    }).finally(close);
  return giveReport(suite, output.write, 'interrupted', work);
}

/** `12 of 40 changed operations: createPet` */
function lineOf({ stage, done, total, at }: CompatProgress): string {
  const what = stage === 'operations' ? 'changed operations' : 'cases of OLD';
  return `${done} of ${total} ${what}: ${printable(at).replace(/\s+/g, ' ')}`;
}
