import { Fragment, h, type TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AdminError, admin, adminText } from '../shell/admin.ts';
import type { PageProps } from '../shell/app.ts';
import { contract } from '../shell/contract.ts';
import { button, choice, emptyCard, pageHead } from '../shell/controls.ts';
import { useKeys } from '../shell/keys.ts';
import { Confirm, Dialog, notify, notifyFailure } from '../shell/messages.ts';
import { goTo, SESSION } from '../shell/place.ts';
import { useValue } from '../shell/value.ts';
import type { CollectionView } from '../wire.ts';
import { RecordForm } from './record-form.ts';
import { type KeptRecord, Pager, type RecordsQuery, RecordTable, useRecords } from './record-table.ts';

/** The records of one collection, a page of them at a time. */
export function RecordsPage({ steps: [wanted] }: PageProps) {
  const served = useValue(contract);
  if (!served) return null;
  const { collections } = served;
  const collection = collections.find(({ name }) => name === wanted) ?? collections[0];
  return h(
    'div',
    { class: 'records' },
    pageHead(
      'Records',
      collection && h(CollectionChoice, { collections, current: collection }),
      h('div', { class: 'toolbar state-actions' }, h(StateActions, {})),
    ),
    collection
      ? h(CollectionRecords, { key: collection.name, collection })
      : emptyCard('The document has no collections'),
  );
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

  useKeys('Records', { n: ['Add a record', () => setEditing('new')] });

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
      notifyFailure(error);
    }
  }

  return h(
    Fragment,
    {},
    h(
      'div',
      { class: 'page-head' },
      h(RecordFilter, { collection, query, onChange: setQuery }),
      button('Add record', () => setEditing('new'), { class: 'primary add-record' }),
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
        text: `It is deleted from ${name}. Requests for it then get the documented response for a missing record.`,
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
    choice(
      query.member,
      [['', 'Any field'], ...members.map(({ name }) => name)],
      (member) => onChange({ ...query, offset: 0, member }),
      { 'aria-label': 'Field' },
    ),
    h('input', {
      type: 'search',
      'aria-label': 'Search',
      placeholder: 'Search',
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
    h('strong', {}, isFiltered ? 'No records match the filter' : 'No records'),
  );
}

type Details = AdminError['details'];

/** How many problems of a refused snapshot are listed. */
const MOST_SHOWN = 50;

/** Snapshot down and up, and reset: what concerns the records of all collections. */
function StateActions() {
  const picker = useRef<HTMLInputElement>(null);
  const [isResetting, setResetting] = useState(false);
  const [problems, setProblems] = useState<Details | undefined>(undefined);

  async function restore(event: TargetedEvent<HTMLInputElement>): Promise<void> {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    try {
      await admin('state', { method: 'PUT', body: await file.text() });
      notify(`Records restored from ${file.name}.`);
    } catch (error) {
      const details = error instanceof AdminError ? error.details : [];
      if (details.length > 0) setProblems(details);
      else notifyFailure(error);
    } finally {
      // The same file may be chosen again.
      input.value = '';
    }
  }

  async function reset(): Promise<void> {
    setResetting(false);
    try {
      await admin('reset', { method: 'POST' });
      notify('Records, rules, request log and clock were reset.');
    } catch (error) {
      notifyFailure(error);
    }
  }

  return h(
    Fragment,
    {},
    button('Snapshot', download, { title: 'Download all records as a file' }),
    button('Restore', () => picker.current?.click(), {
      title: 'Replace all records with those of a snapshot',
    }),
    h('input', {
      ref: picker,
      type: 'file',
      accept: '.json,.yaml,.yml',
      hidden: true,
      'aria-label': 'Snapshot file',
      onChange: restore,
    }),
    button('Reset', () => setResetting(true), { class: 'danger' }),
    isResetting &&
      h(Confirm, {
        title: 'Reset this session?',
        text: 'All records return to their initial state. Rules, request log and clock are reset as well.',
        action: 'Reset',
        onConfirm: reset,
        onClose: () => setResetting(false),
      }),
    problems && h(Refused, { problems, onClose: () => setProblems(undefined) }),
  );
}

async function download(): Promise<void> {
  try {
    const blob = new Blob([await adminText('state')], { type: 'application/json' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = SESSION === '' ? 'paddock-state.json' : `paddock-state-${SESSION}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    notifyFailure(error);
  }
}

function Refused({ problems, onClose }: { readonly problems: Details; readonly onClose: () => void }) {
  const rest = problems.length - MOST_SHOWN;
  return h(
    Dialog,
    { title: 'The snapshot was not restored', onClose },
    h('p', {}, 'It does not match the document. No record was changed.'),
    h(
      'ul',
      { class: 'problems listed' },
      problems
        .slice(0, MOST_SHOWN)
        .map(({ where, message }) =>
          h('li', { key: `${where} ${message}` }, h('code', {}, `line ${where}`), ' ', message),
        ),
      rest > 0 && h('li', {}, `and ${rest} more`),
    ),
    h('div', { class: 'dialog-actions' }, button('Close', onClose, { class: 'primary' })),
  );
}
