import { Fragment, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { tick } from '../scenarios/rule-fields.ts';
import { admin } from '../shell/admin.ts';
import { button, choice, disclosure, searchField, skeleton, textInput } from '../shell/controls.ts';
import { useKeys, useListKeys } from '../shell/keys.ts';
import { notify, notifyFailure } from '../shell/messages.ts';
import { goTo } from '../shell/place.ts';
import type { CollectionView, FoundRecord, FoundRecords } from '../wire.ts';
import { addCopies, addSamples, changeMember, removeRecords, withoutIdentity } from './record-actions.ts';
import { allRecords, RecordFiles, saveRecords } from './record-files.ts';
import { RecordForm } from './record-form.ts';
import { columnsOf, everyColumn, Pager, RecordTable, toggled } from './record-table.ts';
import { type RecordsQuery, useRecords } from './records-query.ts';

interface CollectionProps {
  /** The path of the collection, with the ids of parents if they are known. */
  readonly path: string;
  readonly collection: CollectionView;
  readonly collections: readonly CollectionView[];
  /** The id of the opened record. */
  readonly opened: string | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** A form: for an existing record, a new one, or a copy. */
interface Editing {
  readonly kept: FoundRecord | undefined;
  readonly first?: Readonly<Record<string, unknown>>;
}

/** A page of a collection's records, with actions on them. */
export function CollectionRecords({ path, collection, collections, opened }: CollectionProps) {
  const [query, setQuery] = useState<RecordsQuery>({
    collection: path,
    offset: 0,
    limit: 50,
    filter: '',
    member: '',
    sort: '',
  });
  const [editing, setEditing] = useState<Editing | undefined>(undefined);
  const [selected, setSelected] = useState(NONE);
  const [current, setCurrent] = useState(-1);
  const [chosenColumns, setColumns] = useState<readonly string[] | undefined>(undefined);
  const card = useRef<HTMLDivElement>(null);
  const isEntered = useRef(false);
  const { part, problem } = useRecords(query);
  const records = part?.records ?? [];

  useKeys('Records', {
    n: ['Add a record', () => edit({ kept: undefined })],
    x: ['Select the row', () => select(records[current])],
  });
  useListKeys('Rows', {
    onMove: (step) => setCurrent(Math.max(0, Math.min(records.length - 1, current + step))),
    onOpen: () => {
      const kept = records[current];
      if (kept) edit({ kept });
    },
  });

  /** A click into the table must not discard entered values. */
  function edit(next: Editing): void {
    if (isEntered.current) notify('Save or cancel the record that is open first.', true);
    else setEditing(next);
  }

  function select(kept: FoundRecord | undefined): void {
    if (kept) setSelected(toggled(selected, String(kept.id)));
  }

  // Keeps the current row visible.
  useEffect(() => card.current?.querySelector('tr.current')?.scrollIntoView({ block: 'nearest' }), [current]);

  // The document may have changed, and lost the member.
  useEffect(() => {
    if (query.member !== '' && !collection.members.some((member) => member.name === query.member))
      setQuery({ ...query, offset: 0, member: '' });
  }, [collection]);

  // The last record of the last page may have been removed.
  useEffect(() => {
    if (part && part.total > 0 && part.records.length === 0 && part.query === query && query.offset > 0)
      setQuery({ ...query, offset: Math.floor((part.total - 1) / query.limit) * query.limit });
  }, [part]);

  // A link may refer to a record on any page.
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

  const clearSelection = () => setSelected(NONE);
  const remove = (removed: readonly FoundRecord[]) => removeRecords(path, removed, clearSelection);
  const removeAll = () => allRecords(path).then(remove, notifyFailure);

  /** One record opens a form; several are added directly. */
  function duplicate(kept: readonly FoundRecord[]): void {
    const [first, ...more] = kept;
    if (first && more.length === 0) edit({ kept: undefined, first: withoutIdentity(collection, first) });
    else if (first) void addCopies(path, collection, kept, clearSelection);
  }

  const columns = chosenColumns ?? columnsOf(collection, records);
  const chosen = records.filter(({ id }) => selected.has(String(id)));
  return h(Fragment, {}, [
    h('div', { class: 'page-head' }, [
      h(RecordFilter, { collection, query, onChange: setQuery }),
      h('div', { class: 'toolbar add-record' }, [
        h(RecordFiles, { path }),
        h(AddSamples, { onAdd: (count) => addSamples(path, part?.total ?? 0, count) }),
        button('Remove all', removeAll, { class: 'danger', disabled: !part?.total }),
        button('Add record', () => edit({ kept: undefined }), { class: 'primary', icon: 'add' }),
      ]),
    ]),
    problem !== undefined && h('p', { class: 'problem', role: 'alert' }, problem),
    !part && problem === undefined && h('div', { class: 'card' }, skeleton(12)),
    h('div', { class: 'records-body' }, [
      part &&
        h('div', { ref: card, class: 'card records-card' }, [
          h('div', { class: selected.size > 0 ? 'toolbar selection some' : 'toolbar selection' }, [
            selected.size > 0
              ? [
                  h('span', { class: 'count', role: 'status' }, `${selected.size} selected`),
                  button('Duplicate', () => duplicate(chosen), { icon: 'copy' }),
                  button('Export as JSON', () => saveRecords(chosen, path, 'json'), { icon: 'download' }),
                  button('Export as lines', () => saveRecords(chosen, path, 'jsonl'), { icon: 'download' }),
                  button('Remove', () => remove(chosen), { class: 'danger', icon: 'remove' }),
                  button('Clear selection', clearSelection),
                ]
              : h(ColumnChoice, { all: everyColumn(collection, records), columns, onChoose: setColumns }),
          ]),
          part.records.length > 0
            ? h(RecordTable, {
                collection,
                records,
                all: collections,
                selected,
                current,
                columns,
                sort: query.sort,
                onSort: (sort) => setQuery({ ...query, offset: 0, sort }),
                onSelect: setSelected,
                onEdit: (kept) => edit({ kept }),
                onDuplicate: (kept) => duplicate([kept]),
                onRemove: (kept) => void remove([kept]),
                onChange: (kept, member, value) => changeMember(path, kept, member, value),
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
          path,
          kept: editing.kept,
          first: editing.first,
          key: String(editing.kept?.id ?? ''),
          onClose: close,
          onEntered: (isSo) => {
            isEntered.current = isSo;
          },
        }),
    ]),
  ]);
}

/** The record with an id. Undefined: there is none. */
async function findRecord(collection: string, id: string): Promise<FoundRecord | undefined> {
  const query = { collection, id };
  const { records } = await admin<FoundRecords>('records', { query });
  return records[0];
}

interface ColumnProps {
  readonly all: readonly string[];
  readonly columns: readonly string[];
  readonly onChoose: (columns: readonly string[]) => void;
}

function ColumnChoice({ all, columns, onChoose }: ColumnProps) {
  return disclosure(
    // The id always has a column.
    `Columns (${columns.length + 1} of ${all.length + 1})`,
    'columns',
    false,
    h('div', { class: 'card column-list', role: 'group', 'aria-label': 'Columns' }, [
      all.map((name) =>
        tick(name, columns.includes(name), (isShown) =>
          onChoose(isShown ? [...columns, name] : columns.filter((column) => column !== name)),
        ),
      ),
    ]),
  );
}

/** Adds a number of seeded records. */
function AddSamples({ onAdd }: { readonly onAdd: (count: number) => Promise<void> }) {
  const [count, setCount] = useState('5');
  const number = Math.min(100, Math.max(1, Math.trunc(Number(count)) || 1));
  return h('span', { class: 'joined' }, [
    button(`Add ${number} ${number === 1 ? 'sample' : 'samples'}`, () => void onAdd(number), {
      class: 'framed',
    }),
    textInput(count, setCount, { type: 'number', min: 1, max: 100, 'aria-label': 'Number of samples' }),
  ]);
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
