import type { Command } from 'commander';
import type { Report, ReportedFinding, ReportFormat } from '#contract-tests';
import type { openHarFile, ProxyOptions, Proxy as RunningProxy } from '#proxy';
import { allTargetsOf, commandsForAll, type Definitions, type TargetCommand } from './all-targets.ts';
import { exitCodes } from './exit-codes.ts';
import {
  compileFindingLine,
  compileInvalidLine,
  createLogPrinter,
  findingJson,
  invalidJson,
  requestJson,
} from './log.ts';
import { addOptions, examples, libraryOptions, valuesOf } from './options.ts';
import { OPTIONS } from './proxy-options.ts';
import { openReports, withoutExchanges } from './reports.ts';
import {
  documentArgument,
  httpsOf,
  requireKeyForm,
  SHIPPED_DOCUMENT,
  targetArgument,
  trustLines,
} from './shared-options.ts';
import { columnsOf, hasColours, printable, warnOf } from './terminal.ts';
import { listenProblem, onCommandLine, UsageError } from './usage-error.ts';

const EXAMPLES = examples([
  'paddock proxy http://127.0.0.1:4020/v1',
  'paddock proxy   # all targets of paddock.config.yaml, at ports one after the other',
  'paddock proxy http://127.0.0.1:8080/api openapi.yaml --report json=report.json',
  'paddock proxy https://staging.example/v1 openapi.yaml --port 8443 --insecure',
  'paddock proxy http://127.0.0.1:8080 openapi.yaml --https',
  'paddock proxy http://127.0.0.1:8080 openapi.yaml --enforce --annotate',
  'paddock proxy http://127.0.0.1:8080 openapi.yaml --enforce requests',
  'paddock proxy http://127.0.0.1:8080 openapi.yaml --report har=traffic.har --mask email',
  'paddock proxy http://127.0.0.1:8080 openapi.yaml --sample 10%',
  'paddock proxy http://127.0.0.1:8080 openapi.yaml --exclusive --log json',
  'paddock proxy http://127.0.0.1:8080 --learn openapi.yaml   # a document of nothing but the traffic',
]);

const SIGNALS = `
Requests to the origin of the proxy, with the paths that the target has, go to the target. What is below
/__admin is answered by the proxy: /__admin/ shows findings and requests, /__admin/findings is JSON.

Signals:
  SIGINT (Ctrl-C), SIGTERM  write the reports and what is learned, and end
  SIGUSR2 (not on Windows)  write the reports and what is learned, and go on
`;

/** The options that the command line reads itself. */
interface Flags {
  readonly port: number;
  readonly host: string;
  readonly log: 'text' | 'json' | 'quiet';
  readonly adminToken?: string;
  readonly learn?: string;
  readonly forward?: boolean;
}

export function addProxy(program: Command, definitions: Definitions): void {
  const command = program
    .command('proxy')
    .description('Validate the live traffic of a running service as a proxy in front of it.')
    .addArgument(targetArgument('target'))
    .addArgument(documentArgument());
  addOptions(command, OPTIONS)
    .addHelpText('after', SIGNALS + exitCodes('proxy') + EXAMPLES)
    .action(async (target: string | undefined, document: string, flags: Flags) => {
      const names = allTargetsOf(command);
      if (!target && !names)
        throw new UsageError('name the base URL of the service to judge, such as http://127.0.0.1:4020/v1');
      const targets = names
        ? await commandsForAll(command, names, definitions)
        : [{ name: '', url: target ?? '', document, command }];
      process.exitCode = await run(targets, flags, command);
    });
}

