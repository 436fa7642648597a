import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { button, choice, columnHeading, table } from '../shell/controls.ts';
import { stringifyJson } from '../shell/exact-json.ts';
import type { CollectionView } from '../wire.ts';

/** What of a collection is shown. */
export interface RecordsQuery {
  readonly collection: string;
  readonly offset: number;
  readonly limit: number;
  readonly filter: string;
  /** The member that the filter looks at; empty: all. */
  readonly member: string;
}

export interface KeptRecord {
  readonly id: string | number | bigint;
  readonly record: Readonly<Record<string, unknown>>;
  /** The path of its collection. */
  readonly path: string;
}

interface RecordsPart {
  /** Of the query that it answers. */
  readonly query: RecordsQuery;
  /** On all pages. */
  readonly total: number;
  readonly records: readonly KeptRecord[];
}

/** Milliseconds to wait for the next key, or for further changes. */
const PATIENCE = 150;

/** What the mock has of it, asked again whenever records change; undefined until it is known. */
export function useRecords(query: RecordsQuery): { readonly part?: RecordsPart; readonly problem?: string } {
  const [state, setState] = useState<{ part?: RecordsPart; problem?: string }>({});
  const [change, setChange] = useState(0);
  useEffect(() => onRecordsChanged(() => setChange((count) => count + 1)), []);

  const { collection, offset, limit, filter, member } = query;
  useEffect(() => {
    let isWanted = true;
    const asking = setTimeout(async () => {
      const text = { collection, filter, member, offset: String(offset), limit: String(limit) };
      try {
        const part = await admin<Omit<RecordsPart, 'query'>>('records', { query: text });
        if (isWanted) setState({ part: { ...part, query } });
      } catch (error) {
        // What was shown stays.
        if (isWanted) setState(({ part }) => ({ ...(part && { part }), problem: explainFailure(error) }));
      }
    }, PATIENCE);
    return () => {
      isWanted = false;
      clearTimeout(asking);
    };
  }, [collection, offset, limit, filter, member, change]);
  return state;
}

/** Milliseconds between two looks while clients write all the time. */
const PAUSE = 700;

/** Calls some time after records may have changed. */
function onRecordsChanged(listener: () => void): () => void {
  let planned: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    planned ??= setTimeout(() => {
      planned = undefined;
      listener();
    }, PAUSE);
  };
  const stops = [
    onOpen(listener),
    onEvent('records', listener),
    onEvent('state', listener),
    onEvent('reset', listener),
    // A reload removes what does not fit, and seeds anew.
    onEvent('document', listener),
    onEvent('request', (data) => {
      // Most requests read: their JSON need not be parsed to see it.
      if (!/"method":"(?:GET|HEAD|OPTIONS)"/.test(data)) plan();
    }),
  ];
  return () => {
    clearTimeout(planned);
    for (const stop of stops) stop();
  };
}

interface RecordTableProps {
  readonly collection: CollectionView;
  readonly records: readonly KeptRecord[];
  readonly onEdit: (record: KeptRecord) => void;
  readonly onRemove: (record: KeptRecord) => void;
}

export function RecordTable({ collection, records, onEdit, onRemove }: RecordTableProps) {
  const { id, members, name } = collection;
  const isNested = name.includes('{');
  const columns = columnsOf(collection, records);
  const types = new Map(members.map((member) => [member.name, member.type]));
  const alignment = (column: string) =>
    /^(?:integer|number)$/.test(types.get(column) ?? '') ? 'number' : '';
  return table(
    `Records of ${name}`,
    [
      columnHeading(id ?? 'id', 'number'),
      isNested && columnHeading('path'),
      columns.map((column) => columnHeading(column, alignment(column))),
      h('th', { scope: 'col', class: 'row-actions' }, h('span', { class: 'visually-hidden' }, 'Actions')),
    ],
    records.map((kept) =>
      h(
        'tr',
        { key: String(kept.id) },
        h('th', { scope: 'row', class: 'number' }, String(kept.id)),
        isNested && h('td', { class: 'mono' }, kept.path),
        columns.map((column) =>
          h('td', { key: column, class: alignment(column) }, h(Cell, { value: kept.record[column] })),
        ),
        h(
          'td',
          { class: 'row-actions' },
          button('Edit', () => onEdit(kept), { class: 'quiet small', 'aria-label': `Edit ${kept.id}` }),
          button('Remove', () => onRemove(kept), {
            class: 'quiet small danger',
            'aria-label': `Remove ${kept.id}`,
          }),
        ),
      ),
    ),
    '',
  );
}

/** The members that the document names, then whatever else the records of this page have. */
function columnsOf({ id, members, open }: CollectionView, records: readonly KeptRecord[]): string[] {
  const others = open ? records.flatMap(({ record }) => Object.keys(record)) : [];
  return [...new Set([...members.map(({ name }) => name), ...others])].filter((name) => name !== id);
}

/** Characters; the dialog shows the whole. */
const LONGEST = 120;

function Cell({ value }: { readonly value: unknown }) {
  if (value === undefined) return h('span', { class: 'absent', title: 'not set' }, '–');
  if (value === null) return h('span', { class: 'absent' }, 'null');
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const isLiteral = typeof value === 'object' || typeof value === 'boolean';
  return h(
    'span',
    { class: isLiteral ? 'cell mono' : 'cell', title: text.length > 30 ? text.slice(0, 1000) : undefined },
    text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text,
  );
}

interface PagerProps {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly onMove: (offset: number, limit: number) => void;
}

const SIZES = ['25', '50', '100', '200'];

export function Pager({ offset, limit, total, onMove }: PagerProps) {
  const last = Math.max(0, Math.floor((total - 1) / limit) * limit);
  const step = (text: string, to: number, isPossible: boolean) =>
    button(text, () => onMove(to, limit), { class: 'pager-step', disabled: !isPossible });
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages of records' },
    h('span', { class: 'count', role: 'status' }, rangeText(offset, limit, total)),
    h(
      'label',
      { class: 'page-size' },
      h('span', {}, 'per page'),
      choice(String(limit), SIZES, (size) => onMove(0, Number(size)), {}),
    ),
    h(
      'div',
      { class: 'pager-steps' },
      step('First', 0, offset > 0),
      step('Previous', Math.max(0, offset - limit), offset > 0),
      step('Next', offset + limit, offset + limit < total),
      step('Last', last, offset < last),
    ),
  );
}

const NUMBER = new Intl.NumberFormat('en');

function rangeText(offset: number, limit: number, total: number): string {
  if (total === 0) return 'No records';
  const end = Math.min(offset + limit, total);
  return `${NUMBER.format(offset + 1)}–${NUMBER.format(end)} of ${NUMBER.format(total)}`;
}
