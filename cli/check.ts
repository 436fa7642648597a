import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import type { CheckEvent, Report, Suite } from '#contract-tests';
import { JUDGES, toOptions } from './check-options.ts';
import { exitCodes } from './exit-codes.ts';
import { listenForInterrupts } from './interrupts.ts';
import { withForm } from './option-form.ts';
import {
  allowRefs,
  BASE_URL_VARIABLE,
  examples,
  generated,
  maxTime,
  option,
  overlays,
  repeatable,
  reports,
  SHIPPED_DOCUMENT,
  seed,
  strictDocument,
  wholeNumber,
} from './options.ts';
import { showProgress } from './progress.ts';
import { openReportOutput } from './reports.ts';
import { apiKey, apiKeyFile, clientCert, clientKey, credential, header, insecure } from './target-options.ts';
import { printable, warnOf } from './terminal.ts';
import { onCommandLine, UsageError } from './usage-error.ts';
import { baseline, known, newOnly, strictStability } from './verdict-options.ts';

const EXAMPLES = examples([
  'export PADDOCK_API_KEY=paddock-dev-key',
  'paddock check http://127.0.0.1:4020/v1',
  'paddock check https://staging.example/v1 openapi.yaml --allow-writes --plan',
  "paddock check https://staging.example/v1 --allow-writes --allow 'DELETE /carts' --exclude tag:billing",
  'paddock check https://staging.example/v1 openapi.yaml --read-only',
  'paddock check https://staging.example/v1 openapi.yaml --read-only --credential basicAuth=ann:secret',
  'paddock check https://staging.example/v1 --read-only --client-cert me.pem --client-key me.key',
  'paddock check https://staging.example/v1 --allow-writes --report json=report.json --report junit=report.xml',
  "paddock check http://127.0.0.1:4020/v1 --only '/400/'",
  'paddock check http://127.0.0.1:4020/v1 openapi.yaml --provoke provoke.yaml --strict-cells',
  'paddock check https://staging.example/v1 --read-only --known known.yaml --known-update',
  'paddock check https://staging.example/v1 --read-only --baseline last-week.json --new-only',
  'paddock check https://staging.example/v1 --allow-writes --jobs 2 --rate 10/s',
]);

export function addCheck(program: Command): void {
  program
    .command('check')
    .description('Check a running service against its OpenAPI document.')
    .argument(
      '[base-url]',
      `base URL of the service with its path prefix, or the name of a target (env: ${BASE_URL_VARIABLE})`,
      process.env[BASE_URL_VARIABLE],
    )
    .argument(
      '[document]',
      'OpenAPI 3 or Swagger 2.0, YAML or JSON, file or URL',
      fileURLToPath(SHIPPED_DOCUMENT),
    )
    .addOption(allowRefs())
    .addOption(overlays())
    .addOption(strictDocument())
    .addOption(apiKey())
    .addOption(apiKeyFile())
    .addOption(credential())
    .addOption(clientCert())
    .addOption(clientKey())
    .addOption(insecure())
    .addOption(header())
    .addOption(option('--allow-writes', 'send unsafe methods to a target beyond loopback'))
    .addOption(option('--read-only', 'send safe methods only').conflicts('allowWrites'))
    .addOption(
      option('--only <regexp>', 'run only the cases whose id matches; requests that set one up remain'),
    )
    .addOption(
      option('--skip <regexp>', 'skip the cases whose id matches; requests that set up others remain'),
    )
    .addOption(
      repeatable(
        '--allow <operation>',
        'call an operation that is withheld: operationId, "METHOD /path", tag:NAME or all (repeatable)',
      ),
    )
    .addOption(
      repeatable('--exclude <operation>', 'never call an operation, not for set-up either (repeatable)'),
    )
    .addOption(option('--plan', 'send nothing: show what would be sent, withheld and left behind'))
    .addOption(repeatable('--value <name=value>', 'value that is valid on the target (repeatable)'))
    .addOption(option('--stateless', 'for targets without state: force each status with "Prefer: code="'))
    .addOption(strictStability())
    .addOption(
      option('--provoke <file>', 'requests for statuses that the document does not say how to provoke'),
    )
    .addOption(option('--strict-cells', 'let every documented status gate, provoked or not'))
    .addOption(option('--probe-key', 'send altered credentials to a target beyond loopback'))
    .addOption(known())
    .addOption(option('--known-update', 'write the findings of this run into the file of --known'))
    .addOption(baseline())
    .addOption(newOnly())
    .addOption(generated('generated inputs for each operation, and sequences for each resource', 25))
    .addOption(option('--no-races', 'send no requests in parallel'))
    .addOption(seed('the same seed repeats a run'))
    .addOption(
      option('--wait <s>', 'seconds to wait for the target to start')
        .argParser(wholeNumber(0, 3600))
        .default(0),
    )
    .addOption(
      option('--jobs <n>', 'cases that run side by side; 1 runs one after another')
        .argParser(wholeNumber(1, 64))
        .default(4),
    )
    .addOption(
      withForm(option('--rate <n/s>', 'maximum request rate, such as 5/s'), {
        quantity: { exclusiveMinimum: 0, pattern: RATE },
      }).argParser(parseRate),
    )
    .addOption(
      option('--timeout <ms>', 'milliseconds for one exchange')
        .argParser(wholeNumber(1, 600_000))
        .default(10_000),
    )
    .addOption(
      option('--retries <n>', 'retries of a request that failed outside the service')
        .argParser(wholeNumber(0, 100))
        .default(5),
    )
    .addOption(
      option('--settle <ms>', 'milliseconds to repeat a read that is not yet consistent')
        .argParser(wholeNumber(0, 600_000))
        .default(2000),
    )
    .addOption(
      option(
        '--max-creates <n>',
        'records to leave that the service cannot remove (default: 60; on loopback as many as the cases need)',
      ).argParser(wholeNumber(0, 100_000)),
    )
    .addOption(maxTime('seconds for the whole run'))
    .addOption(reports('har'))
    .addOption(
      withForm(
        repeatable(
          '--opinion <judge>',
          'also compare with prism or dredd as installed in your project (repeatable)',
        ),
        { names: JUDGES },
      ),
    )
    .addHelpText('after', exitCodes('check') + EXAMPLES)
    .action(async (target: string | undefined, document: string, _options: unknown, command: Command) => {
      if (!target)
        throw new UsageError('name the base URL of the service to check, such as http://127.0.0.1:4020/v1');
      process.exitCode = await runCheck(target, document, command);
    });
}

