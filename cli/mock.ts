import type { Command } from 'commander';
import type { ConfiguredCode } from '#configuration';
import type { HarProblem, RecordedExchange, Tally } from '#har';
import type { MockOptions } from '#mock';
import type { AcceptedKeys, CodeFile, Recording, RunningMock } from '#mock-server';
import { EXIT_USAGE, exitCodes } from './exit-codes.ts';
import { createLogPrinter } from './log.ts';
import { OPTIONS } from './mock-options.ts';
import { addOptions, examples, libraryOptions, valuesOf } from './options.ts';
import {
  credentialsOf,
  documentsArgument,
  httpsOf,
  parsePair,
  requireKeyForm,
  SHIPPED_DOCUMENT,
} from './shared-options.ts';
import { warnOf } from './terminal.ts';
import { listenProblem, UsageError, withFlag } from './usage-error.ts';

/** The options that the command line reads itself. */
interface Flags {
  readonly port: number;
  readonly host: string;
  readonly count: number;
  readonly log: 'text' | 'json' | 'quiet';
  readonly explain?: boolean;
  readonly latency: string;
  readonly now?: string;
  readonly adminToken?: string;
  /** From the configuration file, if that is a program. */
  readonly code?: ConfiguredCode;
}

export function addMock(program: Command): void {
  const command = program
    .command('mock')
    .description('Serve a stateful mock of an OpenAPI document, or of several at one port.')
    .addArgument(documentsArgument());
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('mock') + examples(EXAMPLES))
    .action((documents: readonly string[], flags: Flags) => {
      const served = documentsOf(documents, command);
      return flags.explain ? runExplain(served, command) : run(served, flags, command);
    });
}

const EXAMPLES = [
  'paddock mock',
  'paddock mock api.yaml --port 8080 --seed 7 --count 200',
  'paddock mock api.yaml --explain',
  'paddock mock users.yaml orders.yaml',
  'paddock mock orders.yaml --at /users=users.yaml',
  'paddock mock api.yaml --overlay paddock.overlay.yaml',
  'paddock mock --store file:records.db',
  'paddock mock api.yaml --https',
  'paddock mock api.yaml --from-har traffic.har',
  'paddock mock api.yaml --upstream http://127.0.0.1:8080 --source deleteThing=mock',
  'PADDOCK_API_KEY=secret paddock mock https://example.com/openapi.json',
];

type Served = Pick<MockOptions, 'document' | 'documents'>;

