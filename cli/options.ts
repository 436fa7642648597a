import type { EventEmitter } from 'node:events';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Form } from '#configuration';

/**
 * An option of a verb, which defines the parser, the help, the environment variable, the key of the configuration file with
 * its JSON Schema, completion, the reference of the site, and the option of the library.
 * @template Library the options of what the verb runs
 */
export interface OptionRow<Library = object> {
  /** The syntax of commander: `--max-body <bytes>`. */
  readonly flags: string;
  readonly help: string;
  /** Its heading in `--help`. */
  readonly group?: string | undefined;
  /** For a common option, its short text in a `--help` that cannot show all. */
  readonly brief?: string;
  /** Default: any text; without a placeholder in `flags`, true or false. */
  readonly value?: Form;
  readonly default?: string | number;
  /** The default in words, if it is no single value or differs between machines. */
  readonly defaultText?: string;
  /** It may be given several times; its environment variable separates values by commas. */
  readonly isList?: true | undefined;
  /** It is rarely needed, and only set by configuration file or environment. */
  readonly isSetting?: true;
  /** It is a secret: a configuration file only names its variable. */
  readonly isSecret?: true;
  /** Keys of options that it excludes. */
  readonly conflicts?: readonly string[];
  /** Keys of options that it excludes within a file; one of both may come from elsewhere. */
  readonly excludes?: readonly string[];
  /** Values for completion; after one that ends in `:` follows a file. */
  readonly suggests?: readonly string[];
  /** Reads a text that `value` cannot. @throws InvalidArgumentError */
  readonly parse?: (text: string) => unknown;
  /** Environment variables that the verb reads itself, instead of the default one. */
  readonly variables?: string | undefined;
  /** The library's option that it sets. Without it, the verb reads the option itself. */
  readonly to?: keyof Library & string;
  /** Converts the given text, or texts of a list, to the library's value. */
  readonly convert?: (value: never) => unknown;
  /** The page of docs/ and the heading that describe the option: `check.md#exit-codes`. */
  readonly see?: string;
}

/** A path: in a configuration file relative to its folder. */
export const FILE: Form = { type: 'text', path: 'path' };

export function wholeNumber(low: number, high: number): Form {
  return { type: 'whole', low, high };
}

export function addOptions<Library>(command: Command, table: readonly OptionRow<Library>[]): Command {
  for (const row of table) command.addOption(optionFrom(row as OptionRow));
  return command;
}

/** Options under one heading of `--help`. */
export function grouped<Library>(group: string, rows: readonly OptionRow<Library>[]): OptionRow<Library>[] {
  return rows.map((row) => ({ ...row, group }));
}

const ROWS = new WeakMap<Option, OptionRow>();

/** The row from which an option was made. */
export function rowOf(option: Option): OptionRow {
  return ROWS.get(option) ?? { flags: option.flags, help: option.description };
}

function optionFrom(row: OptionRow): Option {
  const { flags, defaultText, isList, conflicts = [] } = row;
  const option = new Option(flags, describe(row)).conflicts([...conflicts]);
  ROWS.set(option, row);
  if (row.isSetting) option.hideHelp();
  if (row.group !== undefined) option.helpGroup(`${row.group}:`);
  const parse = parserOf(row);
  if (isList) option.argParser((text: string, earlier: string[] = []) => [...earlier, text]);
  else if (parse) option.argParser(parse);
  else if (row.value?.type === 'text' && row.value.choices) {
    option.choices(row.value.choices);
    if (option.optional) acceptTrue(option);
  }
  if (row.default !== undefined) option.default(row.default, defaultText);
  const variable = variableOf(option);
  const value = process.env[variable];
  const isSwitchedOff = (option.isBoolean() || option.negate || option.optional) && isOff(value);
  // An empty variable counts as unset.
  return row.variables !== undefined || value === '' || isSwitchedOff ? option : option.env(variable);
}

/** An option without its value counts as an enabled switch. */
function acceptTrue(option: Option): void {
  const { parseArg } = option;
  option.argParser((text: string, earlier: unknown) => isOn(text) || parseArg?.(text, earlier));
}

/**
 * The words of a command line, where an option with an optional value only takes a following word that is one of its
 * values: in `--enforce openapi.yaml` it is not.
 */
