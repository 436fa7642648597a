import type { Command } from 'commander';
import type { CompatProgress } from '#compat';
import { exitCodes } from './exit-codes.ts';
import { listenForInterrupts } from './interrupts.ts';
import {
  allowRefs,
  examples,
  generated,
  maxTime,
  option,
  repeatable,
  reports,
  seed,
  strictDocument,
  valuesOf,
} from './options.ts';
import { showLine } from './progress.ts';
import { openReportOutput } from './reports.ts';
import { printable, warnOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const EXAMPLES = examples([
  'paddock compat openapi.yaml openapi.next.yaml',
  'paddock compat git:main:openapi.yaml openapi.yaml',
  'paddock compat git:v1.2.0:api/openapi.yaml git:HEAD:api/openapi.yaml --report json=compat.json',
  'paddock compat https://api.example/openapi.json openapi.yaml --report markdown=compat.md',
  'paddock compat git:main:openapi.yaml openapi.yaml --overlay team.overlay.yaml --known accepted.yaml',
]);

export function addCompat(program: Command): void {
  program
    .command('compat')
    .description('Compare two versions of a document: are clients of OLD safe with NEW?')
    .argument('<old>', 'OpenAPI 3 or Swagger 2.0, YAML or JSON: file, URL or git:REF:PATH')
    .argument('<new>', 'likewise')
    .addOption(allowRefs())
    .addOption(overlays('--overlay <file>', 'each of the documents'))
    .addOption(overlays('--overlay-old <file>', 'OLD only, after those of --overlay'))
    .addOption(overlays('--overlay-new <file>', 'NEW only, after those of --overlay'))
    .addOption(strictDocument())
    .addOption(option('--strict-stability', 'let experimental and beta operations of OLD gate'))
    .addOption(option('--known <file>', 'breaking changes that are accepted until a day, as YAML or JSON'))
    .addOption(generated('generated inputs for each operation', 10))
    .addOption(seed('the same seed repeats a comparison'))
    .addOption(maxTime('seconds for the whole comparison'))
    .addOption(reports())
    .addHelpText('after', exitCodes('compat') + EXAMPLES)
    .action(async (old: string, next: string, _options: unknown, command: Command) => {
      process.exitCode = await runCompat(old, next, command);
    });
}

function overlays(flags: string, which: string) {
  return repeatable(
    flags,
    `OpenAPI Overlay that changes ${which}, before it is read: path or URL (repeatable)`,
  );
}

async function runCompat(old: string, next: string, command: Command): Promise<number> {
  const [{ compat, renderComparison }, suite] = await Promise.all([
    import('#compat'),
    import('#contract-tests'),
  ]);
  // Exchanges with a mock in this process are nobody's traffic.
  const output = await openReportOutput(command, suite, ({ needsExchanges }) => !needsExchanges);
  const interrupts = listenForInterrupts(() => process.stderr.write('\ninterrupted\n'));
  let progress: CompatProgress | undefined;
  const close = process.stderr.isTTY ? showLine(() => progress && lineOf(progress)) : () => undefined;
  try {
    const { examples, seed, maxTime, strictDocument, strictStability, known } = command.opts();
    const { signal } = interrupts;
    const both = valuesOf(command, 'overlay');
    const found = await compat(old, next, {
      allowRefs: valuesOf(command, 'allowRefs'),
      oldOverlays: [...both, ...valuesOf(command, 'overlayOld')],
      newOverlays: [...both, ...valuesOf(command, 'overlayNew')],
      strictDocument,
      strictStability,
      known,
      examples,
      seed,
      maxTime,
      signal,
      onWarnings: (warnings) => warnOf({ warnings }),
      onProgress: (latest) => {
        progress = latest;
      },
    });
    close();
    const report = { ...found, exitCode: interrupts.exitCode() ?? found.exitCode };
    await output.write(report, renderComparison);
    return report.exitCode;
  } catch (error) {
    throw error instanceof suite.SettingsError ? new UsageError(error.message) : error;
  } finally {
    close();
    interrupts.close();
  }
}

/** `12 of 40 changed operations: createPet` */
function lineOf({ stage, done, total, at }: CompatProgress): string {
  const what = stage === 'operations' ? 'changed operations' : 'cases of OLD';
  return `${done} of ${total} ${what}: ${printable(at).replace(/\s+/g, ' ')}`;
}
