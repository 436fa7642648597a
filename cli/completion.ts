import { readFileSync } from 'node:fs';
import { Argument, type Command, type Option } from 'commander';
import { findConfiguration } from '#find-configuration';
import { TOPICS } from './help.ts';
import { examples, rowOf } from './options.ts';
import { printable } from './terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

const EXAMPLES = `
The script asks the program for each completion: options and values are always those of the version that is called.
It is found on the PATH; where paddock is a function or an alias, in node_modules/.bin of the folder or one above it.
${examples([
  'source <(paddock completion bash)     # in ~/.bashrc',
  'source <(paddock completion zsh)      # in ~/.zshrc, after compinit',
  'paddock completion fish | source      # in ~/.config/fish/config.fish',
])}`;

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes verbs, options, values and files in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action((shell: string) => {
      process.stdout.write(readFileSync(new URL(`./completion/paddock.${shell}`, import.meta.url)));
    });
}

/**
 * The query of the shell scripts: `paddock __complete -- mock --st`. The first line of the answer is `words`, or `files:`
 * with the text before a file name; then follows one word per line, with a tab and its meaning.
 */
export function addComplete(program: Command, definitions: (name?: string) => Promise<Command>): void {
  program
    .command('__complete')
    .argument('[words...]')
    .action(async (words: string[]) => {
      const [name, ...rest] = words;
      // Loads only the verb in question.
      const all = await definitions(rest.length > 0 ? name : undefined);
      const verb = rest.length > 0 ? all.commands.find((command) => command.name() === name) : all;
      const lines = verb ? await complete(verb, rest.length > 0 ? rest : words, definitions) : NOTHING;
      console.log(printable(lines.join('\n')));
    });
}

const NOTHING: readonly string[] = ['words'];

type Word = readonly [word: string, meaning?: string];

/** The words that begin with the last one. */
function among(words: readonly Word[], current: string): readonly string[] {
  const fitting = words.filter(([word]) => word.startsWith(current));
  return [...NOTHING, ...fitting.map(([word, meaning]) => (meaning ? `${word}\t${meaning}` : word))];
}

/** Completes the last word after a verb or the program: earlier words are parsed as commander does. */
async function complete(
  verb: Command,
  words: readonly string[],
  definitions: (name?: string) => Promise<Command>,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const usedOptions = new Set<string>();
  let operands = 0;
  let pending: Option | undefined;
  let isOver = false;
  for (const word of words.slice(0, -1)) {
    const isValue = pending && (pending.required || pending.argChoices?.includes(word));
    pending = undefined;
    if (isValue) continue;
    if (isOver || !word.startsWith('-') || word === '-') operands++;
    else if (word === '--') isOver = true;
    else {
      const option = optionOf(verb, word);
      if (option?.long) usedOptions.add(option.long);
      pending = (option?.required || option?.optional) && !word.includes('=') ? option : undefined;
    }
  }
  if (pending) return valuesOf(pending, current, '');
  if (isOver || !current.startsWith('-')) return operandOf(verb, operands, current, definitions);
  const [, flag = '', value = ''] = /^(--[^=]+=)(.*)$/s.exec(current) ?? [];
  const option = flag === '' ? undefined : optionOf(verb, flag);
  if (option) return valuesOf(option, value, flag);
  const offered = verb.createHelp().visibleOptions(verb);
  // A given switch is not offered again.
  const open = offered.filter((one) => one.long && !(one.isBoolean() && usedOptions.has(one.long)));
  return among(
    open.map((one) => [one.long ?? '', one.description]),
    current,
  );
}

function optionOf({ options }: Command, word: string): Option | undefined {
  const [flag] = word.split('=', 1);
  return options.find(({ long, short }) => long === flag || short === flag);
}

async function operandOf(
  verb: Command,
  index: number,
  current: string,
  definitions: (name?: string) => Promise<Command>,
): Promise<readonly string[]> {
  const verbs = verb.createHelp().visibleCommands(verb);
  if (verbs.length > 0)
    return among(
      verbs.map((command) => [command.name(), command.description()]),
      current,
    );
  const all = verb.registeredArguments;
  const last = all.at(-1);
  const argument = all[index] ?? (last?.variadic ? last : undefined);
  if (!argument) return NOTHING;
  const name = argument.name();
  if (FILES.has(name)) return ['files:'];
  const words = TARGETS.has(name)
    ? await targetsHere(definitions)
    : name === 'topic'
      ? TOPICS.map((topic) => topic.name)
      : (argument.argChoices ?? []);
  return among(
    words.map((word) => [word]),
    current,
  );
}

/** Arguments that are files, by name. */
const FILES: ReadonlySet<string> = new Set(['document', 'old', 'new', 'har', 'from']);
const TARGETS: ReadonlySet<string> = new Set(['base-url', 'target']);

/**
 * The names of the configuration file's targets; none if it cannot be read, which verbs report when they start, and none
 * from a program, since completion must not run the folder's code.
 */
async function targetsHere(definitions: () => Promise<Command>): Promise<readonly string[]> {
  const [{ isModule, readConfiguration }, { vocabularyOf }] = await Promise.all([
    import('#configuration'),
    import('./apply-configuration.ts'),
  ]);
  try {
    const file = findConfiguration(process.cwd());
    if (file === undefined || isModule(file)) return [];
    const { commands } = await definitions();
    return [...(await readConfiguration(file, vocabularyOf(commands))).targets.keys()];
  } catch {
    return [];
  }
}

/** @param prefix the text before the value in the same word: `--log=` */
function valuesOf(option: Option, current: string, prefix: string): readonly string[] {
  const { value, suggests = [] } = rowOf(option);
  const named =
    value?.type === 'pairs'
      ? value.names?.map((name) => `${name}=`)
      : value?.type === 'text'
        ? value.choices
        : undefined;
  const words = [...(named ?? []), ...suggests];
  const begun = words.find((word) => /[=:]$/.test(word) && current.startsWith(word));
  if (begun !== undefined) return [`files:${prefix}${begun}`];
  if (words.length === 0 && value && 'path' in value) return [`files:${prefix}`];
  return among(
    words.map((word) => [prefix + word]),
    prefix + current,
  );
}