export function withBareOptions({ commands }: Command, argv: readonly string[]): string[] {
  const bare = commands.flatMap(({ options }) => options.filter(({ optional }) => optional));
  return argv.map((word, at) => {
    const option = bare.find(({ long }) => long === word);
    const next = argv[at + 1];
    const isAlone =
      option && next !== undefined && !option.argChoices?.includes(next) && !next.startsWith('-');
    return isAlone ? `${word}=true` : word;
  });
}

/** The help text, also for the configuration file. */
export function describe({ help, isList, variables, defaultText, ...row }: OptionRow): string {
  const notes = [
    isList ? 'repeatable' : '',
    !variables ? '' : `env: ${variables}`,
    defaultText === undefined || row.default !== undefined ? '' : `default: ${defaultText}`,
  ].filter(Boolean);
  return notes.length > 0 ? `${help} (${notes.join('; ')})` : help;
}

function parserOf({ value, parse }: OptionRow): OptionRow['parse'] {
  if (value?.type !== 'whole') return parse;
  const { low, high } = value;
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= low && number <= high) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`);
  };
}

/** The environment variable of an option: PADDOCK_API_KEY for `--api-key`. */
export function variableOf(option: Option): string {
  return rowOf(option).variables ?? `PADDOCK_${option.name().toUpperCase().replaceAll('-', '_')}`;
}

function isOn(text: string): boolean {
  return /^(?:1|true|yes|on)$/i.test(text);
}

/** Commander treats the variable of a flag as true whatever its value; users disable it with 0 or false. */
function isOff(value = ''): boolean {
  return /^(?:0|false|no|off)$/i.test(value);
}

/** The variable of an argument of the verbs that is no option. */
export const BASE_URL_VARIABLE = 'PADDOCK_BASE_URL';

/** The environment variables of a program or verb, and of all verbs in it, without repetition. */
export function variablesOf({ options, commands, registeredArguments: args }: Command): string[] {
  const variables = options
    .filter((option) => ROWS.has(option) && rowOf(option).variables === undefined)
    .map((option) => variableOf(option));
  const base = args.some((argument) => argument.description.includes(BASE_URL_VARIABLE))
    ? [BASE_URL_VARIABLE]
    : [];
  return [...new Set([...variables, ...base, ...commands.flatMap(variablesOf)])].sort();
}

/** The values of a repeatable option. */
export function valuesOf(command: Command, key: string): string[] {
  const values = (command.getOptionValue(key) as string[] | undefined) ?? [];
  return command.getOptionValueSource(key) === 'env' ? values.flatMap((text) => text.split(',')) : values;
}

/** The library's options that a command sets. */
export function libraryOptions<Library>(command: Command): Partial<Library> {
  const entries = command.options.flatMap((option) => {
    const { to, convert, isList } = rowOf(option);
    if (to === undefined) return [];
    const key = option.attributeName();
    const value = isList ? valuesOf(command, key) : command.getOptionValue(key);
    return [[to, convert ? convert(value as never) : value]];
  });
  return Object.fromEntries(entries) as Partial<Library>;
}

/** The verbs that read the configuration file. */
export const CONFIGURED: ReadonlySet<string> = new Set([
  'explain',
  'mock',
  'check',
  'proxy',
  'judge',
  'learn',
  'compat',
]);

/** The verbs whose first argument is a base URL or the name of a target. */
export const WITH_TARGET: ReadonlySet<string> = new Set(['check', 'proxy']);

/** With more options, neither all of them nor exit codes and examples fit on a screen. */
const MANY = 24;

/** `--help` of a verb with many options shows the common ones, one per line; `--help all` shows everything. */
export function shortenHelp(command: Command): void {
  const visibleCount = command.options.filter(({ hidden }) => !hidden).length;
  if (visibleCount <= MANY) return;
  command.configureHelp({
    visibleArguments: () => [],
    visibleOptions: ({ options }) => options.filter((option) => rowOf(option).brief !== undefined),
    optionDescription: (option) => rowOf(option).brief ?? '',
    formatItemList: (heading: string, items: string[]) => (items.length === 0 ? [] : [heading, ...items]),
  });
  // Commander's types do not declare that a command is an emitter.
  (command as unknown as EventEmitter).removeAllListeners('afterHelp');
  command.showHelpAfterError('(add --help for the common options, --help all for every one, with examples)');
  command.addHelpText(
    'after',
    `\n--help all: all ${visibleCount} options with their variables, exit codes, examples`,
  );
}

/** The examples at the end of `--help`. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
