import type { Command } from 'commander';
import type { CheckEvent, CheckOptions, Report, ShardReport, Suite } from '#contract-tests';
import type { CredentialSource, Hooks, OwnLaw } from '#user-code';
import {
  allTargetsOf,
  commandsForAll,
  type Definitions,
  hasOwnReports,
  type TargetCommand,
} from './all-targets.ts';
import { MEMBERS } from './apply-configuration.ts';
import { OPTIONS, withSources } from './check-options.ts';
import { exitCodes } from './exit-codes.ts';
import { addOptions, examples, libraryOptions } from './options.ts';
import { createProgressLine, type ProgressLine, showProgress } from './progress.ts';
import { giveReport, openReportOutput } from './reports.ts';
import {
  credentialsOf,
  documentArgument,
  readKey,
  takesCredential,
  targetArgument,
} from './shared-options.ts';
import { printable, warnOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const EXAMPLES = examples([
  'export PADDOCK_API_KEY=paddock-dev-key',
  'paddock check http://127.0.0.1:4020/v1',
  'paddock check   # all targets of paddock.config.yaml, one report',
  'paddock check https://staging.example/v1 openapi.yaml --allow-writes --plan',
  "paddock check https://staging.example/v1 --allow-writes --allow 'DELETE /carts' --exclude tag:billing",
  'paddock check http://127.0.0.1:4020/v1 --disposable   # a container that may be broken',
  'paddock check https://staging.example/v1 openapi.yaml --read-only',
  'paddock check https://staging.example/v1 openapi.yaml --read-only --credential basicAuth=ann:secret',
  'paddock check https://staging.example/v1 --read-only --client-cert me.pem --client-cert me.key',
  'paddock check https://staging.example/v1 --allow-writes --report json=report.json --report junit=report.xml',
  "paddock check http://127.0.0.1:4020/v1 --only '/400/'",
  'paddock check https://staging.example/v1 --read-only --known known.yaml --accept',
  'paddock check https://staging.example/v1 --read-only --known accepted.yaml',
  'paddock check https://staging.example/v1 --allow-writes --rate 10/s',
  'paddock check https://staging.example/v1 --allow-writes --shard 2/5 --report json=shard-2.json',
]);

export function addCheck(program: Command, definitions: Definitions): void {
  const command = program
    .command('check')
    .description('Check a running service against its OpenAPI document.')
    .addArgument(targetArgument('base-url'))
    .addArgument(documentArgument());
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('check') + EXAMPLES)
    .action(async (target: string | undefined, document: string) => {
      const names = allTargetsOf(command);
      if (names) {
        process.exitCode = await runAll(await commandsForAll(command, names, definitions), command);
        return;
      }
      if (!target)
        throw new UsageError('name the base URL of the service to check, such as http://127.0.0.1:4020/v1');
      process.exitCode = await runCheck(target, document, command);
    });
}

/** Members of a configuration file below `check` that are no options. */
interface CheckCode extends Hooks {
  readonly credentials?: Readonly<Record<string, CredentialSource>>;
  readonly laws?: readonly OwnLaw[];
}

function codeOf(command: Command): CheckCode {
  return (command.getOptionValue(MEMBERS) ?? {}) as CheckCode;
}

/** The source of each scheme's credential, if that is not `--credential`. */
function sourcesIn(command: Command): ReadonlyMap<string, string> {
  const typed = credentialsOf(command);
  const schemes = Object.keys(codeOf(command).credentials ?? {});
  return new Map(
    schemes.filter((scheme) => !Object.hasOwn(typed, scheme)).map((scheme) => [scheme, 'check.credentials']),
  );
}

/** The options of the suite from those of the command line. */
async function toOptions(
  target: string,
  document: string,
  command: Command,
  { say }: ProgressLine,
): Promise<CheckOptions> {
  const { readOnly, allowWrites, accept, known: knownFile } = command.opts();
  if (accept && knownFile === undefined)
    throw new UsageError('--accept writes the file of --known FILE, which is missing');
  const { credentials: sources, laws, ...hooks } = codeOf(command);
  return {
    ...libraryOptions<CheckOptions>(command),
    apiKey: await readKey(command),
    credentials: { ...sources, ...withSources(credentialsOf(command)) },
    laws,
    hooks,
    target,
    document,
    writes: readOnly ? false : allowWrites,
    notice: (text) => say(printable(`notice: ${text}`)),
  };
}

