import { Fragment, h, type TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { Confirm } from '../shell/dialog.ts';
import { notify } from '../shell/notice.ts';
import type { PageProps } from '../shell/page.ts';
import { goTo } from '../shell/place.ts';
import { useValue } from '../shell/value.ts';
import type { CollectionView } from '../wire.ts';
import { Pager } from './pager.ts';
import { RecordForm } from './record-form.ts';
import { RecordTable } from './record-table.ts';
import { type KeptRecord, type RecordsQuery, useRecords } from './records-query.ts';
import { StateActions } from './state-actions.ts';

/** The records of one collection, a page of them at a time. */
export function RecordsPage({ steps: [wanted] }: PageProps) {
  const served = useValue(contract);
  if (!served) return null;
  const { collections } = served;
  const collection = collections.find(({ name }) => name === wanted) ?? collections[0];
  return h(
    'div',
    { class: 'records' },
    h(
      'div',
      { class: 'page-head' },
      h('h2', {}, 'Records'),
      collection && h(CollectionChoice, { collections, current: collection }),
      h('div', { class: 'toolbar state-actions' }, h(StateActions, {})),
    ),
    collection
      ? h(CollectionRecords, { key: collection.name, collection })
      : h('div', { class: 'card empty' }, h('strong', {}, 'The document has no collection')),
  );
}

interface ChoiceProps {
  readonly collections: readonly CollectionView[];
  readonly current: CollectionView;
}

function CollectionChoice({ collections, current }: ChoiceProps) {
  return h(
    'select',
    {
      class: 'collection-choice mono',
      'aria-label': 'Collection',
      value: current.name,
      onChange: (event: TargetedEvent<HTMLSelectElement>) => goTo(['records', event.currentTarget.value]),
    },
    collections.map(({ name }) => h('option', { key: name, value: name }, name)),
  );
}

function CollectionRecords({ collection }: { readonly collection: CollectionView }) {
  const { name } = collection;
  const [query, setQuery] = useState<RecordsQuery>({
    collection: name,
    offset: 0,
    limit: 50,
    filter: '',
    member: '',
  });
  const [editing, setEditing] = useState<KeptRecord | 'new' | undefined>(undefined);
  const [removing, setRemoving] = useState<KeptRecord | undefined>(undefined);
  const { part, problem } = useRecords(query);

  // A changed document may have lost the member.
  useEffect(() => {
    if (query.member !== '' && !collection.members.some(({ name: own }) => own === query.member))
      setQuery({ ...query, offset: 0, member: '' });
  }, [collection]);

  // The last page may have lost its last record.
  useEffect(() => {
    if (part && part.total > 0 && part.records.length === 0 && part.query === query && query.offset > 0)
      setQuery({ ...query, offset: Math.floor((part.total - 1) / query.limit) * query.limit });
  }, [part]);

  async function remove({ id }: KeptRecord): Promise<void> {
    setRemoving(undefined);
    try {
      await admin('records', { method: 'DELETE', query: { collection: name, id: String(id) } });
      notify(`Record ${id} was removed.`);
    } catch (error) {
      notify(explainFailure(error), true);
    }
  }

  return h(
    Fragment,
    {},
    h(
      'div',
      { class: 'page-head' },
      h(RecordFilter, { collection, query, onChange: setQuery }),
      h(
        'button',
        { class: 'button primary add-record', type: 'button', onClick: () => setEditing('new') },
        'Add record',
      ),
    ),
    problem !== undefined && h('p', { class: 'problem', role: 'alert' }, problem),
    part &&
      h(
        'div',
        { class: 'card records-card' },
        part.records.length > 0
          ? h(RecordTable, { collection, records: part.records, onEdit: setEditing, onRemove: setRemoving })
          : h(NoRecords, { isFiltered: part.query.filter !== '' }),
        h(Pager, {
          offset: part.query.offset,
          limit: part.query.limit,
          total: part.total,
          onMove: (offset, limit) => setQuery({ ...query, offset, limit }),
        }),
      ),
    editing &&
      h(RecordForm, {
        collection,
        kept: editing === 'new' ? undefined : editing,
        onClose: () => setEditing(undefined),
      }),
    removing &&
      h(Confirm, {
        title: `Remove record ${removing.id}?`,
        text: `It is taken out of ${name}. Clients then get what the document says of a missing record.`,
        action: 'Remove',
        onConfirm: () => remove(removing),
        onClose: () => setRemoving(undefined),
      }),
  );
}

interface FilterProps {
  readonly collection: CollectionView;
  readonly query: RecordsQuery;
  readonly onChange: (query: RecordsQuery) => void;
}

function RecordFilter({ collection: { members }, query, onChange }: FilterProps) {
  return h(
    'div',
    { class: 'filters', role: 'search', 'aria-label': 'Filter records' },
    h(
      'select',
      {
        'aria-label': 'Member',
        value: query.member,
        onChange: (event: TargetedEvent<HTMLSelectElement>) =>
          onChange({ ...query, offset: 0, member: event.currentTarget.value }),
      },
      h('option', { value: '' }, 'Any member'),
      members.map(({ name }) => h('option', { key: name, value: name }, name)),
    ),
    h('input', {
      type: 'search',
      'aria-label': 'Text',
      placeholder: 'Text in a value',
      value: query.filter,
      onInput: (event: TargetedEvent<HTMLInputElement>) =>
        onChange({ ...query, offset: 0, filter: event.currentTarget.value }),
    }),
  );
}

function NoRecords({ isFiltered }: { readonly isFiltered: boolean }) {
  return h(
    'div',
    { class: 'empty' },
    h('strong', {}, isFiltered ? 'No record matches the filter' : 'No record'),
  );
}