async function runCheck(target: string, document: string, command: Command): Promise<number> {
  const suite = await import('#contract-tests');
  const options = await toOptions(target, document, command);
  const output = await openReportOutput(command, suite);
  const recordExchanges = output.needsExchanges;
  const interrupts = listenForInterrupts(() =>
    process.stderr.write(
      '\ninterrupted: removing what the run has made, as far as it may; again to end at once\n',
    ),
  );
  const { signal } = interrupts;
  try {
    const checked = await showProgress(
      withWarnings(command, suite.check({ ...options, recordExchanges, signal })),
    );
    const report = { ...checked, exitCode: interrupts.exitCode() ?? checked.exitCode };
    await output.write(report, suite.renderTerminal);
    if (options.knownUpdate && options.known !== undefined && !signal.aborted) {
      const { added, renewed, struck } = suite.updateKnown(options.known, report);
      console.error(`${options.known}: ${added} findings added, ${renewed} renewed, ${struck} struck`);
    }
    // An outside judge may still be at work.
    if (signal.aborted) process.exit(report.exitCode);
    return report.exitCode;
  } catch (error) {
    throw error instanceof suite.SettingsError ? new UsageError(onCommandLine(error)) : error;
  } finally {
    interrupts.close();
  }
}

/** The events of a run, before the first of which what is odd in its document is told. */
async function* withWarnings(
  command: Command,
  events: AsyncGenerator<CheckEvent, Report>,
): AsyncGenerator<CheckEvent, Report> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
    if (value.type === 'started') {
      warnOf(value.suite.contract);
      demandUseOfKey(command, value.suite);
      if (!value.suite.settings.plan) tellWithheld(value.suite.withheld);
    }
    yield value;
  }
}

/** @throws UsageError for a key that would be sent nowhere; one that is there for other documents as well is no mistake */
function demandUseOfKey(command: Command, { contract, settings }: Suite): void {
  const isTaken = contract.operations.some(({ security }) => security.some((all) => all.length > 0));
  if (isTaken || settings.apiKey === undefined) return;
  const isTyped = ['apiKey', 'apiKeyFile'].some((name) => command.getOptionValueSource(name) === 'cli');
  const unused = 'no operation of the document takes a credential, and the API key is not sent';
  if (isTyped) throw new UsageError(`${unused}; --header 'Name: value' sends one with every request`);
  console.error(`notice: ${unused}`);
}

/** Those beyond it stand in the reports. */
const MOST_TOLD = 20;

/** Before the first request: what the run will not call, and why. */
function tellWithheld(withheld: Report['withheld']): void {
  for (const { method, path, reason } of withheld.slice(0, MOST_TOLD))
    console.error(printable(`withheld: ${method} ${path}: ${reason}`));
  const others = withheld.length - MOST_TOLD;
  if (others > 0) console.error(`withheld: ${others} more operations; --plan shows all`);
}

const RATE = '^(?!0*(?:\\.0*)?(?:/s)?$)(\\d+(?:\\.\\d+)?)(?:/s)?$';

function parseRate(text: string): number {
  const [, count] = new RegExp(RATE).exec(text) ?? [];
  if (count !== undefined) return Number(count);
  throw new InvalidArgumentError('It must be a number of requests in a second, such as 5/s.');
}
