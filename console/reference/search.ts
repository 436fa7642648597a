import { type ComponentChild, h } from 'preact';
import type { ReferenceOperation } from '../wire.ts';
import type { Listing } from './model.ts';

/** What a search has found, the best first. */
export interface Found {
  readonly operations: readonly ReferenceOperation[];
  /** Names. */
  readonly schemas: readonly string[];
}

/** Schemas that are listed for a search. */
const MOST_SCHEMAS = 50;

/** All words must be there; what begins with one, or is called like it, comes first. */
export function searchReference({ operations, texts, view }: Listing, text: string): Found {
  const words = wordsOf(text);
  if (words.length === 0) return { operations, schemas: [] };
  const hasAll = (one: string) => words.every((word) => one.includes(word));
  const scored = operations
    .filter(({ id }) => hasAll(texts.get(id) ?? ''))
    .map((operation) => [operation, score(operation, words)] as const);
  return {
    operations: scored.toSorted(([, one], [, other]) => other - one).map(([operation]) => operation),
    schemas: view.schemas.filter((name) => hasAll(name.toLowerCase())).slice(0, MOST_SCHEMAS),
  };
}

function score({ id, path, summary, method }: ReferenceOperation, words: readonly string[]): number {
  const name = id.toLowerCase();
  const said = summary.toLowerCase();
  return words.reduce(
    (sum, word) =>
      sum +
      (name === word ? 8 : name.startsWith(word) ? 2 : 0) +
      (path.toLowerCase().split('/').includes(word) ? 3 : 0) +
      (said.split(/\W+/).includes(word) ? 2 : 0) +
      (method.toLowerCase() === word ? 2 : 0),
    -path.length / 1000,
  );
}

export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** A text with the words of a search marked. */
export function marked(text: string, words: readonly string[]): ComponentChild {
  if (words.length === 0) return text;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'i'))
    .map((part, index) => (index % 2 === 1 ? h('mark', { key: index }, part) : part));
}
