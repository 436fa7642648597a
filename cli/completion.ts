import { readFileSync } from 'node:fs';
import { Argument, type Command, type Option } from 'commander';
import { findConfiguration } from '#find-configuration';
import { examples, rowOf } from './options.ts';
import { printable } from './terminal.ts';
import { TOPICS } from './topics.ts';

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
 * What the scripts ask: `paddock __complete -- mock --st`. The first line of the answer is `words`, or `files:` with the
 * beginning of the word that a file follows; then comes a word a line, with a tab and its meaning.
 */
export function addComplete(program: Command, definitions: (name?: string) => Promise<Command>): void {
  program
    .command('__complete')
    .argument('[words...]')
    .action(async (words: string[]) => {
      // A verb is asked about alone: the others need not be loaded.
      const program = await definitions(words.length > 1 ? words[0] : undefined);
      const targets = takesTarget(program, words) ? await targetsHere(definitions) : [];
      const topics = TOPICS.map(({ name }) => name);
      const { words: found, filesAfter } = complete(program, words, { targets, topics });
      const lines = found.map(([word, meaning]) => printable(meaning ? `${word}\t${meaning}` : word));
      console.log([filesAfter === undefined ? 'words' : `files:${filesAfter}`, ...lines].join('\n'));
    });
}

/**
 * The names of the targets in the configuration file; none where that cannot be read, which verbs report when they start,
 * and none of a program: a tab must not run what the folder has.
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

/** What a shell can offer in the place of a word that is not finished. */
interface Completion {
  /** Whole words that begin with it, each with what it means. */
  readonly words: readonly (readonly [word: string, meaning: string])[];
  /** Files are offered, too: for what follows this beginning of the word. */
  readonly filesAfter: string | undefined;
}

/** What commands cannot say of their arguments. */
interface Names {
  readonly targets: readonly string[];
  readonly topics: readonly string[];
}

const NOTHING: Completion = { words: [], filesAfter: undefined };

/** What arguments take, by their name. */
const ARGUMENTS: Readonly<Record<string, 'files' | keyof Names>> = {
  document: 'files',
  old: 'files',
  new: 'files',
  har: 'files',
  from: 'files',
  'base-url': 'targets',
  target: 'targets',
  topic: 'topics',
};

/**
 * Completes the last word of a command line by the definitions of the program.
 * @param words those behind the name of the program, as it would get them; the last one may be empty
 */
function complete(program: Command, words: readonly string[], names: Names): Completion {
  const current = words.at(-1) ?? '';
  const [name] = words;
  if (words.length <= 1)
    return current.startsWith('-')
      ? flags(program, current, new Set())
      : among(
          program
            .createHelp()
            .visibleCommands(program)
            .map((verb) => [verb.name(), verb.description()]),
          current,
        );
  const verb = program.commands.find((one) => one.name() === name);
  return verb ? completeIn(verb, words.slice(1, -1), current, names) : NOTHING;
}

/** Whether the last word may be the name of a target. */
function takesTarget({ commands }: Command, words: readonly string[]): boolean {
  const verb = words.length > 1 ? commands.find((one) => one.name() === words[0]) : undefined;
  const [first] = verb?.registeredArguments ?? [];
  return first !== undefined && ARGUMENTS[first.name()] === 'targets' && !words.at(-1)?.startsWith('-');
}

/** The words of a verb, read as commander does. */
function completeIn(verb: Command, before: readonly string[], current: string, names: Names): Completion {
  const given = new Set<string>();
  let operands = 0;
  let pending: Option | undefined;
  let isOver = false;
  for (const word of before) {
    const isValue = pending && (pending.required || pending.argChoices?.includes(word));
    pending = undefined;
    if (isValue) continue;
    if (isOver || !word.startsWith('-') || word === '-') operands++;
    else if (word === '--') isOver = true;
    else {
      const option = optionOf(verb, word);
      if (option?.long) given.add(option.long);
      pending = (option?.required || option?.optional) && !word.includes('=') ? option : undefined;
    }
  }
  if (pending) return valuesOf(pending, current, '');
  if (isOver || !current.startsWith('-')) return operandOf(verb, operands, current, names);
  const [, flag = '', value = ''] = /^(--[^=]+=)(.*)$/s.exec(current) ?? [];
  const option = flag === '' ? undefined : optionOf(verb, flag);
  return option ? valuesOf(option, value, flag) : flags(verb, current, given);
}

function optionOf({ options }: Command, word: string): Option | undefined {
  const [flag] = word.split('=', 1);
  return options.find(({ long, short }) => long === flag || short === flag);
}

/** The options; a flag that is given already is not offered again. */
function flags(command: Command, current: string, given: ReadonlySet<string>): Completion {
  const offered = command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => option.long && !(option.isBoolean() && given.has(option.long)));
  return among(
    offered.map((option) => [option.long ?? '', option.description]),
    current,
  );
}

function operandOf(verb: Command, index: number, current: string, names: Names): Completion {
  const all = verb.registeredArguments;
  const last = all.at(-1);
  const argument: Argument | undefined = all[index] ?? (last?.variadic ? last : undefined);
  if (!argument) return NOTHING;
  const takes = ARGUMENTS[argument.name()];
  if (takes === 'files') return { words: [], filesAfter: '' };
  const words = takes === undefined ? (argument.argChoices ?? []) : names[takes];
  return among(
    words.map((word) => [word, '']),
    current,
  );
}

/** @param prefix what stands before the value in the same word: `--log=` */
function valuesOf(option: Option, current: string, prefix: string): Completion {
  const { value, suggests = [] } = rowOf(option);
  const named = value?.type === 'pairs' ? value.names : value?.type === 'text' ? value.choices : undefined;
  const words = [...(named ?? []).map((name) => (value?.type === 'pairs' ? `${name}=` : name)), ...suggests];
  const begun = words.find((one) => /[=:]$/.test(one) && current.startsWith(one));
  if (begun !== undefined) return { words: [], filesAfter: prefix + begun };
  if (words.length === 0 && value && 'path' in value) return { words: [], filesAfter: prefix };
  return among(
    words.map((word) => [prefix + word, '']),
    prefix + current,
  );
}

function among(words: readonly (readonly [string, string])[], current: string): Completion {
  return { words: words.filter(([word]) => word.startsWith(current)), filesAfter: undefined };
}
