import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { formOf, withForm } from './option-form.ts';
import { OF_CHECK_ALONE, REPORTS } from './report-names.ts';
import { UsageError } from './usage-error.ts';

/** An option with its environment variable: PADDOCK_API_KEY for `--api-key`. An empty variable counts as unset. */
export function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  const variable = `PADDOCK_${made.name().toUpperCase().replaceAll('-', '_')}`;
  const value = process.env[variable];
  withForm(made, { variable });
  return value === '' || ((made.isBoolean() || made.negate) && isOff(value)) ? made : made.env(variable);
}

/** The variable of what is an argument of the verbs, and no option. */
export const BASE_URL_VARIABLE = 'PADDOCK_BASE_URL';

/** The environment variables of a program or a verb, and those of all verbs in it; each once. */
export function variablesOf({ options, commands, registeredArguments: args }: Command): string[] {
  const own = options.flatMap((one) => formOf(one).variable ?? []);
  const base = args.some((one) => one.description.includes(BASE_URL_VARIABLE)) ? [BASE_URL_VARIABLE] : [];
  return [...new Set([...own, ...base, ...commands.flatMap(variablesOf)])].sort();
}

/** Commander takes the variable of a flag as true whatever its value; users write 0 and false to switch it off. */
function isOff(value = ''): boolean {
  return /^(?:0|false|no|off)$/i.test(value);
}

/** An option that may be repeated; its environment variable separates values by commas. */
export function repeatable(flags: string, description: string): Option {
  return list(option(flags, description));
}

/** Gathers the values of an option that may be repeated. */
export function list(made: Option): Option {
  return withForm(made, { isList: true }).argParser((value: string, earlier: string[] = []) => [
    ...earlier,
    value,
  ]);
}

export function allowRefs(): Option {
  return repeatable(
    '--allow-refs <place>',
    "folder, file or URL that $refs may name outside the document's folder or host (repeatable)",
  );
}

export function overlays(): Option {
  return repeatable(
    '--overlay <file>',
    'OpenAPI Overlay that changes the document before it is read: path or URL (repeatable)',
  );
}

export function strictDocument(): Option {
  return option('--strict-document', 'refuse a document for what it is otherwise read with a warning of');
}

/** `--examples`. */
export function generated(description: string, usual: number): Option {
  return option('--examples <n>', description).argParser(wholeNumber(0, 1000)).default(usual);
}

/** `--seed`. */
export function seed(effect: string): Option {
  return option('--seed <n>', `seed of the generated inputs; ${effect}`)
    .argParser(wholeNumber(0, 2 ** 31 - 1))
    .default(1);
}

/** `--max-time`, in seconds; default: ten minutes. */
export function maxTime(description: string): Option {
  return option('--max-time <s>', description).argParser(wholeNumber(1, 86_400)).default(600);
}

/** `--report`. @param others names of reports that this verb alone writes */
export function reports(...others: readonly string[]): Option {
  const names = Object.keys(REPORTS).filter(
    (name) => !OF_CHECK_ALONE.includes(name) || others.includes(name),
  );
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  const made = repeatable(
    '--report <name=file>',
    `write a report: ${list}; the file - is standard output (repeatable)`,
  );
  return withForm(made, { names });
}

/** The values of a {@link repeatable} option. */
export function valuesOf(command: Command, name: string): string[] {
  const values = (command.getOptionValue(name) as string[] | undefined) ?? [];
  return command.getOptionValueSource(name) === 'env' ? values.flatMap((text) => text.split(',')) : values;
}

/** `name=value`; the value may contain further equals signs. @throws UsageError */
export function parsePair(name: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${name}: "${text}" is not of the form name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A parser of whole numbers from `low` to `high`. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  const parse = (text: string) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`);
  };
  return withForm(parse, { range: { low, high } });
}

/** An option whose value nobody else may see. */
export function secret(made: Option): Option {
  return withForm(made, { isSecret: true });
}

/** The examples at the end of `--help`. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** The document that ships with the package. */
export const SHIPPED_DOCUMENT = new URL('../spec/openapi.yaml', import.meta.url);

/** The path of {@link SHIPPED_DOCUMENT}. */
export function shippedDocument(): string {
  return fileURLToPath(SHIPPED_DOCUMENT);
}
