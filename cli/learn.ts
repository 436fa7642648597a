import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { LearnedTraffic, Learner } from '#learn';
import { exitCodes } from './exit-codes.ts';
import { addOptions, examples, FILE, type OptionRow, valuesOf, wholeNumber } from './options.ts';
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
      'HAR files, or lines of JSON of a log; - is standard input. With an OpenAPI document before them, an overlay of it is written',
    );
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('learn') + EXAMPLES)
    .action(async (files: string[], flags: Flags) => {
      process.exitCode = await runLearn(files, flags, command);
    });
}

async function runLearn(files: readonly string[], flags: Flags, command: Command): Promise<number> {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  if (flags.interactive && !isTerminal)
    throw new UsageError('--interactive: questions need a terminal; --minimum chooses without questions');
  const [har, learn] = await Promise.all([import('#har'), import('#learn')]);
  const urls = valuesOf(command, 'baseUrl');
  for (const url of urls)
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError(`--base-url: "${url}" is no http or https URL`);
  const learner = learn.createLearner({ baseUrls: urls.length > 0 ? urls : undefined });
  const read = await readAll(files, learner, har);
  const traffic = learner.result();
  if (traffic.paths.length === 0) throw new UsageError(nothingLearned(traffic, read));
  const document = learn.learnDocument(traffic, { minimum: flags.minimum });
  const text = learn.writeYaml(document);
  if (flags.output === '-') process.stdout.write(text);
  else await writeFile(flags.output, text);
  return 0;
}

async function readAll(files: readonly string[], learner: Learner, har: typeof import('#har')) {
  const tally = har.createTally();
  for (const file of files)
    for await (const item of har.readHar(file === '-' ? process.stdin : file)) {
      tally.add(item);
      if (!('problem' in item)) learner.add(item);
    }
  return tally;
}

function nothingLearned(traffic: LearnedTraffic, _read: unknown): string {
  return `nothing to learn: ${JSON.stringify([...traffic.leftOut])}`;
}
