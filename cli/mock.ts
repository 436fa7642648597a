import type { Command } from 'commander';
import type { ConfiguredCode } from '#configuration';
import type { HarProblem, RecordedExchange, Tally } from '#har';
import type { MockOptions } from '#mock';
import type { AcceptedKeys, CodeFile, Recording, RunningMock } from '#mock-server';
import { exitCodes } from './exit-codes.ts';
import { createLogPrinter } from './log.ts';
import {
  addOptions,
  examples,
  FILE,
  libraryOptions,
  type OptionRow,
  valuesOf,
  wholeNumber,
} from './options.ts';
import {
  credentialOption,
  credentialsOf,
  DOCUMENT_OPTIONS,
  documentArgument,
  HTTPS_OPTIONS,
  type HttpsFlags,
  httpsOf,
} from './shared-options.ts';
import { warnOf } from './terminal.ts';
import { listenProblem, UsageError, withFlag } from './usage-error.ts';

/** All options of `paddock mock`. */
const OPTIONS: readonly OptionRow<MockOptions>[] = [
  ...DOCUMENT_OPTIONS,
  {
    flags: '--port <n>',
    help: 'port to listen on; 0 takes a free one',
    value: wholeNumber(0, 65_535),
    default: 4020,
    to: 'port',
  },
  { flags: '--host <address>', help: 'address to listen on', default: '127.0.0.1', to: 'host' },
  ...HTTPS_OPTIONS,
  {
    flags: '--api-key <key>',
    help: 'key that is accepted in place of the built-in one',
    isList: true,
    isSecret: true,
  },
  credentialOption('credential that alone is accepted under one security scheme'),
  { flags: '--any-key', help: 'accept every key that is not empty', excludes: ['apiKey'] },
  {
    flags: '--seed <n>',
    help: 'seed of the records; the same seed gives the same bytes on every machine and day',
    value: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    default: 1,
    to: 'seed',
  },
  {
    flags: '--locale <language>',
    help: 'language of the records: names, addresses, phone numbers and texts; de, de-AT, pt_BR, ...',
    defaultText: '`x-locale` of the document, else `en`',
    to: 'locale',
    see: '#languages',
  },
  {
    flags: '--count <n>',
    help: 'records that each collection starts with',
    value: wholeNumber(0, 10_000_000),
    default: 50,
    to: 'count',
  },
  {
    flags: '--examples-first',
    help: 'start with the valid examples of the document, in every collection',
    to: 'examplesFirst',
  },
  {
    flags: '--no-examples-first',
    help: 'never start with the examples of the document',
    defaultText: 'start with them where a path names one',
  },
  {
    flags: '--fixture <file>',
    help: 'start with the records of a seed file, YAML or JSON',
    value: FILE,
    isList: true,
    to: 'fixtures',
  },
  {
    flags: '--from-har <file>',
    help: 'start with the records that recorded traffic shows',
    value: FILE,
    isList: true,
    see: 'record-and-play.md',
  },
  {
    flags: '--store <store>',
    help: 'where records are stored: memory, file:PATH, or postgres://..., which several mocks can share',
    value: { type: 'text', path: 'store' },
    default: 'memory',
    suggests: ['memory', 'file:', 'postgres://'],
    to: 'store',
    see: 'replicas.md',
  },
  {
    flags: '--replica <name>',
    help: 'name of this mock among those that share a store',
    defaultText: 'host and process',
    to: 'replica',
  },
  {
    flags: '--latency <ms>',
    help: 'delay of each response in milliseconds: 100, or a range such as 50-150',
    value: { type: 'text', orNumber: {} },
    default: '0',
  },
  {
    flags: '--now <date>',
    help: 'set the clock, which then runs on; operations that the document removes by then are gone',
    to: 'now',
  },
  {
    flags: '--admin-token <token>',
    help: 'token for the control API (/__admin), required where other machines can reach the mock',
    isSecret: true,
    to: 'adminToken',
  },
  {
    flags: '--no-base-path',
    help: "leave out the path of the document's first server",
    to: 'basePath',
  },
  {
    flags: '--log <form>',
    help: 'how requests are logged: as text for people, as JSON, or not at all',
    value: { type: 'text', choices: ['text', 'json', 'quiet'] },
    default: 'text',
    see: '#the-log',
  },
  { flags: '--no-log', help: 'the same as --log quiet' },
  {
    flags: '--max-body <bytes>',
    help: 'maximum size of a request body in bytes',
    value: wholeNumber(1, 2 ** 30),
    default: 2 ** 20,
    to: 'maxBody',
  },
  {
    flags: '--watch',
    help: 'reload the document when its files change; records that still fit stay',
    to: 'watch',
  },
  {
    flags: '--explain',
    help: 'print what each operation does, and which lines of the document say so; then exit',
  },
];

/** The options that the command line reads itself. */
interface Flags extends HttpsFlags {
  readonly port: number;
  readonly host: string;
  readonly count: number;
  readonly log: 'text' | 'json' | 'quiet' | false;
  readonly replica?: string;
  readonly explain?: boolean;
  readonly latency: string;
  readonly now?: string;
  readonly adminToken?: string;
  /** Of the configuration file, if that is a program. */
  readonly code?: ConfiguredCode;
}

