import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { complete, takesTarget } from './completion/complete.ts';
import { TOPICS } from './help/topics.ts';
import { examples } from './options.ts';
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

async function targetsHere(definitions: () => Promise<Command>): Promise<readonly string[]> {
  const { targetNames } = await import('./completion/target-names.ts');
  return targetNames((await definitions()).commands);
}
