import { dirname } from 'node:path';
import type { Command, Option } from 'commander';
import {
  type Chosen,
  type Configuration,
  type Form,
  readConfiguration,
  type Setting,
  type Vocabulary,
} from '#configuration';
import { CONFIGURED_MEMBERS } from './configured-members.ts';
import { CONFIGURED, describe, FILE, rowOf, variableOf, WITH_TARGET } from './options.ts';
import { REMOVED_KEYS } from './removed-options.ts';
import { type Places, UsageError } from './usage-error.ts';

const DOCUMENT = 'document';
/** A verb whose arguments are files, not targets. */
const JUDGE = 'judge';
/** The key for the names of all targets, if a verb is called without one. */
export const ALL_TARGETS = 'allTargets';
/** The key for members below a verb that are no options, among its options. */
export const MEMBERS = 'members';

/**
 * Gives a command the options of a configuration file, and the URL of the named target.
 * @param file absolute path
 * @throws ConfigurationError, UsageError
 */
export async function applyConfiguration(
  command: Command,
  file: string,
  commands: readonly Command[],
  places: Places,
): Promise<void> {
  const configuration = await readConfiguration(file, vocabularyOf(commands));
  if (command.getOptionValue('config') === undefined && dirname(file) !== process.cwd())
    console.error(`notice: options are read from ${configuration.name}`);
  command.setOptionValueWithSource(MEMBERS, configuration.membersOf(command.name()), 'config');
  const target = WITH_TARGET.has(command.name()) ? takeTargets(command, configuration) : undefined;
  const code = configuration.code(command.name());
  if (code) command.setOptionValueWithSource('code', code, 'config');
  const at = argumentOf(command, DOCUMENT);
  const isTaken = (key: string) =>
    key === DOCUMENT && at >= 0
      ? command.args.length > at
      : ['cli', 'env'].includes(command.getOptionValueSource(key) ?? '');
  const isVariadic = command.registeredArguments[at]?.variadic === true;
  for (const chosen of configuration.choose(command.name(), target, isTaken)) {
    if (chosen.setting.key === DOCUMENT && at >= 0)
      command.processedArgs[at] = isVariadic ? textsOf(chosen) : textsOf(chosen)[0];
    else setOption(command, chosen);
    const { flags, key } = chosen.setting;
    for (const name of [flags.replace(/ .*/, ''), key, ...filesOf(chosen)]) places.set(name, chosen.place);
  }
  if (command.name() === JUDGE && !isTaken(DOCUMENT) && !isTaken('baseUrl')) {
    const judged = configuration.judgedTargets(JUDGE);
    if (judged.length > 0) command.setOptionValueWithSource(ALL_TARGETS, judged, 'config');
  }
  takeAllDocuments(command, at, configuration.documentsOf(command.name()));
}

/** Like {@link takeTarget}, but without a name selects all targets. */
function takeTargets(command: Command, configuration: Configuration): string | undefined {
  const { targets } = configuration;
  if (command.processedArgs[0] || targets.size < 2) return takeTarget(command, configuration);
  command.setOptionValueWithSource(ALL_TARGETS, [...targets.keys()], 'config');
  return undefined;
}

/** A verb for several documents, called without any, takes all in the file. */
function takeAllDocuments(command: Command, at: number, all: readonly string[]): void {
  if (command.registeredArguments[at]?.variadic && command.args.length <= at && all.length > 0)
    command.processedArgs[at] = all;
}

/** Replaces the name of a target, or the only target's missing name, by its URL. */
function takeTarget(command: Command, configuration: Configuration): string | undefined {
  const { targets, name: file } = configuration;
  const named: string | undefined =
    command.processedArgs[0] || (targets.size === 1 ? [...targets.keys()][0] : undefined);
  const list = [...targets.keys()].join(', ');
  if (named === undefined) {
    if (targets.size === 0) return undefined;
    throw new UsageError(`name a target of ${file} (${list}), or the base URL of a service`);
  }
  const url = targets.get(named);
  if (url !== undefined) {
    command.processedArgs[0] = url;
    return named;
  }
  if (URL.canParse(named) && named.includes('//')) return undefined;
  const meant = configuration.nearestTarget(named);
  const remedy = meant === undefined ? '' : `; did you mean "${meant}"?`;
  throw new UsageError(
    list === ''
      ? `"${named}" is not a base URL, and ${file} has no targets`
      : `"${named}" is neither a base URL nor a target of ${file}, which has ${list}${remedy}`,
  );
}

function setOption(command: Command, chosen: Chosen): void {
  const { key, isList } = chosen.setting;
  const value = isList || typeof chosen.value === 'boolean' ? chosen.value : parsedText(chosen);
  command.setOptionValueWithSource(key, value, 'config');
}

function parsedText(chosen: Chosen): unknown {
  const [text = ''] = textsOf(chosen);
  const { parse } = chosen.setting;
  return parse ? parse(text) : text;
}

function filesOf(chosen: Chosen): readonly string[] {
  const { form } = chosen.setting;
  return form.type === 'text' && form.path === 'path' ? textsOf(chosen) : [];
}

function textsOf({ value }: Chosen): readonly string[] {
  return typeof value === 'boolean' ? [] : value;
}

function argumentOf(command: Command, name: string): number {
  return command.registeredArguments.findIndex((registeredArgument) => registeredArgument.name() === name);
}

/** The vocabulary of a configuration file, from the options' tables, so that both agree. */
export function vocabularyOf(commands: readonly Command[]): Vocabulary {
  const configured = commands.filter((command) => CONFIGURED.has(command.name()));
  return {
    verbs: new Map(configured.map((command) => [command.name(), settingsOf(command)])),
    members: CONFIGURED_MEMBERS,
    withTarget: WITH_TARGET,
    removed: REMOVED_KEYS,
  };
}

function settingsOf({ options, registeredArguments }: Command): Setting[] {
  const settings = options.filter((option) => option.attributeName() !== 'config').map(settingOf);
  const document = registeredArguments.find((registeredArgument) => registeredArgument.name() === DOCUMENT);
  if (!document) return settings;
  const { description } = document;
  return [
    {
      key: DOCUMENT,
      flags: '[document]',
      description,
      form: FILE,
      isSecret: false,
      isList: document.variadic,
      variable: 'PADDOCK_DOCUMENT',
      usual: undefined,
      excludes: [],
      parse: undefined,
    },
    ...settings,
  ];
}

function settingOf(option: Option): Setting {
  const row = rowOf(option);
  const { parseArg, flags, negate } = option;
  return {
    key: option.attributeName(),
    flags,
    description: describe({ ...row, isList: undefined, variables: undefined }),
    form: formOf(option),
    isList: row.isList ?? false,
    isSecret: row.isSecret ?? false,
    variable: variableOf(option),
    // A default in words may differ on each machine.
    usual: negate ? true : row.defaultText === undefined ? row.default : undefined,
    excludes: [...(row.conflicts ?? []), ...(row.excludes ?? [])],
    parse: parseArg && ((text) => parseArg(text, undefined)),
  };
}

function formOf(option: Option): Form {
  const { value = { type: 'text' } } = rowOf(option);
  if (option.optional && value.type === 'text') return { ...value, orSwitch: true };
  return option.required ? value : { type: 'switch', says: !option.negate };
}
