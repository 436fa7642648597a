import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Interface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { RecordedExchange, Tally } from '#har';
import type { LearnedTraffic } from '#learn';
import type { Contract } from '#spec';
import { exitCodes } from './exit-codes.ts';
import { addOptions, examples, FILE, type OptionRow, valuesOf, wholeNumber } from './options.ts';
import { DOCUMENT_OPTIONS } from './shared-options.ts';
import { printable } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** All options of `paddock learn`. */
const OPTIONS: readonly OptionRow[] = [
  {
    flags: '--output <file>',
    help: 'where the document or the overlay is written; - is standard output',
    value: FILE,
    default: '-',
  },
  {
    flags: '--base-url <url>',
    help: 'learn only of the requests below this URL of the service',
    defaultText: 'the origin with most exchanges of JSON',
    isList: true,
  },
  {
    flags: '--minimum <n>',
    help: 'leave out what fewer exchanges show',
    value: wholeNumber(1, 1_000_000),
    default: 1,
  },
  { flags: '--interactive', help: 'ask for each addition, on a terminal' },
  ...(DOCUMENT_OPTIONS as readonly OptionRow[]).filter(({ flags }) => !flags.startsWith('--strict')),
];

const EXAMPLES = examples([
  'paddock learn traffic.har --output openapi.yaml',
  'paddock learn openapi.yaml traffic.har --output overlay.yaml',
  'paddock judge traffic.har --document openapi.yaml --overlay overlay.yaml',
  'paddock learn first.har second.har --base-url https://staging.example/v1 --minimum 3',
  'gunzip -c traffic.har.gz | paddock learn -',
]);

interface Flags {
  readonly output: string;
  readonly minimum: number;
  readonly interactive?: boolean;
}

export function addLearn(program: Command): void {
  const command = program
    .command('learn')
    .description(
      'Write an OpenAPI document of recorded traffic, or the overlay that a document lacks for it.',
    )
    .argument(
      '<from...>',
      'HAR files, or logs of "paddock mock --log json"; - is standard input. With an OpenAPI document before them, its overlay is written',
    );
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('learn') + EXAMPLES)
    .action(async (files: string[], flags: Flags) => {
      process.exitCode = await runLearn(files, flags, command);
    });
}

