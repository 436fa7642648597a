import type { Command, Option } from 'commander';
import { rowOf } from '../../../cli/options.ts';
import { cell, code, heading } from './markdown.ts';

/** The page of a verb: the text of `--help`, with a heading for each option for searches and links. */
export function verbPage(command: Command): string {
  const name = `paddock ${command.name()}`;
  const options = command.options.filter(({ hidden }) => !hidden);
  return [
    heading(1, code(name)),
    command.description(),
    fenced(`${name} ${command.usage()}`),
    ...argumentsOf(command),
    heading(2, 'Options'),
    'The command line takes precedence over the environment, that over the configuration file, and that over the default.',
    ...options.map(optionSection),
    ...afterOptions(command),
  ].join('\n\n');
}

function argumentsOf({ registeredArguments }: Command): string[] {
  if (registeredArguments.length === 0) return [];
  const rows = registeredArguments.map((argument) => {
    const usual = argument.defaultValueDescription ?? '';
    const needed = argument.required ? 'required' : 'optional';
    return `| ${cell(code(argument.name()))} | ${needed} | ${cell(usual)} | ${cell(argument.description)} |`;
  });
  return [
    heading(2, 'Arguments'),
    ['| argument | presence | default | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ];
}

function optionSection(option: Option): string {
  const { flags, description, envVar, argChoices } = option;
  const facts = [
    ['environment', envVar && code(envVar)],
    ['default', defaultOf(option)],
    ['one of', argChoices?.map(code).join(', ')],
    ['range', rangeOf(option)],
    [
      'repeatable',
      isRepeatable(option) && (envVar ? 'yes; commas separate the values of the variable' : 'yes'),
    ],
  ].filter(([, value]) => value);
  const lines = facts.map(([label, value]) => `- ${label}: ${value}`);
  const { see } = rowOf(option);
  const more = see === undefined ? '' : ` [More](../${see}).`;
  return [
    heading(3, code(flags), anchorOf(option)),
    `${sentence(description)}${more}`,
    lines.join('\n'),
  ].join('\n\n');
}

/** The anchor of an option: `max-time` for `--max-time`. */
function anchorOf({ long, flags }: Option): string {
  return (long ?? flags).replace(/^-+/, '');
}

function defaultOf(option: Option): string | undefined {
  const { defaultValue, defaultValueDescription } = option;
  if (defaultValueDescription !== undefined) return defaultValueDescription;
  if (defaultValue === undefined || option.negate) return undefined;
  return code(String(defaultValue));
}

/** The parser of an option tells its range when it rejects a value. */
function rangeOf({ parseArg }: Option): string | undefined {
  try {
    parseArg?.('\0', undefined);
    return undefined;
  } catch (error) {
    return /^It must be (?:a )?(.*)\.$/.exec((error as Error).message)?.[1];
  }
}

function isRepeatable({ parseArg }: Option): boolean {
  try {
    return Array.isArray(parseArg?.('x', undefined));
  } catch {
    return false;
  }
}

/** Exit codes and examples, which `--help` prints below the options. */
function afterOptions(command: Command): string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  const [, after = ''] = /^ {2}-h, --help.*\n(?: {3,}.*\n)*([\s\S]*)$/m.exec(help) ?? [];
  return after
    .split(/^(?=\S.*:$)/m)
    .filter((part) => part.trim() !== '')
    .map((part) => part.trimEnd())
    .flatMap((part) => {
      const [title = '', ...lines] = part.trimStart().split('\n');
      return [heading(2, title.replace(/:$/, '')), fenced(lines.map((line) => line.slice(2)).join('\n'))];
    });
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