async function runCheck(target: string, document: string, command: Command): Promise<number> {
  const suite = await import('#contract-tests');
  const line = createProgressLine();
  const options = await toOptions(target, document, command, line);
  const output = await openReportOutput(command, suite, suite.REPORT_FORMATS);
  const recordExchanges = output.needsExchanges;
  const work = async (signal: AbortSignal) => {
    const checked = await showProgress(
      withWarnings(suite.check({ ...options, recordExchanges, signal }), line),
      line,
    );
    // An interrupted run does not show that a cause is fixed.
    isWhole = !signal.aborted;
    return checked;
  };
  let isWhole = true;
  async function write(report: Report): Promise<void> {
    await output.write(report);
    if (!options.accept || options.known === undefined || !isWhole) return;
    const { added, renewed, struck } = suite.updateKnown(options.known, report);
    console.error(`${options.known}: ${added} findings added, ${renewed} renewed, ${struck} removed`);
  }
  return giveReport(suite, write, INTERRUPTED, work, sourcesIn(command));
}

/** Checks one target after the other, each with its own options; writes one report, with one exit code. */
async function runAll(targets: readonly TargetCommand[], command: Command): Promise<number> {
  if (command.opts().accept) throw new UsageError('--accept writes the findings of one target: name it');
  const suite = await import('#contract-tests');
  const line = createProgressLine();
  const runs = await Promise.all(
    targets.map(async (target) => ({
      ...target,
      options: await toOptions(target.url, target.document, target.command, line),
      ownOutput: hasOwnReports(command, target.command)
        ? await openReportOutput(target.command, suite, suite.REPORT_FORMATS)
        : undefined,
    })),
  );
  const output = await openReportOutput(command, suite, suite.REPORT_FORMATS);
  const sources = new Map(targets.flatMap((target) => [...sourcesIn(target.command)]));
  const work = async (signal: AbortSignal) => {
    const reports: ShardReport[] = [];
    for (const { name, options, ownOutput, ...one } of runs) {
      console.error(`${name}: ${one.url}`);
      const recordExchanges = output.needsExchanges || ownOutput?.needsExchanges === true;
      const events = suite.check({ ...options, recordExchanges, signal });
      const report = await showProgress(withWarnings(events, line), line);
      await ownOutput?.writeFiles(report);
      reports.push({ name, report });
      if (signal.aborted) break;
    }
    return suite.joinTargets(reports);
  };
  return giveReport(suite, output.write, INTERRUPTED, work, sources);
}

const INTERRUPTED = 'interrupted: removing what the run has made, as far as it may; again to end at once';

/** The events of a run, with the warnings on its document printed first. */
async function* withWarnings(
  events: AsyncGenerator<CheckEvent, Report>,
  { say }: ProgressLine,
): AsyncGenerator<CheckEvent, Report> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
    if (value.type === 'started') {
      warnOf(value.suite.contract, say);
      noteUnusedKey(value.suite, say);
      if (!value.suite.settings.plan) reportWithheld(value.suite.withheld, say);
    }
    yield value;
  }
}

/** Notes a key that is not used. */
function noteUnusedKey({ contract, settings }: Suite, say: ProgressLine['say']): void {
  if (takesCredential(contract) || settings.apiKey === undefined) return;
  say(
    "notice: no operation of the document takes a credential, and the API key is not sent; --header 'Name: value' sends one with every request",
  );
}

/** The reports list the others. */
const MOST_WITHHELD = 20;

/** Lists before the first request what the run will not call, and why. */
function reportWithheld(withheld: Report['withheld'], say: ProgressLine['say']): void {
  for (const { method, path, reason } of withheld.slice(0, MOST_WITHHELD))
    say(printable(`withheld: ${method} ${path}: ${reason}`));
  const others = withheld.length - MOST_WITHHELD;
  if (others > 0) say(`withheld: ${others} more operations; --plan shows all`);
}
