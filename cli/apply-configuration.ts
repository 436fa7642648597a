import { dirname } from 'node:path';
import type { Command } from 'commander';
import { type Chosen, type Configuration, readConfiguration } from '#configuration';
import { WITH_TARGET } from './configured-verbs.ts';
import { type Places, UsageError } from './usage-error.ts';
import { vocabularyOf } from './vocabulary.ts';

const DOCUMENT = 'document';

/**
 * Gives a command the options of a configuration file, and the URL of the target that is named.
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
  const target = WITH_TARGET.has(command.name()) ? takeTarget(command, configuration) : undefined;
  const at = argumentOf(command, DOCUMENT);
  const isTaken = (key: string) =>
    key === DOCUMENT && at >= 0
      ? command.args.length > at
      : ['cli', 'env'].includes(command.getOptionValueSource(key) ?? '');
  for (const chosen of configuration.choose(command.name(), target, isTaken)) {
    if (chosen.setting.key === DOCUMENT && at >= 0) command.processedArgs[at] = textsOf(chosen)[0];
    else setOption(command, chosen);
    for (const name of [chosen.setting.flags.replace(/ .*/, ''), ...filesOf(chosen)])
      places.set(name, chosen.place);
  }
}

/** Puts the URL in the place of a target's name, which may be the only one. */
export function takeTarget(command: Command, configuration: Configuration): string | undefined {
  const { targets, name: file } = configuration;
  const named: string | undefined = command.processedArgs[0] || onlyOne([...targets.keys()]);
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
      ? `"${named}" is no base URL, and ${file} has no targets`
      : `"${named}" is neither a base URL nor a target of ${file}, which has ${list}${remedy}`,
  );
}

function onlyOne(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

export function setOption(command: Command, chosen: Chosen): void {
  const { key, isList } = chosen.setting;
  const value = isList || typeof chosen.given === 'boolean' ? chosen.given : parsedText(chosen);
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

function textsOf({ given }: Chosen): readonly string[] {
  return typeof given === 'boolean' ? [] : given;
}

function argumentOf(command: Command, name: string): number {
  return command.registeredArguments.findIndex((one) => one.name() === name);
}