async function runLearn(given: readonly string[], flags: Flags, command: Command): Promise<number> {
  if (flags.interactive && !(process.stdin.isTTY && process.stderr.isTTY))
    throw new UsageError('--interactive: questions need a terminal; --minimum chooses without them');
  if (given.filter((file) => file === STDIN).length > 1)
    throw new UsageError('-: standard input can be read only once');
  const urls = valuesOf(command, 'baseUrl');
  for (const url of urls)
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError(`--base-url: "${url}" is no http or https URL`);
  const [first = '', ...rest] = given;
  const document = (await isDocument(first)) ? first : undefined;
  const named = document === undefined ? given : rest;
  if (named.length === 0)
    throw new UsageError(`${first} is an OpenAPI document: name the traffic behind it, such as traffic.har`);
  const folder = await mkdtemp(join(tmpdir(), 'paddock-learn-'));
  const har = await import('#har');
  const questions = flags.interactive ? await openQuestions() : undefined;
  try {
    // What is read again must not end.
    const files = await Promise.all(named.map((file) => (file === STDIN ? keepStdin(folder) : file)));
    const traffic: Traffic = { files, baseUrls: urls.length > 0 ? urls : undefined };
    const { text, code } = await (document === undefined
      ? writeDocument(traffic, flags, questions?.wants)
      : writeOverlay(document, traffic, flags, command, questions?.wants));
    if (text === undefined) return code;
    if (flags.output === STDIN) process.stdout.write(text);
    else await writeFile(flags.output, text).catch(refuseOutput);
    return code;
  } catch (error) {
    throw error instanceof har.HarError ? new UsageError(error.message) : error;
  } finally {
    questions?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const STDIN = '-';

interface Traffic {
  readonly files: readonly string[];
  readonly baseUrls: readonly string[] | undefined;
}

type Wants = (addition: { readonly text: string; readonly seen: number }) => Promise<boolean>;

function refuseOutput(error: Error): never {
  throw new UsageError(`--output: ${error.message}`);
}

async function keepStdin(folder: string): Promise<string> {
  const file = join(folder, 'stdin.har');
  await writeFile(file, process.stdin);
  return file;
}

/** Whether a file is an OpenAPI document, by its beginning: traffic has neither word at its first level. */
async function isDocument(file: string): Promise<boolean> {
  if (/^https?:\/\//.test(file)) return true;
  if (file === STDIN || /\.(?:har|zhar|jsonl|ndjson|log|gz)$/i.test(file)) return false;
  const text = await beginningOf(file);
  if (/^\s*(?:\{\s*)?"?swagger"?\s*:/.test(text))
    throw new UsageError(
      `${file}: an overlay changes OpenAPI 3 alone, and this is Swagger 2.0: convert it first`,
    );
  return /^\s*(?:\{[\s\S]{0,2000}?)?"?(?:openapi|swagger)"?\s*:/m.test(text) && !/^\s*\{\s*"log"/.test(text);
}

async function beginningOf(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const BEGINNING = 2 ** 16;

async function* readTraffic(files: readonly string[], tally?: Tally): AsyncIterable<RecordedExchange> {
  const [{ readHar }, { readLog }] = await Promise.all([import('#har'), import('#learn')]);
  for (const file of files)
    for await (const item of (await isLog(file)) ? readLog(file) : readHar(file)) {
      tally?.add(item);
      if (!('problem' in item)) yield item;
    }
}

/** Whether a file has a line of JSON for each request: a HAR is one object that begins with `log`. */
async function isLog(file: string): Promise<boolean> {
  return /^\s*\{"type":"/.test(await beginningOf(file));
}

async function writeDocument({ files, baseUrls }: Traffic, { minimum }: Flags, wants: Wants | undefined) {
  const [{ createLearner, learnDocument, additionsOf, judgeLearned, writeYaml }, { createTally }] =
    await Promise.all([import('#learn'), import('#har')]);
  const learner = createLearner({ baseUrls });
  const tally = createTally();
  for await (const exchange of readTraffic(files, tally)) learner.add(exchange);
  const learned = learner.result();
  if (learned.paths.length === 0) throw new UsageError(await whyNothing(learned, tally));
  const refused = new Set<string>();
  // What is below something that was refused goes with it.
  for (const addition of wants ? additionsOf(learned, minimum) : [])
    if (![...refused].some((one) => addition.text.startsWith(`${one}:`)) && !(await wants?.(addition)))
      refused.add(addition.text);
  const { readContract } = await import('#spec');
  const write = () => writeYaml(learnDocument(learned, { minimum, wants: (one) => !refused.has(one.text) }));
  let text = write();
  let contract = await readContract(text, 'the learned document');
  let judged = await judgeLearned(contract, readTraffic(files), baseUrls);
  if (judged.refuted.length > 0) {
    for (const parameter of judged.refuted) refused.add(parameter);
    text = write();
    contract = await readContract(text, 'the learned document');
    judged = await judgeLearned(contract, readTraffic(files), baseUrls);
  }
  await sayLearned(learned, contract, tally);
  for (const parameter of refused)
    if (!wants) say(`left out, since responses are not as its name promises: ${parameter}`);
  return { text, code: sayJudged(judged.findings) };
}

async function writeOverlay(
  document: string,
  { files, baseUrls }: Traffic,
  { minimum }: Flags,
  command: Command,
  wants: Wants | undefined,
) {
  const { judgeLearned, learnOverlay } = await import('#learn');
  const load = { allowRefs: valuesOf(command, 'allowRefs'), overlays: valuesOf(command, 'overlay') };
  const learn = (refuted: readonly string[]) =>
    learnOverlay({
      ...{ document, load, baseUrls, minimum },
      wants: async (change) => !refuted.includes(change.text) && (wants ? wants(change) : true),
      read: () => readTraffic(files),
    });
  let learned = await learn([]);
  let judged = await judgeLearned(learned.contract, readTraffic(files), baseUrls);
  // Asked once is enough: what was chosen by hand stays.
  if (!wants && judged.refuted.some((one) => learned.changes.some(({ text }) => text === one))) {
    learned = await learn(judged.refuted);
    judged = await judgeLearned(learned.contract, readTraffic(files), baseUrls);
  }
  if (learned.matched === 0)
    throw new UsageError(
      `no exchange is for an operation of ${document}; --base-url names where the service is, and without a document one is written`,
    );
  const added = learned.changes.filter(({ target }) => target !== '$');
  for (const { text, kind, seen } of added)
    say(`${kind === 'adds' ? 'adds   ' : 'loosens'}  ${text}${Number.isFinite(seen) ? ` (${seen})` : ''}`);
  say(
    added.length === 0
      ? 'the document says all that the traffic shows: no overlay is written'
      : `${added.length} changes`,
  );
  for (const place of learned.unreachable)
    say(`not changed, since it is in another file than the document: ${place}`);
  const text = added.length > 0 ? learned.text : undefined;
  return { text, code: sayJudged(judged.findings) };
}

function say(text: string): void {
  console.error(printable(text));
}

async function whyNothing(learned: LearnedTraffic, tally: Tally): Promise<string> {
  const { LEFT_OUT } = await import('#learn');
  if (tally.exchanges === 0) return 'there is nothing to learn: the files have no exchange';
  const reasons = [...learned.leftOut].map(([why, times]) => `${times} ${LEFT_OUT[why]}`);
  return `there is nothing to learn: of ${tally.exchanges} exchanges, ${reasons.join('; ')}`;
}

async function sayLearned(learned: LearnedTraffic, { operations }: Contract, tally: Tally): Promise<void> {
  const { LEFT_OUT } = await import('#learn');
  const where = `${learned.origin}${learned.basePath}`;
  const paths = new Set(operations.map(({ path }) => path));
  say(
    `learned of ${where}: ${paths.size} paths, ${operations.length} operations, ${learned.learned} exchanges`,
  );
  for (const [why, times] of learned.leftOut) say(`left out: ${times} ${LEFT_OUT[why]}`);
  const others = [...learned.others].slice(0, 5).map(([origin, times]) => `${origin} (${times})`);
  if (others.length > 0) say(`other origins: ${others.join(', ')}; --base-url chooses one of them`);
  const lacking = tally.counts.get('response-body-missing') ?? 0;
  if (lacking > 0)
    say(
      `${lacking} of ${tally.exchanges} response bodies are not in the files: their schemas cannot be learned; record with content`,
    );
  for (const line of tally.lines()) say(line);
}

type Findings = Awaited<ReturnType<typeof import('#learn')['judgeLearned']>>['findings'];

/** What still stands against what was learned. @returns the exit code */
function sayJudged(findings: Findings): number {
  for (const { caseId, received, documented } of findings.slice(0, MOST_FINDINGS))
    say(`judge: ${caseId}: received ${received}; documented ${documented}`);
  if (findings.length > 0) say(`judge: the same traffic breaks it in ${findings.length} ways`);
  else say('judge: the same traffic keeps it');
  return findings.length > 0 ? 1 : 0;
}

const MOST_FINDINGS = 20;

/** Asks for each addition, until all others are wanted or none is. */
async function openQuestions(): Promise<{ readonly wants: Wants; close(): void }> {
  const { createInterface } = await import('node:readline/promises');
  const terminal: Interface = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new UsageError('interrupted; nothing has been written')));
  });
  closed.catch(() => undefined);
  let answer: boolean | undefined;
  return {
    async wants({ text, seen }) {
      while (answer === undefined) {
        const times = Number.isFinite(seen) ? ` (${seen} exchanges)` : '';
        const question = terminal.question(
          printable(`${text}${times} [Y]es, [n]o, [a]ll, none of the [r]est: `),
        );
        const given = (await Promise.race([question, closed])).trim().toLowerCase();
        if (given === '' || given === 'y' || given === 'yes') return true;
        if (given === 'n' || given === 'no') return false;
        if (given === 'a' || given === 'all') answer = true;
        if (given === 'r' || given === 'rest') answer = false;
      }
      return answer;
    },
    close: () => terminal.close(),
  };
}
