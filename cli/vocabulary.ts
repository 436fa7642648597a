import type { Command, Option } from 'commander';
import type { Form, Setting, Vocabulary } from '#configuration';
import { CONFIGURED, WITH_TARGET } from './configured-verbs.ts';
import { formOf } from './option-form.ts';

/** What a configuration file may say, from the definitions of the command line: neither can differ from the other. */
export function vocabularyOf(commands: readonly Command[]): Vocabulary {
  const configured = commands.filter((command) => CONFIGURED.has(command.name()));
  return {
    verbs: new Map(configured.map((command) => [command.name(), settingsOf(command)])),
    withTarget: WITH_TARGET,
  };
}

function settingsOf(command: Command): Setting[] {
  const byKey = Map.groupBy(command.options, (option) => option.attributeName());
  byKey.delete('config');
  const settings = [...byKey].map(([key, options]) => settingOf(key, options));
  const document = command.registeredArguments.find((one) => one.name() === 'document');
  if (!document) return settings;
  const { description } = document;
  return [{ ...PLAIN, key: 'document', flags: '[document]', description, form: FILE }, ...settings];
}

const FILE: Form = { type: 'text', path: 'path' };

const PLAIN = {
  isList: false,
  isSecret: false,
  variable: 'PADDOCK_DOCUMENT',
  usual: undefined,
  excludes: [],
  parse: undefined,
} as const;

/** @param options with the same key: `--log` and `--no-log` */
function settingOf(key: string, options: readonly Option[]): Setting {
  const main = (options.find(({ negate }) => !negate) ?? options[0]) as Option;
  const { isList = false, isSecret = false, excludes = [] } = formOf(main);
  const negated = options.some(({ negate }) => negate);
  const parse = main.parseArg;
  return {
    key,
    flags: main.flags,
    description: main.description.replace(/ \((?:repeatable|again for more)\)$/, ''),
    form: formFrom(main, negated),
    isList,
    isSecret,
    variable: `PADDOCK_${main.name().toUpperCase().replaceAll('-', '_')}${key === 'credential' ? '_NAME' : ''}`,
    // A default that is described is another one on each machine.
    usual: main.negate ? true : main.defaultValueDescription === undefined ? main.defaultValue : undefined,
    excludes: [...conflictsOf(main), ...excludes],
    parse: parse && ((text) => parse(text, undefined)),
  };
}

/** The types of commander lack it. */
function conflictsOf(option: Option): readonly string[] {
  return (option as Option & { readonly conflictsWith: readonly string[] }).conflictsWith;
}

function formFrom(option: Option, negated: boolean): Form {
  const { range, names, quantity = undefined } = formOf(option);
  if (!option.required) return { type: 'switch', says: option.negate ? false : negated ? undefined : true };
  if (range) return { type: 'whole', ...range };
  const holder = /<(.*)>/.exec(option.flags)?.[1] ?? '';
  const form = HOLDERS.get(holder);
  if (!form) throw new Error(`no form is known for <${holder}> of ${option.flags}`);
  if (form.type === 'pairs') return { ...form, names };
  if (form.type !== 'text') return form;
  const choices = option.argChoices ?? names;
  const { pattern, ...orNumber } = quantity ?? {};
  return {
    ...form,
    ...(choices && { choices }),
    ...(negated && { orFalse: true }),
    ...(quantity && { orNumber }),
    ...(pattern !== undefined && { pattern }),
  };
}

const TEXT: Form = { type: 'text' };

/** What the value of an option is, by its name in the help. */
const HOLDERS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['file', FILE],
  ['place', FILE],
  ['store', { type: 'text', path: 'store' }],
  ['name=file', { type: 'pairs', between: '=', path: 'path' }],
  ['name=value', { type: 'pairs', between: '=' }],
  ['header', { type: 'pairs', between: ': ' }],
  ...[
    'address',
    'date',
    'form',
    'judge',
    'key',
    'ms',
    'n/s',
    'name',
    'operation',
    'regexp',
    'token',
    'url',
  ].map((name): [string, Form] => [name, TEXT]),
]);