export function addMock(program: Command): void {
  const command = program
    .command('mock')
    .description('Serve a stateful mock of an OpenAPI document.')
    .addArgument(documentArgument());
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('mock') + examples(EXAMPLES))
    .action((document: string, flags: Flags) =>
      flags.explain ? runExplain(document, command) : run(document, flags, command),
    );
}

const EXAMPLES = [
  'paddock mock',
  'paddock mock api.yaml --port 8080 --seed 7 --count 200',
  'paddock mock api.yaml --explain',
  'paddock mock api.yaml --overlay paddock.overlay.yaml',
  'paddock mock --store file:records.db',
  'paddock mock api.yaml --https',
  'paddock mock api.yaml --from-har traffic.har',
  'PADDOCK_API_KEY=secret paddock mock https://example.com/openapi.json',
];

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

async function runExplain(document: string, command: Command): Promise<void> {
  const [{ createMock }, { renderExplanation }] = await Promise.all([
    import('#mock'),
    import('./explain.ts'),
  ]);
  const { allowRefs, overlays, strictDocument } = libraryOptions<MockOptions>(command);
  const mock = await createMock({ document, allowRefs, overlays, strictDocument, port: false });
  warnOf(mock.contract);
  process.stdout.write(renderExplanation(mock));
  await mock.close();
}

async function run(document: string, flags: Flags, command: Command): Promise<void> {
  const keys = acceptedKeys(command);
  const credentials = credentialsOf(command);
  for (const one of Object.values(credentials)) requireKeyForm('a credential', one);
  // Loaded only now, so that --help and other commands start fast.
  const [{ CodeError, runMock, readDelay, readMoment, StoreError }, { announce, reportMisfits }] =
    await Promise.all([import('#mock-server'), import('./announce.ts')]);
  const { now, adminToken, replica, code } = flags;
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
  const options = libraryOptions<MockOptions>(command);
  const har = harFiles.length > 0 ? await openHarFiles(harFiles) : undefined;
  const onBug = (error: unknown) => {
    if (error instanceof CodeError) console.error(`error: ${withStack(error)}`);
    else console.error('error: this is a bug of Paddock; please report it.\n', error);
  };
  const mock = await runMock(
    {
      ...options,
      document,
      latency,
      https: httpsOf(flags),
      recorded: har?.recording,
      apiKeys: keys,
      credentials,
      log: flags.log === false || flags.log === 'quiet' ? undefined : log.print,
      notice: log.say,
      progress: console.error,
      onBug,
    },
    code && codeFile(code),
  ).catch((error) => {
    if (error instanceof CodeError) throw new UsageError(`${code?.name}: ${withStack(error)}`);
    if (error instanceof RangeError) throw new UsageError(inFile(flagged(error.message), code));
    if (error instanceof StoreError) throw new UsageError(`--store: ${error.message}`);
    throw listenProblem(error, flags) ?? error;
  });
  // Before anything is printed: who reads that the mock runs may stop it.
  stopOnSignals(mock, log.flush);
  if (har) reportMisfits(mock, har.tally);
  announce(mock, keys, flags.host, form);
}

/** What a configuration file has in code, as the mock takes it. */
function codeFile({ name, files, members, reload }: ConfiguredCode): CodeFile {
  // It has been checked with the file.
  const { operations = {}, seed: seedCode } = members as {
    operations?: CodeFile['code']['operations'];
    seed?: CodeFile['code']['seedCode'];
  };
  return {
    ...{ name, files },
    code: { operations, seedCode },
    reload: async () => codeFile(await reload()),
  };
}

/** The error of the user's own code, whose stack shows where. */
function withStack({ message, cause }: Error): string {
  if (cause === undefined) return message;
  return `${message}\n${cause instanceof Error ? cause.stack : String(cause)}`;
}

function flagged(message: string): string {
  return ['credentials', 'locale', 'https'].reduce(withFlag, message);
}

function inFile(message: string, code: ConfiguredCode | undefined): string {
  return code ? message.replace(/^operations:/, `${code.name}: mock.operations:`) : message;
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

/** Recorded traffic of files, and what they lack of it. */
interface HarFiles {
  readonly recording: Recording;
  /** Of the first reading. */
  readonly tally: Tally;
}

/** The traffic of HAR files, one after the other. */
export async function openHarFiles(files: readonly string[]): Promise<HarFiles> {
  const { createTally, HarError, readHar } = await import('#har');
  const tally = createTally();
  let isFirst = true;

  async function* recording(): AsyncIterable<RecordedExchange | HarProblem> {
    const add = isFirst ? (item: RecordedExchange | HarProblem) => tally.add(item) : () => {};
    isFirst = false;
    for (const file of files) {
      try {
        for await (const read of readHar(file)) {
          const item = files.length > 1 ? { ...read, position: `${file}: ${read.position}` } : read;
          add(item);
          yield item;
        }
      } catch (error) {
        if (error instanceof HarError) throw new UsageError(`--from-har: ${error.message}`);
        throw error;
      }
    }
  }
  return { recording, tally };
}
