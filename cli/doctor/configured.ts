import type { Command } from 'commander';
import { type Configuration, ConfigurationError, readConfiguration } from '#configuration';
import { setOption, takeTarget, vocabularyOf } from '../apply-configuration.ts';
import { fileOf } from '../configured.ts';
import { about, type Remark } from './remark.ts';

const { good, wrong, skipped } = about('configuration');

/**
 * Reads the configuration file, and gives the command what the file has for `mock` and `check`: a file with errors is reported,
 * and the rest is examined without it.
 * @throws UsageError for a name that is no target
 */
export async function examineConfiguration(
  command: Command,
  commands: readonly Command[],
): Promise<Remark[]> {
  let configuration: Configuration;
  try {
    const file = fileOf(command);
    if (file === undefined) return [skipped('no file is read; paddock init writes one')];
    configuration = await readConfiguration(file, vocabularyOf(commands));
  } catch (error) {
    return messagesOf(error).map((message) => wrong(message));
  }
  const { name, targets } = configuration;
  const names = [...targets.keys()];
  const isNamed = command.processedArgs[0] !== undefined || names.length === 1;
  const target = isNamed ? takeTarget(command, configuration) : undefined;
  const list =
    names.length === 0 ? '' : `, with the ${names.length === 1 ? 'target' : 'targets'} ${names.join(', ')}`;
  return [good(`${name}${list}`), ...giveOptions(command, configuration, target)];
}

/** What another verb has, and doctor has not, is none of its business. */
function giveOptions(command: Command, configuration: Configuration, target: string | undefined): Remark[] {
  const own = new Set(command.options.map((option) => option.attributeName()));
  const isTaken = (key: string) =>
    !own.has(key) ||
    ['cli', 'env'].includes(command.getOptionValueSource(key) ?? '') ||
    (key === 'document' && command.args.length > 1);
  const give = (verb: string, isClosed: (key: string) => boolean) => {
    for (const chosen of configuration.choose(verb, target, isClosed)) setOption(command, chosen);
  };
  give('mock', (key) => isTaken(key) || (key !== 'port' && key !== 'host'));
  try {
    give('check', isTaken);
    return [];
  } catch (error) {
    // A variable that holds a secret is not set.
    give('check', (key) => isTaken(key) || SECRETS.has(key));
    return messagesOf(error).map((message) => about('key').wrong(message));
  }
}

const SECRETS: ReadonlySet<string> = new Set(['apiKey', 'credential']);

function messagesOf(error: unknown): string[] {
  if (error instanceof ConfigurationError) return error.message.split('\n');
  throw error;
}
