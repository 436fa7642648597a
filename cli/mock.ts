import type { Command } from 'commander';
import type { ConfiguredCode } from '#configuration';
import type { HarProblem, RecordedExchange, Tally } from '#har';
import type { MockOptions } from '#mock';
import type { AcceptedKeys, CodeFile, Comparing, Recording, RunningMock } from '#mock-server';
import { CONSUMER, openConsumer, usesOfMock } from './consumer-option.ts';
import { EXIT_USAGE, exitCodes } from './exit-codes.ts';
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
  documentsArgument,
  HTTPS_OPTIONS,
  type HttpsFlags,
  httpsOf,
  parsePair,
  SHIPPED_DOCUMENT,
} from './shared-options.ts';
import { warnOf } from './terminal.ts';
import { listenProblem, UsageError, withFlag } from './usage-error.ts';

/** All options of `paddock mock`. */
const OPTIONS: readonly OptionRow<MockOptions>[] = [
  ...DOCUMENT_OPTIONS,
  {
    flags: '--at <prefix=document>',
    help: 'serve a document below a path, beside the others: /users=users.yaml',
    value: { type: 'pairs', between: '=', path: 'path' },
    isList: true,
    see: '#several-documents',
  },
  {
    flags: '--relate <member=collection>',
    help: "let a member name records of another document's collection: '/v1/orders#userId=/v1/users'",
    value: { type: 'pairs', between: '=' },
    isList: true,
    to: 'relate',
    see: '#relations-between-documents',
    convert: (texts: readonly string[]) =>
      texts.length === 0 ? undefined : Object.fromEntries(texts.map((text) => parsePair('--relate', text))),
  },
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
    flags: '--upstream <url>',
    help: 'base URL of a real service that responds to what it has; the mock responds to the rest',
    to: 'upstream',
    see: 'upstream.md',
  },
  {
    flags: '--source <op=source>',
    help: 'who responds to an operation (operationId, "METHOD /path", tag:NAME or all): real, mock or auto',
    value: { type: 'pairs', between: '=' },
    isList: true,
    defaultText: 'all=auto',
    see: 'upstream.md',
    to: 'sources',
    convert: (texts: readonly string[]) => Object.fromEntries(texts.map(parseSource)),
  },
  {
    flags: '--upstream-timeout <ms>',
    help: 'milliseconds after which a response of the real service is not waited for',
    value: wholeNumber(1, 600_000),
    default: 30_000,
    to: 'upstreamTimeout',
    see: 'upstream.md',
  },
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
    flags: '--scenarios <folder>',
    help: 'keep named scenarios in this folder, as seed files',
    value: FILE,
    to: 'scenarios',
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
    flags: '--callback-hosts <host>',
    help: 'host beside this machine that callbacks and webhooks are sent to: hooks.example, hooks.example:8443',
    isList: true,
    to: 'callbackHosts',
    see: 'webhooks.md',
  },
  {
    flags: '--webhook-secret <secret>',
    help: 'sign callbacks and webhooks that have a signature header with this secret, base64 (Standard Webhooks)',
    isSecret: true,
    to: 'webhookSecret',
    see: 'webhooks.md',
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
  CONSUMER,
  {
    flags: '--trace',
    help: 'say in the header Paddock-Trace of each response why it is what it is; else of those to requests with Paddock-Trace: 1',
    to: 'trace',
    see: '#why-this-answer',
  },
  {
    flags: '--max-body <bytes>',
    help: 'maximum size of a request body in bytes',
    value: wholeNumber(1, 2 ** 30),
    default: 2 ** 20,
    to: 'maxBody',
  },
  {
    flags: '--watch',
    help: 'reload the document when its files change, and say what breaks clients; records that still fit stay',
    to: 'watch',
    see: 'editor.md',
  },
  {
    flags: '--compare-with <old>',
    help: 'with --watch, compare with this document, and not with that of the start: path, URL or git:REF:PATH',
    see: 'editor.md',
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
  readonly compareWith?: string;
  readonly latency: string;
  readonly now?: string;
  readonly adminToken?: string;
  /** Of the configuration file, if that is a program. */
  readonly code?: ConfiguredCode;
}

/** `getThing=mock`; @throws UsageError */
function parseSource(text: string): [operation: string, source: string] {
  const at = text.lastIndexOf('=');
  const source = text.slice(at + 1);
  if (at > 0 && ['real', 'mock', 'auto'].includes(source)) return [text.slice(0, at), source];
  throw new UsageError(
    `--source: "${text}" is not of the form OPERATION=real, OPERATION=mock or OPERATION=auto`,
  );
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
  "paddock mock orders.yaml --at /users=users.yaml --relate '/v1/orders#userId=/users/v1/users'",
  'paddock mock api.yaml --overlay paddock.overlay.yaml',
  'paddock mock --store file:records.db',
  'paddock mock api.yaml --https',
  'paddock mock api.yaml --from-har traffic.har',
  'paddock mock api.yaml --consumer web=web.consumer.yaml',
  'paddock mock api.yaml --upstream http://127.0.0.1:8080 --source deleteThing=mock',
  'PADDOCK_API_KEY=secret paddock mock https://example.com/openapi.json',
];

type Served = Pick<MockOptions, 'document' | 'documents'>;

/** One document as it always was; several, or any below a path, together. */
function documentsOf(given: readonly string[], command: Command): Served {
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
  const isNamed = command.args.length > 0 || given.join() !== SHIPPED_DOCUMENT;
  const elsewhere = new Set(mounted.map(({ document }) => document));
  const others = isNamed || mounted.length === 0 ? given.filter((one) => !elsewhere.has(one)) : [];
  const documents = [...others, ...mounted];
  const [only] = others;
  return documents.length === 1 && only !== undefined ? { document: only } : { documents };
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

async function runExplain(served: Served, command: Command): Promise<void> {
  const [{ createMock }, { renderExplanation }] = await Promise.all([
    import('#mock'),
    import('./explain.ts'),
  ]);
  const { allowRefs, overlays, strictDocument, relate } = libraryOptions<MockOptions>(command);
  const mock = await createMock({
    ...{ ...served, allowRefs, overlays, strictDocument, relate, port: false },
  }).catch((error) => {
    throw error instanceof RangeError ? new UsageError(withFlags(error.message)) : error;
  });
  warnOf(mock.contract);
  process.stdout.write(renderExplanation(mock));
  await mock.close();
}

async function run(served: Served, flags: Flags, command: Command): Promise<void> {
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
  const { upstream } = options;
  if (upstream === undefined && valuesOf(command, 'source').length > 0)
    throw new UsageError('--source needs a real service: name it with --upstream');
  if (upstream === undefined && command.getOptionValueSource('upstreamTimeout') !== 'default')
    throw new UsageError('--upstream-timeout needs a real service: name it with --upstream');
  const har = harFiles.length > 0 ? await openHarFiles(harFiles) : undefined;
  const onBug = (error: unknown) => {
    if (error instanceof CodeError) console.error(`error: ${withStack(error)}`);
    else console.error('error: this is a bug of Paddock; please report it.\n', error);
  };
  const consumer = await openConsumer(command, served.documents ? 'documents' : undefined);
  const print = flags.log === false || flags.log === 'quiet' ? undefined : log.print;
  let heard: Awaited<ReturnType<typeof usesOfMock>> | undefined;
  const old = await readOld(flags.compareWith, served, options);
  const mock = await runMock(
    {
      ...options,
      ...served,
      latency,
      https: httpsOf(flags),
      recorded: har?.recording,
      judge: upstream === undefined ? undefined : judge,
      apiKeys: keys,
      credentials,
      log: consumer
        ? (entry, explained) => {
            print?.(entry, explained);
            if (explained) heard?.({ entry, request: explained.request });
          }
        : print,
      notice: log.say,
      progress: console.error,
      onBug,
    },
    code && codeFile(code),
    { compare, old },
  ).catch((error) => {
    if (error instanceof CodeError) throw new UsageError(`${code?.name}: ${withStack(error)}`);
    if (error instanceof RangeError) throw new UsageError(inFile(withFlags(error.message), code));
    if (error instanceof StoreError) throw new UsageError(`--store: ${error.message}`);
    throw listenProblem(error, flags) ?? error;
  });
  if (options.webhookSecret !== undefined && mock.contract.outgoing.length === 0)
    console.error('warning: --webhook-secret signs nothing: the document has neither callbacks nor webhooks');
  if (consumer) heard = await usesOfMock(() => mock, consumer.onUse);
  // Before anything is printed: who reads that the mock runs may stop it.
  stopOnSignals(mock, async () => {
    const added = await consumer?.write();
    if (added !== undefined && print) log.say(added);
    log.flush();
  });
  if (har) reportMisfits(mock, har.tally);
  const known = keys ?? (upstream === undefined ? undefined : 'any');
  announce(mock, known, flags.host, form, upstream?.toString());
}

/** The laws of the proxy, loaded with the first request to a real service. */
const judge: MockOptions['judge'] = async (contract, baseUrl) =>
  (await import('#observe')).judgeTraffic(contract, baseUrl);

/** Loaded when a watched document has changed. */
const compare: Comparing['compare'] = async (old, next) =>
  (await import('#client-changes')).clientChanges(old, next);

/** What `--compare-with` names. */
async function readOld(
  location: string | undefined,
  { document }: Served,
  { watch, allowRefs = [], overlays = [], strictDocument = false }: Partial<MockOptions>,
): Promise<Comparing['old']> {
  if (location === undefined) return undefined;
  if (!watch) throw new UsageError('--compare-with is for documents that change: add --watch');
  if (document === undefined)
    throw new UsageError('--compare-with: it is for one document, and there are several');
  const reading = { allowRefs, overlays, strictDocument };
  const contract = await (await import('#client-changes')).readOld(location, reading);
  return { contract, location };
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

/** What the library calls an option, as the command line does. */
function withFlags(message: string): string {
  return ['credentials', 'locale', 'https', 'upstream', 'callbackHosts', 'webhookSecret']
    .reduce(withFlag, message)
    .replace('option sources', '--source')
    .replace(/^relate:/, '--relate:')
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

/** The first signal lets running requests end; a second one ends the process at once. */
function stopOnSignals(mock: RunningMock, end: () => Promise<void>): void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const stop = () => {
    for (const signal of signals) process.off(signal, stop);
    mock.close().then(end).catch(endWithError);
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
