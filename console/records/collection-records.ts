import { Fragment, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { admin } from '../shell/admin.ts';
import { button, choice, searchField, skeleton } from '../shell/controls.ts';
import { useKeys, useListKeys } from '../shell/keys.ts';
import { attempt, Confirm, notify, notifyFailure } from '../shell/messages.ts';
import { goTo } from '../shell/place.ts';
import type { CollectionView } from '../wire.ts';
import { RecordFiles, saveRecords } from './record-files.ts';
import { RecordForm } from './record-form.ts';
import { columnsOf, Pager, RecordTable } from './record-table.ts';
import { type KeptRecord, type RecordsQuery, useRecords } from './records-query.ts';

interface CollectionProps {
  /** Of the collection, with the ids of parents where they are known. */
  readonly path: string;
  readonly collection: CollectionView;
  readonly collections: readonly CollectionView[];
  /** The id of the record that is shown. */
  readonly opened: string | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** A form: of a record that is there, of a new one, or of a copy. */
interface Editing {
  readonly kept: KeptRecord | undefined;
  readonly first?: Readonly<Record<string, unknown>>;
}

/** The records of one collection, a page of them at a time, and what can be done with them. */
export function CollectionRecords({ path, collection, collections, opened }: CollectionProps) {
  const { name } = collection;
  const [query, setQuery] = useState<RecordsQuery>({
    collection: path,
    offset: 0,
    limit: 50,
    filter: '',
    member: '',
    sort: '',
  });
  const [editing, setEditing] = useState<Editing | undefined>(undefined);
  const [removing, setRemoving] = useState<readonly string[] | undefined>(undefined);
  const [selected, setSelected] = useState(NONE);
  const [current, setCurrent] = useState(-1);
  const [isWide, setWide] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const { part, problem } = useRecords(query);
  const records = part?.records ?? [];

  useKeys('Records', {
    n: ['Add a record', () => setEditing({ kept: undefined })],
    x: ['Select the row', () => select(records[current])],
  });
  useListKeys('Rows', {
    onMove: (step) => setCurrent(Math.max(0, Math.min(records.length - 1, current + step))),
    onOpen: () => {
      const kept = records[current];
      if (kept) setEditing({ kept });
    },
  });

  function select(kept: KeptRecord | undefined): void {
    if (!kept) return;
    const next = new Set(selected);
    if (!next.delete(String(kept.id))) next.add(String(kept.id));
    setSelected(next);
  }

  // The row that the keys are at is always seen.
  useEffect(() => card.current?.querySelector('tr.current')?.scrollIntoView({ block: 'nearest' }), [current]);

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

  // A link leads to one record, which may be on any page.
  useEffect(() => {
    if (opened === undefined || opened === '') return;
    let isShown = true;
    findRecord(path, opened).then((kept) => {
      if (!isShown) return;
      if (kept) setEditing({ kept });
      else notify(`There is no record ${opened} in ${path}.`, true);
    }, notifyFailure);
    return () => {
      isShown = false;
    };
  }, [opened]);

  function close(): void {
    setEditing(undefined);
    if (opened !== undefined) goTo(['records', path], true);
  }

  async function remove(ids: readonly string[]): Promise<void> {
    setRemoving(undefined);
    const done = ids.length === 1 ? `Record ${ids[0]} was removed.` : `${ids.length} records were removed.`;
    await attempt(async () => {
      // A query has its limit.
      for (let start = 0; start < ids.length; start += 100) {
        const more = ids.slice(start + 1, start + 100).map((id) => `&id=${encodeURIComponent(id)}`);
        const endpoint = `records?id=${encodeURIComponent(ids[start] as string)}${more.join('')}`;
        await admin(endpoint, { method: 'DELETE', query: { collection: path } });
      }
      setSelected(NONE);
    }, done);
  }

  /** A form for one; several are added at once. */
  async function duplicate(kept: readonly KeptRecord[]): Promise<void> {
    const [first] = kept;
    if (!first) return;
    if (kept.length === 1) return setEditing({ kept: undefined, first: withoutIdentity(collection, first) });
    const body = kept.map((one) => withoutIdentity(collection, one));
    await attempt(async () => {
      await admin('records', { method: 'POST', query: { collection: path }, body });
      setSelected(NONE);
    }, `${kept.length} records were added.`);
  }

  const chosen = records.filter(({ id }) => selected.has(String(id)));
  const save = (form: 'json' | 'jsonl') =>
    saveRecords(
      chosen.map(({ record }) => record),
      path,
      form,
    );
  return h(Fragment, {}, [
    h('div', { class: 'page-head' }, [
      h(RecordFilter, { collection, query, onChange: setQuery }),
      h('div', { class: 'toolbar add-record' }, [
        h(RecordFiles, { path }),
        button('Add record', () => setEditing({ kept: undefined }), { class: 'primary', icon: 'add' }),
      ]),
    ]),
    problem !== undefined && h('p', { class: 'problem', role: 'alert' }, problem),
    !part && problem === undefined && h('div', { class: 'card' }, skeleton(12)),
    part &&
      h('div', { ref: card, class: 'card records-card' }, [
        h('div', { class: selected.size > 0 ? 'toolbar selection some' : 'toolbar selection' }, [
          selected.size > 0
            ? [
                h('span', { class: 'count', role: 'status' }, `${selected.size} selected`),
                button('Duplicate', () => duplicate(chosen), { icon: 'copy' }),
                button('Export as JSON', () => save('json'), { icon: 'download' }),
                button('Export as lines', () => save('jsonl'), { icon: 'download' }),
                button('Remove', () => setRemoving([...selected]), { class: 'danger', icon: 'remove' }),
                button('Clear selection', () => setSelected(NONE)),
              ]
            : h(ColumnSwitch, { hidden: columnsOf(collection, records).hidden, isWide, onSwitch: setWide }),
        ]),
        part.records.length > 0
          ? h(RecordTable, {
              ...{ collection, records, all: collections, selected, current, isWide, sort: query.sort },
              onSort: (sort) => setQuery({ ...query, offset: 0, sort }),
              onSelect: setSelected,
              onEdit: (kept) => setEditing({ kept }),
              onDuplicate: (kept) => void duplicate([kept]),
              onRemove: ({ id }) => setRemoving([String(id)]),
            })
          : h(NoRecords, { isFiltered: part.query.filter !== '' }),
        h(Pager, {
          offset: part.query.offset,
          limit: part.query.limit,
          total: part.total,
          onMove: (offset, limit) => {
            setSelected(NONE);
            setCurrent(-1);
            setQuery({ ...query, offset, limit });
          },
        }),
      ]),
    editing &&
      h(RecordForm, {
        collection,
        ...{ path, kept: editing.kept, first: editing.first },
        key: String(editing.kept?.id ?? ''),
        onClose: close,
      }),
    removing &&
      h(Confirm, {
        title: removing.length === 1 ? `Remove record ${removing[0]}?` : `Remove ${removing.length} records?`,
        text: `Deleted from ${name}. Later requests get a 404.`,
        action: 'Remove',
        onConfirm: () => remove(removing),
        onClose: () => setRemoving(undefined),
      }),
  ]);
}

/** A record without what the service sets. */
function withoutIdentity({ id, members }: CollectionView, { record }: KeptRecord) {
  const own = new Set(members.filter(({ readOnly }) => readOnly).map(({ name }) => name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== id && !own.has(name)));
}

/** The record with an id; undefined: there is none. */
async function findRecord(collection: string, id: string): Promise<KeptRecord | undefined> {
  const query = { collection, id };
  const { records } = await admin<{ readonly records: readonly KeptRecord[] }>('records', { query });
  return records[0];
}

interface SwitchProps {
  /** How many columns are not shown. */
  readonly hidden: number;
  readonly isWide: boolean;
  readonly onSwitch: (isWide: boolean) => void;
}

function ColumnSwitch({ hidden, isWide, onSwitch }: SwitchProps) {
  if (hidden === 0 && !isWide) return null;
  const text = isWide ? 'Show fewer columns' : `Show ${hidden} more ${hidden === 1 ? 'column' : 'columns'}`;
  return button(text, () => onSwitch(!isWide), { class: 'quiet small' });
}

interface FilterProps {
  readonly collection: CollectionView;
  readonly query: RecordsQuery;
  readonly onChange: (query: RecordsQuery) => void;
}

function RecordFilter({ collection: { members }, query, onChange }: FilterProps) {
  return h('div', { class: 'filters', role: 'search', 'aria-label': 'Filter records' }, [
    choice(
      query.member,
      [['', 'Any field'], ...members.map(({ name }) => name)],
      (member) => onChange({ ...query, offset: 0, member }),
      { 'aria-label': 'Field' },
    ),
    searchField('Search', query.filter, (filter) => onChange({ ...query, offset: 0, filter })),
  ]);
}

function NoRecords({ isFiltered }: { readonly isFiltered: boolean }) {
  return h('div', { class: 'empty' }, [
    h('strong', {}, isFiltered ? 'No records match the filter' : 'No records'),
  ]);
}
