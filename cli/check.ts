import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import type { CheckEvent, Report } from '#contract-tests';
import { toOptions } from './check-options.ts';
import {
  allowRefs,
  examples,
  option,
  repeatable,
  SHIPPED_DOCUMENT,
  valuesOf,
  wholeNumber,
} from './options.ts';
import { openReports } from './report-files.ts';
import { UsageError } from './usage-error.ts';

const EXAMPLES = examples([
  'export PADDOCK_API_KEY=paddock-dev-key',
  'paddock check http://127.0.0.1:4020/v1',
  'paddock check https://staging.example/v1 openapi.yaml --read-only',
  'paddock check https://staging.example/v1 --allow-writes --report json=report.json --report junit=report.xml',
  "paddock check http://127.0.0.1:4020/v1 --only '/400/'",
]);

const EXIT_CODES = `
Exit codes:
  0  the contract holds
  1  the service breaks the contract
  2  invalid option or document
  3  no verdict: no usable response, or the credential is refused everywhere
  4  incomplete: a cell that gates was not reached
`;

export function addCheck(program: Command): void {
  program
    .command('check')
    .description('Check a running service against its OpenAPI document.')
    .argument(
      '[base-url]',
      'base URL of the service with its path prefix (env: PADDOCK_BASE_URL)',
      process.env.PADDOCK_BASE_URL,
    )
    .argument('[document]', 'OpenAPI 3.0 or 3.1, YAML or JSON, file or URL', fileURLToPath(SHIPPED_DOCUMENT))
    .addOption(allowRefs())
    .addOption(
      option('--api-key <key>', 'credential; other users can see the command line, not the environment'),
    )
    .addOption(
      option('--api-key-file <file>', 'file with the credential in its first line').conflicts('apiKey'),
    )
    .addOption(repeatable('--header <header>', "header of every request, as 'Name: value' (repeatable)"))
    .addOption(option('--allow-writes', 'send unsafe methods to a target beyond loopback'))
    .addOption(option('--read-only', 'send safe methods only').conflicts('allowWrites'))
    .addOption(option('--only <regexp>', 'run only the cases whose id matches'))
    .addOption(option('--skip <regexp>', 'skip the cases whose id matches'))
    .addOption(repeatable('--value <name=value>', 'value that is valid on the target (repeatable)'))
    .addOption(option('--stateless', 'for targets without state: force each status with "Prefer: code="'))
    .addOption(option('--strict-stability', 'let experimental and beta operations gate'))
    .addOption(option('--probe-key', 'send altered credentials to a target beyond loopback'))
    .addOption(
      option('--examples <n>', 'generated inputs for each operation, and sequences for each resource')
        .argParser(wholeNumber(0, 100_000))
        .default(25),
    )
    .addOption(option('--no-races', 'send no requests in parallel'))
    .addOption(
      option('--seed <n>', 'seed of the generated inputs; the same seed repeats a run')
        .argParser(wholeNumber(0, 2 ** 31 - 1))
        .default(1),
    )
    .addOption(
      option('--wait <s>', 'seconds to wait for the target to start')
        .argParser(wholeNumber(0, 3600))
        .default(0),
    )
    .addOption(option('--rate <n/s>', 'maximum request rate, such as 5/s').argParser(parseRate))
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
      option('--max-creates <n>', 'maximum number of records to create')
        .argParser(wholeNumber(0, 100_000))
        .default(60),
    )
    .addOption(
      option('--max-time <s>', 'seconds for the whole run').argParser(wholeNumber(1, 86_400)).default(600),
    )
    .addOption(
      repeatable('--report <name=file>', 'write a json, junit, html, sarif or markdown report (repeatable)'),
    )
    .addOption(
      repeatable(
        '--opinion <judge>',
        'also compare with prism or dredd as installed in your project (repeatable)',
      ),
    )
    .addHelpText('after', EXIT_CODES + EXAMPLES)
    .action(async (target: string | undefined, document: string, _options: unknown, command: Command) => {
      if (!target)
        throw new UsageError('name the base URL of the service to check, such as http://127.0.0.1:4020/v1');
      process.exitCode = await runCheck(target, document, command);
    });
}

async function runCheck(target: string, document: string, command: Command): Promise<number> {
  const suite = await import('#contract-tests');
  const renderers = {
    json: suite.renderJson,
    junit: suite.renderJunit,
    html: suite.renderHtml,
    sarif: suite.renderSarif,
    markdown: suite.renderMarkdown,
  };
  const names = Object.keys(renderers) as (keyof typeof renderers)[];
  const reports = await openReports(valuesOf(command, 'report'), names);
  try {
    const report = await follow(suite.check(await toOptions(target, document, command)));
    const told = suite.renderTerminal(report, process.stdout.hasColors?.() ?? false);
    const onGithub = process.env.GITHUB_ACTIONS === 'true';
    console.log(onGithub ? suite.renderGithub(report) + suite.withoutCommands(told) : told);
    for (const { name, write } of reports) await write(renderers[name](report));
    return report.exitCode;
  } catch (error) {
    throw error instanceof suite.SettingsError ? new UsageError(error.message) : error;
  }
}

/** Shows the progress of the run on a terminal. */
async function follow(events: AsyncGenerator<CheckEvent, Report>): Promise<Report> {
  const live = process.stderr.isTTY;
  for (;;) {
    const { value: event, done } = await events.next();
    if (done) return event;
    if (live && event.type === 'case')
      process.stderr.write(`\r\x1b[K${event.done}/${event.total} ${event.result.case.id}`);
    if (live && event.type === 'asking') process.stderr.write(`\r\x1b[Kasking ${event.judge.judge}`);
    if (live && event.type === 'finished') process.stderr.write('\r\x1b[K');
  }
}

function parseRate(text: string): number {
  const [, count] = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text) ?? [];
  if (count !== undefined && Number(count) > 0) return Number(count);
  throw new InvalidArgumentError('It must be a number of requests in a second, such as 5/s.');
}