/** A single document is served alone; several, or mounted ones, together. */
function documentsOf(args: readonly string[], command: Command): Served {
  const mounted = valuesOf(command, 'at').map((text) => {
    const [at, document] = parsePair('--at', text);
    if (!/^(?:\/[^/?#{}\s]+)+$/.test(at) || document === '')
      throw new UsageError(`--at: "${text}" must be a path and a document, such as /users=users.yaml`);
    if (/^\/(?:__admin(?:\/|$)|~)/.test(at))
      throw new UsageError(
        `--at: "${text}": /__admin and what begins with /~ belong to the mock; choose another path`,
      );
    return { at, document };
  });
  const isNamed = command.args.length > 0 || args.join() !== SHIPPED_DOCUMENT;
  const elsewhere = new Set(mounted.map(({ document }) => document));
  const others = isNamed || mounted.length === 0 ? args.filter((one) => !elsewhere.has(one)) : [];
  const documents = [...others, ...mounted];
  const [only] = others;
  return documents.length === 1 && only !== undefined ? { document: only } : { documents };
}

/**
 * Undefined: the built-in key. The command line takes precedence over the environment, where PADDOCK_API_KEY may be meant
 * for `check`.
 */
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

async function runExplain(served: Served, command: Command): Promise<void> {
  const [{ createMock }, { explainContract }] = await Promise.all([import('#mock'), import('./explain.ts')]);
  const { allowRefs, overlays, strictDocument, relate } = libraryOptions<MockOptions>(command);
  const mock = await createMock({
    ...served,
    allowRefs,
    overlays,
    strictDocument,
    relate,
    port: false,
  }).catch((error) => {
    throw error instanceof RangeError ? new UsageError(withFlags(error.message)) : error;
  });
  warnOf(mock.contract);
  process.stdout.write(
    mock.documents.map((document) => explainContract(document.contract, document.operations)).join('\n'),
  );
  await mock.close();
}

async function run(served: Served, flags: Flags, command: Command): Promise<void> {
  const keys = acceptedKeys(command);
  const credentials = credentialsOf(command);
  for (const credential of Object.values(credentials)) requireKeyForm('a credential', credential);
  // Loaded late, so that --help and other commands start fast.
  const [{ CodeError, runMock, readDelay, readMoment, StoreError }, { announce, reportMisfits }] =
    await Promise.all([import('#mock-server'), import('./announce.ts')]);
  const { now, adminToken, code } = flags;
  const latency = readDelay(flags.latency);
  if (!latency) {
    throw new UsageError('--latency must be milliseconds up to 600000, or a range such as 50-150');
  }
  if (now !== undefined && readMoment(now) === undefined) {
    throw new UsageError('--now must be a date such as 2030-12-06 or 2030-12-06T12:00:00Z, or today');
  }
  if (adminToken !== undefined) requireKeyForm('--admin-token', adminToken);
  const form = flags.log === 'json' ? 'json' : 'text';
  const log = createLogPrinter(process.stdout, form);
  const harFiles = valuesOf(command, 'fromHar');
  const options = libraryOptions<MockOptions>(command);
  const { upstream } = options;
  if (upstream === undefined && valuesOf(command, 'source').length > 0)
    throw new UsageError('--source needs a real service: name it with --upstream');
  if (upstream === undefined && command.getOptionValueSource('upstreamTimeout') !== 'default')
    throw new UsageError('upstreamTimeout: it needs a real service: name it with --upstream');
  const har = harFiles.length > 0 ? await openHarFiles(harFiles) : undefined;
  const onBug = (error: unknown) => {
    if (error instanceof CodeError) console.error(`error: ${withStack(error)}`);
    else console.error('error: this is a bug of Paddock; please report it.\n', error);
  };
  const mock = await runMock(
    {
      ...options,
      ...served,
      latency,
      https: httpsOf(command),
      recorded: har?.recording,
      judge: upstream === undefined ? undefined : judge,
      apiKeys: keys,
      credentials,
      log: flags.log === 'quiet' ? undefined : log.print,
      notice: log.say,
      progress: console.error,
      onBug,
    },
    code && codeFile(code),
  ).catch((error) => {
    if (error instanceof CodeError) throw new UsageError(`${code?.name}: ${withStack(error)}`);
    if (error instanceof RangeError) throw new UsageError(inFile(withFlags(error.message), code));
    if (error instanceof StoreError) throw new UsageError(`--store: ${error.message}`);
    throw listenProblem(error, flags) ?? error;
  });
  if (options.webhookSecret !== undefined && mock.contract.outgoing.length === 0)
    console.error('warning: --webhook-secret signs nothing: the document has neither callbacks nor webhooks');
  // Before anything is printed, since a reader of the output may stop the mock.
  stopOnSignals(mock, log.flush);
  if (har) reportMisfits(mock, har.tally);
  const servedKeys = keys ?? (upstream === undefined ? undefined : 'any');
  announce(mock, servedKeys, flags.host, form, upstream?.toString());
}

/** The rules of the proxy, loaded with the first request to a real service. */
const judge: MockOptions['judge'] = async (contract, baseUrl) =>
  (await import('#observe')).judgeTraffic(contract, baseUrl);

/** The configuration file's code in the form of the mock. */
function codeFile({ name, files, members, reload }: ConfiguredCode): CodeFile {
  // It was checked with the file.
  const { operations = {}, seed: seedCode } = members as {
    operations?: CodeFile['code']['operations'];
    seed?: CodeFile['code']['seedCode'];
  };
  return {
    name,
    files,
    code: { operations, seedCode },
    reload: async () => codeFile(await reload()),
  };
}

/** The error of the user's code, with its stack. */
function withStack({ message, cause }: Error): string {
  if (cause === undefined) return message;
  return `${message}\n${cause instanceof Error ? cause.stack : String(cause)}`;
}

/** Replaces the library's names of options by those of the command line. */
function withFlags(message: string): string {
  return ['credentials', 'locale', 'https', 'upstream', 'webhookSecret']
    .reduce(withFlag, message)
    .replace('option callbackHosts', '--allow-host')
    .replace('option sources', '--source')
    .replace(/^overlays:/, '--overlay:')
    .replace(/^recorded:/, '--from-har:')
    .replace(/^upstream:/, '--upstream:');
}

function inFile(message: string, code: ConfiguredCode | undefined): string {
  return code ? message.replace(/^operations:/, `${code.name}: mock.operations:`) : message;
}

function endWithError(error: unknown): void {
  console.error(error instanceof UsageError ? `error: ${error.message}` : error);
  process.exitCode = EXIT_USAGE;
}

/** The time limit for ending a mock, in milliseconds; closing takes at most three seconds, unless the store hangs. */
const LONGEST_STOP = 4500;

/** The first signal lets running requests finish; a second one ends the process at once. */
function stopOnSignals(mock: RunningMock, end: () => void): void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const stop = () => {
    for (const signal of signals) process.off(signal, stop);
    setTimeout(() => process.exit(), LONGEST_STOP);
    // Does not wait for delays, the user's code and outgoing requests.
    void mock
      .close()
      .then(end)
      .catch(endWithError)
      .finally(() => process.exit());
  };
  for (const signal of signals) process.on(signal, stop);
}

/** Recorded traffic in files, and what the files lack. */
interface HarFiles {
  readonly recording: Recording;
  /** Of the first reading. */
  readonly tally: Tally;
}

/** The traffic of HAR files, one after the other. */
async function openHarFiles(files: readonly string[]): Promise<HarFiles> {
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
