import { Fragment, h } from 'preact';
import type { PageProps } from '../shell/app.ts';
import { contract } from '../shell/contract.ts';
import { choice, emptyCard, pageHead, skeleton } from '../shell/controls.ts';
import { goTo, linkTo } from '../shell/place.ts';
import { useValue } from '../shell/value.ts';
import type { CollectionView } from '../wire.ts';
import { CollectionRecords } from './collection-records.ts';
import { StateActions } from './record-files.ts';

/** Shows the collection of `#/records/PATH`, or one record: `#/records/PATH/ID`. */
export function RecordsPage({ steps: [wanted = '', opened] }: PageProps) {
  const served = useValue(contract);
  if (!served) return h(Fragment, {}, pageHead('Records'), h('div', { class: 'card' }, skeleton()));
  const { collections } = served;
  const collection =
    collections.find(({ name }) => name === wanted) ??
    collections.find(({ name }) => isBelow(wanted, name)) ??
    collections[0];
  const path = collection && isBelow(wanted, collection.name) ? wanted : collection?.name;
  return h('div', { class: 'records' }, [
    pageHead(
      'Records',
      collection && h(CollectionChoice, { collections, current: collection }),
      path !== undefined && path !== collection?.name && h(Parents, { path, collections }),
      h('div', { class: 'toolbar state-actions' }, h(StateActions, {})),
    ),
    collection && path !== undefined
      ? h(CollectionRecords, { key: path, path, collection, collections, opened })
      : emptyCard('The document has no collections', 'Responses follow from its examples and schemas.'),
  ]);
}

/** Whether a path is a collection's, with the ids of its parents. */
function isBelow(path: string, template: string): boolean {
  const steps = path.split('/');
  const wanted = template.split('/');
  return (
    steps.length === wanted.length &&
    wanted.every((one, index) => one.startsWith('{') || one === steps[index])
  );
}

/** The parents in a path: `/shelves` › `3`. */
function Parents({
  path,
  collections,
}: {
  readonly path: string;
  readonly collections: readonly CollectionView[];
}) {
  const steps = path.split('/').slice(1);
  const names = new Set(collections.map(({ name }) => name));
  const links = steps.flatMap((_, index) => {
    const above = `/${steps.slice(0, index + 1).join('/')}`;
    const template = collections.find(({ name }) => name === above || isBelow(above, name));
    if (!template || index === steps.length - 1) return [];
    const id = steps[index + 1] ?? '';
    return [
      h('li', { key: above }, [
        h('a', { class: 'mono', href: linkTo('records', above) }, [
          names.has(above) ? above : (steps[index] ?? ''),
        ]),
      ]),
      h('li', { key: `${above}/${id}` }, [
        h('a', { class: 'mono', href: linkTo('records', above, decodeURIComponent(id)) }, [
          decodeURIComponent(id),
        ]),
      ]),
    ];
  });
  return h('nav', { 'aria-label': 'Parents', class: 'parents' }, [
    h('ol', {}, links, h('li', { class: 'mono', 'aria-current': 'page' }, steps.at(-1))),
  ]);
}

interface ChoiceProps {
  readonly collections: readonly CollectionView[];
  readonly current: CollectionView;
}

function CollectionChoice({ collections, current }: ChoiceProps) {
  const names = collections.map(({ name }) => name);
  return choice(current.name, names, (name) => goTo(['records', name]), {
    class: 'collection-choice mono',
    'aria-label': 'Collection',
  });
}
