import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type AnswerName = 'yes' | 'no' | 'partly';
export type Cell = readonly [answer: AnswerName, evidence: string, note?: string];

export interface DocumentedRow {
  readonly title: string;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** A command, and a text that its output has or has not. */
export interface CommandEvidence {
  /** The words of the command; the first is the name of a program. */
  readonly words: readonly string[];
  readonly text: string;
  readonly isThere: boolean;
}

export function readDocumented(): readonly DocumentedRow[] {
  return parse(readFileSync(new URL('documented.yaml', import.meta.url), 'utf8'));
}

/** Undefined: the evidence is an address or a page. */
export function commandIn(evidence: string): CommandEvidence | undefined {
  const [, command = '', not, text = ''] = /^(.+?) (!?)=> (.+)$/.exec(evidence) ?? [];
  return command === '' ? undefined : { words: command.split(' '), text, isThere: not === '' };
}
