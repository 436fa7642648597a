import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { MockedOperation } from '#mock';
import {
  type Contract,
  isHttp,
  keyOf,
  type LoadOptions,
  loadContract,
  meaningOf,
  nearest,
  type Problem,
} from '#spec';
import type { WrittenMeaning } from '#whole-document';
import { exitCodes } from './exit-codes.ts';
import { renderMeaning } from './explain/render-meaning.ts';
import { addOptions, examples, FILE, libraryOptions, type OptionRow, valuesOf } from './options.ts';
import { DOCUMENT_OPTIONS, documentArgument } from './shared-options.ts';
import { hasColours, printable, warnOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** The file in which `paddock init` has the meaning written. */
const USUAL_FILE = 'paddock.overlay.yaml';

const OPTIONS: readonly OptionRow[] = [
  ...(DOCUMENT_OPTIONS as readonly OptionRow[]),
  {
    flags: '--write <file>',
    help: 'write what is guessed as an OpenAPI Overlay; what people have written in the file stays',
    value: FILE,
    see: 'meaning.md',
  },
  {
    flags: '--accept <operation>',
    help: `make the guesses of an operation said, in the file of --write (default: the only overlay, else ${USUAL_FILE}): "GET /pets", an operationId, or the path of a collection for what its records mean`,
    isList: true,
    see: 'meaning.md#accept-a-guess',
  },
  {
    flags: '--check',
    help: 'end with 1 where an overlay has a stale target, or says what the document contradicts; list changed guesses',
    see: 'meaning.md#keep-the-file-right',
  },
  {
    flags: '--format <form>',
    help: 'how the meaning is printed: text, or json for the value itself',
    value: { type: 'text', choices: ['text', 'json'] },
    default: 'text',
  },
];

const EXAMPLES = examples([
  'paddock explain openapi.yaml',
  `paddock explain openapi.yaml --write ${USUAL_FILE}`,
  `paddock explain openapi.yaml --overlay ${USUAL_FILE} --check`,
  "paddock explain openapi.yaml --accept 'GET /pets' --accept login",
  'paddock explain openapi.yaml --format json > meaning.json',
]);

interface Flags {
  readonly write?: string;
  readonly check?: boolean;
  readonly format: 'text' | 'json';
}

export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .description('Print what a document means, and why; write it to a file, to be corrected.')
    .addArgument(documentArgument());
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('explain') + EXAMPLES)
    .action(async (document: string, flags: Flags) => {
      process.exitCode = await run(document, flags, command);
    });
}

async function run(document: string, flags: Flags, command: Command): Promise<number> {
  const accepted = valuesOf(command, 'accept');
  if (flags.check && (flags.write !== undefined || accepted.length > 0))
    throw new UsageError('--check writes nothing: leave --write and --accept');
  const loadOptions = libraryOptions<LoadOptions>(command);
  const [overlay, ...others] = loadOptions.overlays?.filter((one) => !isHttp(one)) ?? [];
  const usual = overlay !== undefined && others.length === 0 ? overlay : USUAL_FILE;
  const file = flags.write ?? (accepted.length > 0 ? usual : undefined);
  const options = withOverlay(loadOptions, file);
  const contract = await loadContract(document, { ...options, presumeResponses: true });
  if (flags.check) return check(contract, options.overlays ?? [], document);
  warnOf(contract);
  if (file !== undefined) return write(contract, document, file, accepted);
  process.stdout.write(
    flags.format === 'json'
      ? `${JSON.stringify(asJson(contract), undefined, 2)}\n`
      : explainContract(contract, await operationsOf(contract)),
  );
  return 0;
}

/** Facts in the file are no longer guesses. */
function withOverlay(options: LoadOptions, file: string | undefined): LoadOptions {
  const { overlays = [] } = options;
  const isNew =
    file === undefined || !existsSync(file) || overlays.some((overlay) => resolve(overlay) === resolve(file));
  return isNew ? options : { ...options, overlays: [...overlays, file] };
}

async function operationsOf(contract: Contract) {
  const { createMock } = await import('#mock');
  const mock = await createMock({ document: contract, port: false });
  const { operations } = mock;
  await mock.close();
  return operations;
}

