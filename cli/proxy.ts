import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Report, ReportFormat, ReportFormatName } from '#contract-tests';
import type { ProxyOptions, Proxy as RunningProxy } from '#proxy';
import { exitCodes } from './exit-codes.ts';
import { createLogPrinter } from './log.ts';
import {
  allowRefs,
  BASE_URL_VARIABLE,
  examples,
  option,
  overlays,
  reports,
  SHIPPED_DOCUMENT,
  secret,
  strictDocument,
  valuesOf,
  wholeNumber,
} from './options.ts';
import { openReports } from './reports.ts';
import { clientCert, clientKey, insecure } from './target-options.ts';
import { hasColours, printable, warnOf } from './terminal.ts';
import { listenProblem, onCommandLine, UsageError } from './usage-error.ts';
import { baseline, known, newOnly, replicaLag, strictStability } from './verdict-options.ts';

const EXAMPLES = examples([
  'paddock proxy http://127.0.0.1:4020/v1',
  'paddock proxy http://127.0.0.1:8080/api openapi.yaml --report json=report.json',
  'paddock proxy https://staging.example/v1 openapi.yaml --port 8443 --insecure',
  'paddock proxy http://127.0.0.1:8080 openapi.yaml --enforce --annotate',
  'paddock proxy http://127.0.0.1:8080 openapi.yaml --exclusive --log json',
]);

const SIGNALS = `
Requests to the origin of the proxy, with the paths that the target has, go to the target byte for byte. What is below
/__admin is answered by the proxy: /__admin/ shows findings and requests, /__admin/findings is JSON.

Signals:
  SIGINT (Ctrl-C), SIGTERM  write the reports, and end
  SIGUSR2                   write the reports, and go on
`;

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly log: 'text' | 'json' | 'quiet';
}

export function addProxy(program: Command): void {
  program
    .command('proxy')
    .description('Stand in front of a running service, and judge what passes by its OpenAPI document.')
    .argument(
      '[target]',
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
    .addOption(option('--port <n>', '0 takes a free one').argParser(wholeNumber(0, 65_535)).default(4030))
    .addOption(option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(option('--keep-host', 'send the header Host on as it came (default: it names the target)'))
    .addOption(clientCert())
    .addOption(clientKey())
    .addOption(insecure())
    .addOption(option('--enforce', 'answer 502 in place of a response that breaks the document'))
    .addOption(option('--annotate', 'add the header Paddock-Finding to a response that breaks the document'))
    .addOption(
      option('--exclusive', 'nobody else changes records: what several exchanges show together gates, too'),
    )
    .addOption(replicaLag())
    .addOption(option('--only <regexp>', 'judge only the cells whose id (OPERATION/STATUS/traffic) matches'))
    .addOption(option('--skip <regexp>', 'leave out the cells whose id matches'))
    .addOption(known())
    .addOption(baseline())
    .addOption(newOnly())
    .addOption(strictStability())
    .addOption(option('--strict-cells', 'let every documented status gate that was not seen'))
    .addOption(secret(option('--admin-token <token>', 'needed for /__admin when others can reach the proxy')))
    .addOption(
      option('--log <form>', 'how findings are printed: a line for people, JSON, or not at all')
        .choices(['text', 'json', 'quiet'])
        .default('text'),
    )
    .addOption(reports())
    .addHelpText('after', SIGNALS + exitCodes('proxy') + EXAMPLES)
    .action(async (target: string | undefined, document: string, flags: Flags, command: Command) => {
      if (!target)
        throw new UsageError('name the base URL of the service to judge, such as http://127.0.0.1:4020/v1');
      process.exitCode = await run(target, document, flags, command);
    });
}

async function run(target: string, document: string, flags: Flags, command: Command): Promise<number> {
  // Loaded only now, so that --help starts fast.
  const [library, { compileFindingLine, findingJson }] = await Promise.all([
    import('#proxy'),
    import('./finding-line.ts'),
  ]);
  const formats: Readonly<Record<ReportFormatName, ReportFormat>> = library.REPORT_FORMATS;
  // Bodies of all exchanges would fill the memory.
  const names = (Object.keys(formats) as ReportFormatName[]).filter((name) => !formats[name].needsExchanges);
  const wanted = valuesOf(command, 'report');
  const reports = await openReports(wanted, names);
  const { log: form } = flags;
  const isOnStdout = !reports.some(({ isStdout }) => isStdout);
  const stream = isOnStdout ? process.stdout : process.stderr;
  const printer = createLogPrinter(stream, form === 'json' ? 'json' : 'text');
  const lineOf = form === 'json' ? findingJson : compileFindingLine(hasColours(stream));
  const token = command.opts().adminToken;
  if (token !== undefined && !/^[\x21-\x7e]{1,256}$/.test(token))
    throw new UsageError('--admin-token must have 1 to 256 characters, printable ASCII without spaces');

  const proxy = await library
    .createProxy({
      ...(command.opts() as Partial<ProxyOptions>),
      target,
      document,
      allowRefs: valuesOf(command, 'allowRefs'),
      overlays: valuesOf(command, 'overlay'),
      onFinding: form === 'quiet' ? undefined : (finding) => printer.line(lineOf(finding)),
      notice: form === 'quiet' ? undefined : printer.say,
      onBug: (error) => console.error('error: this is a bug of Paddock; please report it.\n', error),
    })
    .catch((error) => {
      if (error instanceof library.SettingsError) throw new UsageError(onCommandLine(error));
      throw listenProblem(error, flags) ?? error;
    });

  async function write(report: Report, files: typeof reports): Promise<void> {
    for (const { name, write: writeFile } of files) await writeFile(formats[name].render(report));
  }
  async function writeAnew(): Promise<void> {
    try {
      await write(proxy.report(), await openReports(wanted, names));
      printer.say(wanted.length > 0 ? 'the reports are written' : 'there is no --report to write');
    } catch (error) {
      printer.say((error as Error).message);
    }
  }

  const stopped = untilStopped(() => void writeAnew());
  warnOf(proxy.contract);
  if (form !== 'quiet') announce(proxy, target, form, stream);
  await stopped;
  await proxy.close();
  printer.flush();
  const report = proxy.report();
  await write(report, reports);
  if (form === 'text') stream.write(`\n${library.renderTerminal(report, hasColours(stream))}\n`);
  return report.exitCode;
}

/** The first signal ends the proxy in order; a second one ends the process at once. */
function untilStopped(writeReports: () => void): Promise<void> {
  // Windows has no such signal.
  if (process.platform !== 'win32') process.on('SIGUSR2', writeReports);
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      process.off('SIGUSR2', writeReports);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

function announce(
  proxy: RunningProxy,
  target: string,
  form: Flags['log'],
  stream: NodeJS.WritableStream,
): void {
  const { url, adminUrl, contract } = proxy;
  const { title, version } = contract;
  if (form === 'json') {
    const at = new Date().toISOString();
    stream.write(`${JSON.stringify({ type: 'started', at, title, version, url, target, adminUrl })}\n`);
    return;
  }
  const lines = [
    `${title} ${version}`.trim(),
    `  base URL  ${url}`,
    `  target    ${target}`,
    `  findings  ${adminUrl}/`,
    '',
    '',
  ];
  stream.write(printable(lines.join('\n')));
}
