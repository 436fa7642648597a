import { h, type TargetedEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useKeys } from '../shell/keys.ts';
import { goTo, linkTo } from '../shell/place.ts';
import { createValue, useValue } from '../shell/value.ts';
import type { ReferenceOperation } from '../wire.ts';
import { shortMethodTag } from './labels.ts';
import type { Listing } from './model.ts';
import { marked, searchReference, wordsOf } from './search.ts';

interface ReferenceListProps {
  readonly listing: Listing;
  /** The steps of the address. */
  readonly steps: readonly string[];
}

/** Stays while other pages of the reference are shown. */
const search = createValue('');

/** Everything that the document has, by tag, or what a search has found. */
export function ReferenceList({ listing, steps }: ReferenceListProps) {
  const text = useValue(search);
  const words = wordsOf(text);
  const found = useMemo(() => searchReference(listing, text), [listing, text]);
  const box = useRef<HTMLElement>(null);
  const [kind, name] = steps;
  const selected = kind === 'operations' ? name : undefined;

  useEffect(() => {
    box.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  function move(step: 1 | -1): void {
    const at = found.operations.findIndex(({ id }) => id === selected);
    const next = found.operations[at < 0 ? (step > 0 ? 0 : found.operations.length - 1) : at + step];
    if (next) goTo(['operations', next.id], selected !== undefined);
  }
  useKeys('API reference', {
    'j ArrowDown': ['Next operation', () => move(1)],
    'k ArrowUp': ['Previous operation', () => move(-1)],
    Escape: ['Clear the search', () => search.set('')],
  });

  function onKey(event: KeyboardEvent): void {
    const [first] = found.operations;
    const [schema] = found.schemas;
    if (event.key !== 'Enter') return;
    if (first) goTo(['operations', first.id]);
    else if (schema) goTo(['schemas', schema]);
  }

  const link = (steps: readonly string[], ...children: Parameters<typeof h>[2][]) =>
    h('a', { href: linkTo(...steps), 'aria-current': isAt(steps) ? 'page' : undefined }, ...children);
  const isAt = (own: readonly string[]) =>
    own.length === steps.filter(Boolean).length && own.every((step, index) => step === steps[index]);
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
    h('input', {
      type: 'search',
      'aria-label': 'Search operations and schemas',
      placeholder: 'Search operations, schemas',
      autocomplete: 'off',
      spellcheck: false,
      value: text,
      onInput: (event: TargetedEvent<HTMLInputElement>) => search.set(event.currentTarget.value),
      onKeyDown: onKey,
    }),
    h('p', { class: 'visually-hidden', role: 'status' }, text === '' ? '' : countText(found)),
    words.length > 0
      ? h('div', { class: 'reference-list' }, [
          h('h2', {}, countText(found)),
          h('ul', {}, found.operations.map(row)),
          found.schemas.length > 0 && h('h2', {}, 'Schemas'),
          h('ul', {}, [
            found.schemas.map((one) =>
              h('li', { key: one }, link(['schemas', one], h('code', {}, marked(one, words)))),
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
  const some = `${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}`;
  return schemas.length > 0
    ? `${some}, ${schemas.length} ${schemas.length === 1 ? 'schema' : 'schemas'}`
    : some;
}
