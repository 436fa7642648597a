import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { programFor } from '../../cli/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from '../../quality/testing/command.ts';
import { declarationsOfEntryPoints, withoutVariables } from '../site/reference/write-reference.ts';
import { type ChangeLogLine, readChangeLog } from './change-log.ts';

/** A snapshot of the public interface from the code: the help of each command, and the declarations of each entry point. */
export async function stableInterface(): Promise<string> {
  const { commands } = await withoutVariables(() => programFor());
  const parts = [
    ...commands.filter(isShown).flatMap(helpsOf),
    ...(await declarationsOfEntryPoints()).map(({ path, declarations }) => {
      const stable = declarations.filter(({ comment }) => !comment.includes('@experimental'));
      const text = stable
        .map((declaration) => declaration.text.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, ''))
        .join('\n');
      return [manifest.name + path.slice(1), text] as const;
    }),
  ];
  return parts.map(([title, text]) => `## ${title}\n\n${text.trim()}\n`).join('\n');
}

/** Commands that are not for people, such as the one for shell completion, are hidden. */
function isShown(command: Command): boolean {
  const { parent } = command;
  return parent === null || parent.createHelp().visibleCommands(parent).includes(command);
}

function helpsOf(command: Command): (readonly [string, string])[] {
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  // At a fixed width, whatever the terminal.
  command
    .configureOutput({ writeOut, getOutHelpWidth: () => 120, getOutHasColors: () => false })
    .outputHelp();
  const name = `paddock ${command.name()}`;
  const below = command.commands.flatMap((one) => helpsOf(one.name(`${command.name()} ${one.name()}`)));
  return [[name, help.replaceAll(ROOT, '')], ...below];
}

/** The changes since the last version that the change log does not mention; empty if there are none. */
export function unannounced(earlier: string, current: string, announced: readonly ChangeLogLine[]): string {
  const [before, after] = [earlier.split('\n'), current.split('\n')];
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const added = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  const kinds = gone.length > 0 ? ['Changed', 'Removed'] : ['Added', 'Changed', 'Removed'];
  if (gone.length + added.length === 0 || announced.some(({ kind }) => kinds.includes(kind))) return '';
  return [...gone, ...added, `CHANGELOG.md needs a line under ${kinds.join(' or ')} that says so.`].join(
    '\n',
  );
}

/** The snapshot, and the schemas of report and configuration. Changes of their descriptions do not count. */
const FILES = ['stable-interface.txt', 'report.schema.json', 'paddock.schema.json', 'x-paddock.schema.json'];

/** The same for this clone. A version without a tag is unreleased, so nobody relies on it yet. */
export function unannouncedHere(): string {
  const [newest] = readChangeLog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
  const tag = `v${manifest.version}`;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (git('tag', '--list', tag) === '') return '';
  const withoutTexts = (text: string) => text.replace(/^ *"description": ".*\n/gm, '');
  const earlier = FILES.map((file) => withoutTexts(git('show', `${tag}:${file}`)));
  const current = FILES.map((file) => withoutTexts(readFileSync(join(ROOT, file), 'utf8')));
  return unannounced(earlier.join(''), current.join(''), newest?.lines ?? []);
}
