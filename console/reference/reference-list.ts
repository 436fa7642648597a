import { type ComponentChild, h } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { textInput } from '../shell/controls.ts';
import { useKeys } from '../shell/keys.ts';
import { shortMethodTag } from '../shell/labels.ts';
import { goTo, linkTo } from '../shell/place.ts';
import { createValue, useValue } from '../shell/value.ts';
import { count } from '../shell/words.ts';
import type { ReferenceOperation } from '../wire.ts';
import type { Listing } from './model.ts';

interface ReferenceListProps {
  readonly listing: Listing;
  readonly steps: readonly string[];
}

/** Kept while other pages of the reference are shown. */
const search = createValue('');

/** Everything in the document, by tag, or the results of a search. */
export function ReferenceList({ listing, steps }: ReferenceListProps) {
  const text = useValue(search);
  const words = wordsOf(text);
  const results = useMemo(() => searchReference(listing, text), [listing, text]);
  const box = useRef<HTMLElement>(null);
  const [kind, name] = steps;
  const selected = kind === 'operations' ? name : undefined;

  useEffect(() => {
    box.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  function move(step: 1 | -1): void {
    const at = results.operations.findIndex(({ id }) => id === selected);
    const next = results.operations[at < 0 ? (step > 0 ? 0 : results.operations.length - 1) : at + step];
    if (next) goTo(['operations', next.id], selected !== undefined);
  }
  useKeys('API reference', {
    'j ArrowDown': ['Next operation', () => move(1)],
    'k ArrowUp': ['Previous operation', () => move(-1)],
    Escape: ['Clear the search', () => search.set('')],
  });

  function onKey(event: KeyboardEvent): void {
    const [first] = results.operations;
    const [schema] = results.schemas;
    if (event.key !== 'Enter') return;
    if (first) goTo(['operations', first.id]);
    else if (schema) goTo(['schemas', schema]);
  }

  const link = (steps: readonly string[], ...children: Parameters<typeof h>[2][]) =>
    h('a', { href: linkTo(...steps), 'aria-current': isAt(steps) ? 'page' : undefined }, ...children);
  const isAt = (target: readonly string[]) =>
    target.length === steps.filter(Boolean).length && target.every((step, index) => step === steps[index]);
  const row = (operation: ReferenceOperation) =>
    h('li', { key: operation.id, class: operation.deprecated ? 'deprecated' : undefined }, [
      link(
        ['operations', operation.id],
        shortMethodTag(operation.method),
        h('span', { class: 'operation-name' }, [
          h('span', { class: 'operation-summary' }, marked(operation.summary || operation.id, words)),
          h('code', {}, marked(operation.path, words)),
        ]),
      ),
    ]);

  return h('nav', { class: 'reference-side', 'aria-label': 'Operations and schemas', ref: box }, [
    textInput(text, search.set, {
      type: 'search',
      autocomplete: 'off',
      spellcheck: false,
      onKeyDown: onKey,
      'aria-label': 'Search operations and schemas',
      placeholder: 'Search operations, schemas',
    }),
    h('p', { class: 'visually-hidden', role: 'status' }, text === '' ? '' : countText(results)),
    words.length > 0
      ? h('div', { class: 'reference-list' }, [
          h('h2', {}, countText(results)),
          h('ul', {}, results.operations.map(row)),
          results.schemas.length > 0 && h('h2', {}, 'Schemas'),
          h('ul', {}, [
            results.schemas.map((schema) =>
              h('li', { key: schema }, link(['schemas', schema], h('code', {}, marked(schema, words)))),
            ),
          ]),
        ])
      : h('div', { class: 'reference-list' }, [
          h('ul', {}, [
            h('li', {}, link([], 'Overview')),
            listing.view.schemas.length > 0 &&
              h('li', {}, [
                link(
                  ['schemas'],
                  `Schemas`,
                  h('span', { class: 'count' }, String(listing.view.schemas.length)),
                ),
              ]),
            listing.view.webhooks > 0 &&
              h('li', {}, [
                link(['webhooks'], 'Webhooks', h('span', { class: 'count' }, String(listing.view.webhooks))),
              ]),
          ]),
          listing.groups.map(({ tag, title, operations }) =>
            h(
              'section',
              {
                key: tag,
                class: 'reference-group',
                style: { containIntrinsicSize: `auto ${32 + operations.length * 44}px` },
              },
              h('h2', {}, title, h('span', { class: 'count' }, String(operations.length))),
              h('ul', {}, operations.map(row)),
            ),
          ),
        ]),
  ]);
}

function countText({
  operations,
  schemas,
}: {
  readonly operations: readonly unknown[];
  readonly schemas: readonly unknown[];
}) {
  const some = count(operations.length, 'operation');
  return schemas.length > 0 ? `${some}, ${count(schemas.length, 'schema')}` : some;
}

/** The results of a search, the best first. */
export interface Found {
  readonly operations: readonly ReferenceOperation[];
  /** Names. */
  readonly schemas: readonly string[];
}

/** The most schemas in the results of a search. */
const MOST_SCHEMAS = 50;

/** Finds texts with all words; names that equal or begin with one come first. */
function searchReference({ operations, texts, view }: Listing, text: string): Found {
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
  const lowerSummary = summary.toLowerCase();
  return words.reduce(
    (sum, word) =>
      sum +
      (name === word ? 8 : name.startsWith(word) ? 2 : 0) +
      (path.toLowerCase().split('/').includes(word) ? 3 : 0) +
      (lowerSummary.split(/\W+/).includes(word) ? 2 : 0) +
      (method.toLowerCase() === word ? 2 : 0),
    -path.length / 1000,
  );
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function marked(text: string, words: readonly string[]): ComponentChild {
  if (words.length === 0) return text;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'i'))
    .map((part, index) => (index % 2 === 1 ? h('mark', { key: index }, part) : part));
}
