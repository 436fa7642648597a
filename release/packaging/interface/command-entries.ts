import type { Command, Option } from 'commander';
import { rowOf } from '../../../cli/options.ts';
import { programFor } from '../../../cli/program.ts';
import { ROOT } from '../../../quality/testing/command.ts';
import { nameOf } from './entries.ts';

type Entry = readonly [name: string, form: string];

/**
 * The command line, from its definitions: commands, arguments, options with their defaults and environment variables, and
 * the exit codes and further variables that `--help` names. It expects that no variable of Paddock is set.
 */
export async function commandEntries(): Promise<Entry[]> {
  const { commands } = await programFor();
  return commands.filter(isShown).flatMap(entriesOf);
}

/** Those that are not for people, such as what a shell calls to complete a line, are not in the help. */
function isShown(command: Command): boolean {
  const { parent } = command;
  return parent === null || parent.createHelp().visibleCommands(parent).includes(command);
}

function entriesOf(command: Command): Entry[] {
  const name = `paddock ${command.name()}`;
  const { options } = command;
  const variables = new Set(options.flatMap(({ envVar }) => envVar ?? []));
  const help = helpOf(command);
  const others = new Set(help.match(/PADDOCK_[A-Z_]+/g)?.filter((variable) => !variables.has(variable)));
  return [
    [name, command.usage().replace('[options] ', '')],
    ...options.filter(({ hidden }) => !hidden).flatMap((option) => optionEntries(name, option)),
    ...[...others].map((variable): Entry => [nameOf(name, variable), 'environment variable']),
    ...exitCodes(help).map((code): Entry => [nameOf(name, `exit code ${code}`), '']),
    ...command.commands.flatMap((sub) => entriesOf(sub.name(`${command.name()} ${sub.name()}`))),
  ];
}

function optionEntries(command: string, option: Option): Entry[] {
  const flag = option.long ?? option.flags;
  const { defaultValue, defaultValueDescription, envVar, argChoices = [] } = option;
  const usual = defaultValueDescription ?? (defaultValue === undefined ? undefined : relative(defaultValue));
  const form = [
    option.flags.replace(flag, '').trim(),
    rowOf(option).isList ? 'repeatable' : '',
    envVar ?? '',
    usual === undefined ? '' : `default ${usual}`,
  ];
  const choices = argChoices.map((choice): Entry => [nameOf(command, flag, choice), '']);
  return [[nameOf(command, flag), form.filter(Boolean).join(', ')], ...choices];
}

/** Without the place of the clone, which each machine has elsewhere. */
function relative(value: unknown): string {
  return JSON.stringify(value).replaceAll(ROOT, '');
}

/** With what comes before and after the options. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

/** Of the lines below "Exit codes:", each of which begins with one or more. */
function exitCodes(help: string): string[] {
  const [, lines = ''] = /^Exit codes:\n((?: {2}.*\n)+)/m.exec(help) ?? [];
  return [...lines.matchAll(/^ {2}(\d[\d, ]*)/gm)].flatMap(([, codes = '']) => codes.match(/\d+/g) ?? []);
}
