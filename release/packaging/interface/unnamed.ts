import type { ChangeLogLine } from '../change-log.ts';
import { type Differences, ownersOf, partsOf } from './entries.ts';

/** Differences that no line of the change log names, each with the kinds of lines that could. */
export interface Unnamed {
  readonly name: string;
  readonly kinds: readonly string[];
}

/** Where users look for what may break them. */
const BREAKING = ['Changed', 'Removed'];

/**
 * A line names an entry when each part of the entry's name stands in it as a whole word; of an option that several
 * commands have, `all commands` stands for their names. What is new or gone with its owner needs no line.
 */
export function unnamed(differences: Differences, lines: readonly ChangeLogLine[]): Unnamed[] {
  const { added, changed, removed } = differences;
  const lacking = (names: readonly string[], kinds: readonly string[]) =>
    names
      .filter((name) => !ownersOf(name).some((owner) => names.includes(owner)))
      .filter((name) => !lines.some((line) => fits(line, kinds) && doesName(line.text, name)))
      .map((name) => ({ name, kinds }));
  return [...lacking(added, []), ...lacking(changed, BREAKING), ...lacking(removed, BREAKING)];
}

function fits({ kind }: ChangeLogLine, kinds: readonly string[]): boolean {
  return kinds.length === 0 || kinds.includes(kind);
}

function doesName(line: string, name: string): boolean {
  return partsOf(name).every(
    (part) => hasWord(line, part) || (part.startsWith('paddock ') && hasWord(line, 'all commands')),
  );
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w-])${RegExp.escape(word)}(?![\\w-])`).test(text);
}