/** The meaning of a document, and the steps of the mock for each operation, for people. */
export function explainContract(
  contract: Contract,
  operations: readonly Pick<MockedOperation, 'id' | 'steps'>[],
): string {
  const colour = hasColours(process.stdout)
    ? (text: string) => styleText('yellow', text)
    : (text: string) => text;
  const steps = new Map(operations.map((operation) => [operation.id, operation.steps]));
  return printable(renderMeaning(contract, steps, colour));
}

function asJson(contract: Contract) {
  const { meaning, bases } = meaningOf(contract);
  return { ...meaning, basis: Object.fromEntries(bases) };
}

async function write(
  contract: Contract,
  document: string,
  file: string,
  accepted: readonly string[],
): Promise<number> {
  const { acceptGuesses, writeGuesses, writtenMeaning } = await import('#whole-document');
  const { replaceFile } = await import('#whole-file');
  const existing = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const path = isHttp(document) ? document : relative(dirname(resolve(file)), resolve(document));
  // A path with slashes, as other systems read the overlay, too.
  const extending = path.split(sep).join('/');
  try {
    const begun = existing ?? (/\.json$/i.test(file) ? newJson(contract, extending) : undefined);
    const { text, changed } = writeGuesses(contract, begun, extending);
    const written = writtenMeaning(contract);
    const targets = accepted.map((name) => targetOf(name, contract, written));
    const result = acceptGuesses(text, targets);
    for (const target of result.unknown)
      console.error(printable(`notice: nothing is guessed of ${target}: there is nothing to accept`));
    replaceFile(file, result.text);
    const taken = targets.filter((target) => !result.unknown.includes(target));
    const guesses = written.filter(
      ({ target, guessed }) => Object.keys(guessed).length > 0 && !taken.includes(target ?? ''),
    ).length;
    console.error(
      printable(
        `${file}: ${guesses} operations and records with guesses${existing === undefined ? '' : `, ${changed.length} changed`}`,
      ),
    );
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
  return 0;
}

/** Other files are YAML. */
function newJson({ title }: Contract, extending: string): string {
  const info = { title: `Meaning of ${title}`, version: '1.0.0' };
  return JSON.stringify({ overlay: '1.0.0', info, extends: extending, actions: [] });
}

function targetOf(name: string, { operations }: Contract, written: readonly WrittenMeaning[]): string {
  const operation = operations.find(({ id }) => id === name);
  const key = operation ? keyOf(operation) : name;
  const named = written.find((meaning) => meaning.name === key);
  if (named?.target !== undefined) return named.target;
  if (named)
    throw new UsageError(
      `--accept: ${key} is described in another file, where no overlay reaches: write "x-paddock" there`,
    );
  const meant = nearest(
    name,
    written.map((meaning) => meaning.name),
  );
  throw new UsageError(
    `--accept: the document has no operation or collection "${name}"${meant ? `; did you mean "${meant}"?` : ''}`,
  );
}

async function check(contract: Contract, overlays: readonly string[], document: string): Promise<number> {
  const { unreadFacts, writeGuesses } = await import('#whole-document');
  const local = overlays.filter((overlay) => !isHttp(overlay));
  const files = new Set(overlays.map((overlay) => resolve(overlay)));
  const isOfMeaning = ({ uri, message }: Problem) =>
    files.has(resolve(uri)) || message.startsWith('x-paddock');
  const wrong = [...contract.warnings.filter(isOfMeaning), ...unreadFacts(contract)];
  for (const { uri, line, column, message } of wrong)
    console.error(printable(`error: ${uri}:${line}:${column}: ${message}`));
  for (const [file, text] of local.map((one) => [one, readFileSync(one, 'utf8')] as const))
    for (const target of text.includes('x-paddock-guess')
      ? writeGuesses(contract, text, document).changed
      : [])
      console.error(
        printable(`notice: ${file}: another guess for ${target}: paddock explain --write ${file}`),
      );
  if (wrong.length === 0) console.error('Every fact that is said agrees with the document.');
  return wrong.length === 0 ? 0 : 1;
}
