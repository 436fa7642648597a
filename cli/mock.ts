import { fileURLToPath } from 'node:url';
import { Argument, type Command } from 'commander';
import type { AcceptedKeys, RunningMock } from '#mock-server';
import { exitCodes } from './exit-codes.ts';
import { openHarFiles, tellMisfits } from './from-har.ts';
import { createLogPrinter } from './log.ts';
import { optimizeAfterStart, optimizeFromNowOn } from './optimizing.ts';
import { withForm } from './option-form.ts';
import {
  allowRefs,
  examples,
  option,
  overlays,
  repeatable,
  SHIPPED_DOCUMENT,
  secret,
  strictDocument,
  valuesOf,
  wholeNumber,
} from './options.ts';
import { warnOf } from './terminal.ts';
import { listenProblem, UsageError } from './usage-error.ts';

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly count: number;
  readonly examplesFirst?: boolean;
  readonly basePath: boolean;
  readonly log: 'text' | 'json' | 'quiet' | false;
  readonly maxBody: number;
  readonly store: string;
  readonly replica?: string;
  readonly watch?: boolean;
  readonly explain?: boolean;
  readonly latency: string;
  readonly now?: string;
  readonly adminToken?: string;
  readonly strictDocument?: boolean;
}

export function addMock(program: Command): void {
  const document = new Argument('[document]', 'OpenAPI 3 or Swagger 2.0 document: path or URL, YAML or JSON');
  const command = program
    .command('mock')
    .description('Serve a stateful mock of an OpenAPI document.')
    .addArgument(document.default(fileURLToPath(SHIPPED_DOCUMENT), 'the one that comes with Paddock'))
    .addOption(allowRefs())
    .addOption(overlays())
    .addOption(strictDocument())
    .addOption(numeric('--port <n>', '0 takes a free one', 0, 65_535).default(4020))
    .addOption(option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(secret(repeatable('--api-key <key>', 'accepted instead of the built-in key (again for more)')))
    .addOption(withForm(option('--any-key', 'accept every key that is not empty'), { excludes: ['apiKey'] }))
    .addOption(
      numeric('--seed <n>', 'the same seed gives the same bytes', 0, Number.MAX_SAFE_INTEGER).default(1),
    )
    .addOption(numeric('--count <n>', 'records that each collection begins with', 0, 10_000_000).default(50))
    .addOption(option('--examples-first', 'begin with the valid examples of the document, whatever they are'))
    .addOption(option('--no-examples-first', 'never begin with them (default: where its paths name one)'))
    .addOption(
      repeatable('--fixture <file>', 'begin with the records of a seed file, YAML or JSON (again for more)'),
    )
    .addOption(
      repeatable('--from-har <file>', 'begin with the records that recorded traffic shows (again for more)'),
    )
    .addOption(
      withForm(
        option('--store <store>', 'where records are: memory, file:PATH, or postgres://... that mocks share'),
        { suggested: ['memory', 'file:', 'postgres://'] },
      ).default('memory'),
    )
    .addOption(
      option('--replica <name>', 'its name among mocks that share a store (default: host and process)'),
    )
    .addOption(
      withForm(option('--latency <ms>', 'how long each answer waits: 100, or a range such as 50-150'), {
        quantity: {},
      }).default('0'),
    )
    .addOption(option('--now <date>', 'set the clock, which then runs on; removed operations are gone'))
    .addOption(
      secret(option('--admin-token <token>', 'needed to steer the mock (/__admin) when others can reach it')),
    )
    .addOption(option('--no-base-path', "leave out the path of the document's first server"))
    .addOption(
      option('--log <form>', 'how requests are printed: a line for people, JSON, or not at all')
        .choices(['text', 'json', 'quiet'])
        .default('text'),
    )
    .addOption(option('--no-log', 'the same as --log quiet'))
    .addOption(numeric('--max-body <bytes>', 'longest request body', 1, 2 ** 30).default(2 ** 20))
    .addOption(option('--watch', 'take over the document when its files change; records that fit stay'))
    .addOption(option('--explain', 'print what each operation does, and from which lines; then end'))
    .addHelpText('after', exitCodes('mock') + examples(EXAMPLES))
    .action((location: string, flags: Flags) =>
      flags.explain ? runExplain(location, flags, command) : run(location, flags, command),
    );
}

const EXAMPLES = [
  'paddock mock',
  'paddock mock api.yaml --port 8080 --seed 7 --count 200',
  'paddock mock api.yaml --explain',
  'paddock mock api.yaml --overlay paddock.overlay.yaml',
  'paddock mock --store file:records.db',
  'paddock mock api.yaml --from-har traffic.har',
  'PADDOCK_API_KEY=secret paddock mock https://example.com/openapi.json',
];

function numeric(flags: string, description: string, low: number, high: number) {
  return option(flags, description).argParser(wholeNumber(low, high));
}

/** Undefined: the built-in key. The command line wins over the environment, where PADDOCK_API_KEY may serve `check`. */
function acceptedKeys(command: Command): AcceptedKeys | undefined {
  const keys = valuesOf(command, 'apiKey');
  const keySource = command.getOptionValueSource('apiKey');
  const anySource = command.getOptionValueSource('anyKey');
  if (keySource && keySource === anySource)
    throw new UsageError('--api-key and --any-key exclude each other');
  if (anySource && keySource !== 'cli') return 'any';
  for (const key of keys) requireKeyForm('a key', key);
  return keys.length > 0 ? keys : undefined;
}

function requireKeyForm(what: string, text: string): void {
  if (!/^[\x21-\x7e]{1,256}$/.test(text)) {
    throw new UsageError(`${what} must have 1 to 256 characters, printable ASCII without spaces`);
  }
}

async function runExplain(document: string, flags: Flags, command: Command): Promise<void> {
  optimizeFromNowOn();
  const [{ createMock }, { renderExplanation }] = await Promise.all([
    import('#mock'),
    import('./explain.ts'),
  ]);
  const { strictDocument } = flags;
  const allowRefs = valuesOf(command, 'allowRefs');
  const overlays = valuesOf(command, 'overlay');
  const mock = await createMock({ document, allowRefs, overlays, strictDocument, port: false });
  warnOf(mock.contract);
  process.stdout.write(renderExplanation(mock));
  await mock.close();
}

async function run(document: string, flags: Flags, command: Command): Promise<void> {
  const keys = acceptedKeys(command);
  // Loaded only now, so that --help and other commands start fast.
  const [{ runMock, readDelay, readMoment, StoreError }, { announce }] = await Promise.all([
    import('#mock-server'),
    import('./announce.ts'),
  ]);
  const { port, host, seed, count, basePath, maxBody, store, replica, watch, now, adminToken } = flags;
  const { strictDocument, examplesFirst } = flags;
  const latency = readDelay(flags.latency);
  if (!latency) {
    throw new UsageError('--latency must be milliseconds up to 600000, or a range such as 50-150');
  }
  if (now !== undefined && readMoment(now) === undefined) {
    throw new UsageError('--now must be a date such as 2030-12-06 or 2030-12-06T12:00:00Z');
  }
  if (adminToken !== undefined) requireKeyForm('--admin-token', adminToken);
  if (replica !== undefined) requireKeyForm('--replica', replica);
  const form = flags.log === 'json' ? 'json' : 'text';
  const log = createLogPrinter(process.stdout, form);
  const harFiles = valuesOf(command, 'fromHar');
  const read = { overlays: valuesOf(command, 'overlay'), fixtures: valuesOf(command, 'fixture') };
  optimizeAfterStart([document, ...read.overlays, ...read.fixtures, ...harFiles], count);
  const har = harFiles.length > 0 ? await openHarFiles(harFiles) : undefined;
  const mock = await runMock({
    ...{
      document,
      port,
      host,
      seed,
      count,
      examplesFirst,
      basePath,
      maxBody,
      store,
      replica,
      watch,
      now,
      adminToken,
      latency,
      strictDocument,
    },
    allowRefs: valuesOf(command, 'allowRefs'),
    ...read,
    recorded: har?.recording,
    apiKeys: keys,
    log: flags.log === false || flags.log === 'quiet' ? undefined : log.print,
    notice: log.say,
    progress: console.error,
    onBug: (error) => console.error('error: this is a bug of Paddock; please report it.\n', error),
  }).catch((error) => {
    if (error instanceof StoreError) throw new UsageError(`--store: ${error.message}`);
    throw listenProblem(error, flags) ?? error;
  });
  // Before anything is printed: who reads that the mock runs may stop it.
  stopOnSignals(mock, log.flush);
  if (har) tellMisfits(mock, har);
  announce(mock, keys, flags.host, form);
}

/** The first signal lets running requests end; a second one ends the process at once. */
function stopOnSignals(mock: RunningMock, flush: () => void): void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const stop = () => {
    for (const signal of signals) process.off(signal, stop);
    mock.close().then(flush);
  };
  for (const signal of signals) process.on(signal, stop);
}
