import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { beginningOf, learnFiles } from './learn-files.ts';
import { addOptions, examples, FILE, type OptionRow, valuesOf, wholeNumber } from './options.ts';
import { DOCUMENT_OPTIONS, MASKED, readMask } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

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
  MASKED,
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

async function runLearn(operands: readonly string[], flags: Flags, command: Command): Promise<number> {
  if (operands.filter((file) => file === STDIN).length > 1)
    throw new UsageError('-: standard input can be read only once');
  const urls = valuesOf(command, 'baseUrl');
  for (const url of urls)
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError(`--base-url: "${url}" is no http or https URL`);
  const [first = '', ...rest] = operands;
  const document = (await isDocument(first)) ? first : undefined;
  const named = document === undefined ? operands : rest;
  if (named.length === 0)
    throw new UsageError(`${first} is an OpenAPI document: name the traffic behind it, such as traffic.har`);
  const folder = await mkdtemp(join(tmpdir(), 'paddock-learn-'));
  const har = await import('#har');
  try {
    // Standard input is saved, since it is read more than once.
    const files = await Promise.all(named.map((file) => (file === STDIN ? keepStdin(folder) : file)));
    const { text, code } = await learnFiles({
      document,
      files,
      minimum: flags.minimum,
      baseUrls: urls.length > 0 ? urls : undefined,
      mask: readMask(command),
      load: { allowRefs: valuesOf(command, 'allowRefs'), overlays: valuesOf(command, 'overlay') },
    });
    if (text === undefined) return code;
    if (flags.output === STDIN) process.stdout.write(text);
    else
      await writeFile(flags.output, text).catch((error: Error) => {
        throw new UsageError(`--output: ${error.message}`);
      });
    return code;
  } catch (error) {
    throw error instanceof har.HarError ? new UsageError(error.message) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const STDIN = '-';

async function keepStdin(folder: string): Promise<string> {
  const file = join(folder, 'stdin.har');
  await writeFile(file, process.stdin);
  return file;
}

/** Whether a file is an OpenAPI document, by its beginning: traffic has neither word at its top level. */
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