/** A proxy for each target, at consecutive ports; with one log, and one report of all. */
async function run(targets: readonly TargetCommand[], flags: Flags, command: Command): Promise<number> {
  // Loaded late, so that --help starts fast.
  const [library, suite] = await Promise.all([import('#proxy'), import('#contract-tests')]);
  // Bodies of all exchanges would fill the memory.
  const formats = withoutExchanges(suite);
  const names = [...Object.keys(formats), HAR];
  const wanted = valuesOf(command, 'report');
  const { har, others: reportTexts } = await openHarOf(wanted, library.openHarFile);
  const reports = await openReports(reportTexts, names);
  const { log: form } = flags;
  const isOnStdout = !reports.some(({ isStdout }) => isStdout) && !wanted.includes(`${HAR}=-`);
  const stream = isOnStdout ? process.stdout : process.stderr;
  const printer = createLogPrinter(stream, form === 'json' ? 'json' : 'text');
  const lineOf = form === 'json' ? findingJson : compileFindingLine(suite.LAWS, hasColours(stream));
  const isEachLogged = form === 'json' && command.opts().verbose === true;
  const invalidLineOf = form === 'json' ? invalidJson : compileInvalidLine(hasColours(stream));
  const { adminToken } = flags;
  if (adminToken !== undefined) requireKeyForm('--admin-token', adminToken);

  const learning =
    flags.learn === undefined ? undefined : await startLearning(flags.learn, targets, printer.say);

  const proxies: { readonly name: string; readonly target: string; readonly proxy: RunningProxy }[] = [];
  const reportNow = () => {
    const all = proxies.map(({ name, proxy }) => ({ name, report: proxy.report() }));
    const [only, ...others] = all;
    return only && others.length === 0 ? only.report : suite.joinTargets(all);
  };
  const closeAll = () => Promise.all(proxies.map(({ proxy }) => proxy.close()));
  for (const { name, url: target, document, command: targetCommand } of targets) {
    const port = flags.port === 0 ? 0 : flags.port + proxies.length;
    const named = (text: string) => (name === '' ? text : `${name}: ${text}`);
    const proxy = await library
      .createProxy({
        ...libraryOptions<ProxyOptions>(targetCommand),
        target,
        document: learning?.document ?? document,
        port,
        https: httpsOf(command),
        onSeen: isEachLogged ? (exchange) => printer.line(requestJson(exchange, name)) : undefined,
        har: [har ?? [], learning?.har ?? []].flat(),
        onFinding: form === 'quiet' ? undefined : (finding) => printer.line(lineOf(inTarget(finding, name))),
        // Without a document, every path is unknown.
        onInvalidRequest:
          form === 'quiet' || learning?.isOfNothing
            ? undefined
            : (request) => printer.line(invalidLineOf(request, name)),
        notice: form === 'quiet' ? undefined : (text) => printer.say(named(text)),
        onBug: (error) => console.error('error: this is a bug of Paddock; please report it.\n', error),
      })
      .catch(async (error) => {
        await Promise.all([closeAll(), learning?.close()]);
        if (error instanceof suite.SettingsError) throw new UsageError(named(onCommandLine(error)));
        throw listenProblem(error, { ...flags, port }) ?? error;
      });
    proxies.push({ name, target, proxy });
  }

  async function write(report: Report, files: typeof reports): Promise<void> {
    for (const { name, write: writeFile } of files)
      await writeFile((formats[name] as ReportFormat).render(report));
  }
  async function writeAnew(): Promise<void> {
    try {
      await write(reportNow(), await openReports(reportTexts, names));
      await har?.flush();
      printer.say(wanted.length > 0 ? 'the reports have been written' : 'no --report was requested');
      await learning?.write();
    } catch (error) {
      printer.say((error as Error).message);
    }
  }

  const stopped = untilStopped(() => void writeAnew());
  for (const { proxy, target } of proxies) {
    if (!learning?.isOfNothing) warnOf(proxy.contract);
    if (form !== 'quiet') announce(proxy, target, flags, stream);
  }
  await stopped;
  await closeAll();
  await har?.close();
  if (har && har.dropped > 0)
    printer.say(
      `${har.dropped} exchanges are not in the HAR: ${har.problem ?? 'they came faster than it was written'}`,
    );
  printer.flush();
  const report = reportNow();
  await write(report, reports);
  printer.flush();
  const learned = await learning?.end();
  if (learned !== undefined) return learned;
  const look = { verbose: command.opts().verbose, columns: columnsOf(stream) };
  if (form === 'text') stream.write(`\n${suite.renderTerminal(report, hasColours(stream), look)}\n`);
  return report.exitCode;
}

/** @throws UsageError */
async function startLearning(output: string, targets: readonly TargetCommand[], say: (text: string) => void) {
  const [only, ...others] = targets;
  if (!only || others.length > 0) throw new UsageError('--learn learns of one target: name one of them');
  const { url: target, document, command } = only;
  const isNamed = command.args.length > 1 || document !== SHIPPED_DOCUMENT;
  const load = { allowRefs: valuesOf(command, 'allowRefs'), overlays: valuesOf(command, 'overlay') };
  const { learnOfProxy } = await import('./learn-of-proxy.ts');
  return learnOfProxy({ output, target, document: isNamed ? document : undefined, load, say });
}

const HAR = 'har';

/** A HAR is written while exchanges pass, and all other reports at the end. @throws UsageError */
async function openHarOf(texts: readonly string[], open: typeof openHarFile) {
  const files = texts.flatMap((text) => (text.startsWith(`${HAR}=`) ? [text.slice(HAR.length + 1)] : []));
  const others = texts.filter((text) => !text.startsWith(`${HAR}=`));
  const [file] = files;
  if (file === undefined) return { har: undefined, others };
  if (files.length > 1 || file === '')
    throw new UsageError('--report: name one file for har, as in har=traffic.har');
  if (file === '-' && others.some((text) => text.endsWith('=-')))
    throw new UsageError('--report: only one report can be written to standard output');
  const har = await open(file).catch((error: Error) => {
    throw new UsageError(`--report: ${error.message}`);
  });
  return { har, others };
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

/** A finding with its target's name, for the report of all targets. */
function inTarget(finding: ReportedFinding, name: string): ReportedFinding {
  if (name === '') return finding;
  const { caseId, operationId } = finding;
  return { ...finding, caseId: `${name}:${caseId}`, operationId: `${name}:${operationId}` };
}

function announce(proxy: RunningProxy, target: string, flags: Flags, stream: NodeJS.WritableStream): void {
  const { url, adminUrl, authority, forwardAuthority, contract } = proxy;
  const { title, version } = contract;
  if (flags.log === 'json') {
    const at = new Date().toISOString();
    stream.write(
      `${JSON.stringify({ type: 'started', at, title, version, url, target, adminUrl, authority, forwardAuthority })}\n`,
    );
    return;
  }
  const lines = [
    `${title} ${version}`.trim(),
    `  base URL  ${url}`,
    ...trustLines(authority),
    ...(flags.forward ? forwardLines(proxy) : []),
    `  target    ${target}`,
    `  findings  ${adminUrl}/`,
    '',
    '',
  ];
  stream.write(printable(lines.join('\n')));
}

/** Environment variables for clients that can only use a proxy. */
function forwardLines({ url, forwardAuthority }: RunningProxy): string[] {
  const { origin } = new URL(url);
  return [`  forward   HTTP_PROXY=${origin} HTTPS_PROXY=${origin}`, ...trustLines(forwardAuthority)];
}
