import { readFileSync } from 'node:fs';

/** What a reader of a guide does, in this order. */
export type Step =
  | { readonly file: string; readonly text: string }
  | { readonly command: string; readonly shown: string };

/** A first line that names the file of a block. */
const NAMED = /^(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: -->)?\n/;

/** The files and commands of a guide. Blocks of other languages, and without a name, are not steps. */
export function stepsOf(page: string): Step[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms);
  return [...blocks].flatMap(([, language, text = '']): Step[] => {
    if (language === 'console') return commandsOf(text);
    const [line = '', file] = NAMED.exec(text) ?? [];
    return file === undefined ? [] : [{ file, text: text.slice(line.length) }];
  });
}

/** Each `$ command` with the output that the guide shows for it. */
function commandsOf(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.trimEnd().split('\n');
      return { command, shown: lines.join('\n') };
    });
}

/** The output that is shown; a line `...` stands for any lines. */
export function shownAs(shown: string): RegExp {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    shown
      .split(/^\.\.\.$/m)
      .map((text) => literal(text.replace(/^\n|\n$/g, '')))
      .join('[\\s\\S]*'),
  );
}

/** The exit code that a guide shows; 0 where it shows none. */
export function exitCodeIn(shown: string): number {
  return Number(/\(exit (\d+)\)$/.exec(shown)?.[1] ?? 0);
}
