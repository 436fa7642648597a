import { h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Control } from '../form/field.ts';
import { fieldOf } from '../form/member-value.ts';
import { button, choice, columnHeading, iconButton, table } from '../shell/controls.ts';
import { stringifyJson } from '../shell/exact-json.ts';
import { icon } from '../shell/labels.ts';
import { goTo, linkTo } from '../shell/place.ts';
import { count, inBrief } from '../shell/words.ts';
import type { CollectionView, FoundRecord, MemberView, RecordReference } from '../wire.ts';

interface RecordTableProps {
  readonly collection: CollectionView;
  readonly records: readonly FoundRecord[];
  /** The collections of the document, for links to their records. */
  readonly all: readonly CollectionView[];
  /** A member, with `-` in front descending. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** The ids of the selected records, as text. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly columns: readonly string[];
  /** Saves another value in a record. */
  readonly onChange: (record: FoundRecord, member: string, value: unknown) => Promise<void>;
  /** The index of the current row. */
  readonly current: number;
  readonly onEdit: (record: FoundRecord) => void;
  readonly onDuplicate: (record: FoundRecord) => void;
  readonly onRemove: (record: FoundRecord) => void;
}

export function RecordTable(props: RecordTableProps) {
  const { collection, records, all, sort, onSort, selected, onSelect, columns, current } = props;
  const { id, members, name, references } = collection;
  const isNested = name.includes('{');
  const [edited, setEdited] = useState<{ readonly id: string; readonly column: string } | undefined>(
    undefined,
  );
  /** A double click edits the cell instead of opening the record. */
  const opening = useRef<number | undefined>(undefined);
  const byName = new Map(members.map((member) => [member.name, member]));
  const alignment = (column: string) => {
    const { type = '', format } = byName.get(column) ?? {};
    return /^(?:integer|number)$/.test(type) && format !== UNIX_TIME ? 'number' : '';
  };
  const children = all.filter((collectionView) => collectionView.name.startsWith(`${name}/{`));
  const ids = records.map((kept) => String(kept.id));
  const areAll = ids.length > 0 && ids.every((one) => selected.has(one));
  const heading = (column: string, kind: string) =>
    h(SortHeading, { key: column, column, kind, sort, onSort });
  return table(
    `Records of ${name}`,
    [
      h('th', { scope: 'col', class: 'row-check' }, [
        h('input', {
          type: 'checkbox',
          'aria-label': 'Select all on this page',
          checked: areAll,
          onChange: () => onSelect(areAll ? new Set() : new Set([...selected, ...ids])),
        }),
      ]),
      heading(id ?? 'id', 'id'),
      isNested && columnHeading('path'),
      columns.map((column) => heading(column, alignment(column))),
      h('th', { scope: 'col', class: 'row-actions' }, h('span', { class: 'visually-hidden' }, 'Actions')),
    ],
    records.map((kept, index) => {
      const rowId = String(kept.id);
      return h(
        'tr',
        {
          key: rowId,
          class: index === current ? 'current' : selected.has(rowId) ? 'selected' : undefined,
          onClick: (event: MouseEvent) => {
            clearTimeout(opening.current);
            if ((event.target as Element).closest('a, button, input, select, textarea, summary')) return;
            if (event.detail === 1)
              opening.current = setTimeout(() => props.onEdit(kept), DOUBLE) as unknown as number;
          },
        },
        h('td', { class: 'row-check' }, [
          h('input', {
            type: 'checkbox',
            'aria-label': `Select ${rowId}`,
            checked: selected.has(rowId),
            onChange: () => onSelect(toggled(selected, rowId)),
          }),
        ]),
        h('th', { scope: 'row', class: 'id' }, rowId),
        isNested && h('td', { class: 'mono' }, kept.path),
        columns.map((column) =>
          h(
            'td',
            {
              key: column,
              class: alignment(column),
              onDblClick: () =>
                isPlain(kept.record[column]) ? setEdited({ id: rowId, column }) : props.onEdit(kept),
            },
            edited?.id === rowId && edited.column === column
              ? h(CellEditor, {
                  member: byName.get(column) ?? fieldOf(column),
                  value: kept.record[column],
                  reference: references.find(({ member }) => member === column)?.collection,
                  onClose: () => setEdited(undefined),
                  onKeep: (value) => props.onChange(kept, column, value),
                })
              : h(Cell, {
                  value: kept.record[column],
                  format: byName.get(column)?.format,
                  reference: references.find(({ member }) => member === column),
                }),
          ),
        ),
        h('td', { class: 'row-actions' }, [
          h(Related, {
            id: rowId,
            links: children.map((child): [string, string] => [
              child.name.slice(child.name.lastIndexOf('/') + 1),
              childPath(child.name, name, kept),
            ]),
          }),
          iconButton('edit', `Edit ${rowId}`, () => props.onEdit(kept), { class: 'small' }),
          iconButton('copy', `Duplicate ${rowId}`, () => props.onDuplicate(kept), { class: 'small' }),
          iconButton('remove', `Remove ${rowId}`, () => props.onRemove(kept), { class: 'small danger' }),
        ]),
      );
    }),
    '',
  );
}

/** Milliseconds between the clicks of a double click. */
const DOUBLE = 250;

const isPlain = (value: unknown) => typeof value !== 'object' || value === null;

interface CellEditorProps {
  readonly member: MemberView;
  readonly value: unknown;
  /** The collection to whose records it refers. */
  readonly reference: string | undefined;
  readonly onKeep: (value: unknown) => Promise<void>;
  readonly onClose: () => void;
}

/** Enter and leaving the field save the value; Escape does not. */
function CellEditor({ member, value, reference, onKeep, onClose }: CellEditorProps) {
  const [entered, setEntered] = useState(value);
  const box = useRef<HTMLDivElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  function end(isKept: boolean): void {
    if (isOver.current) return;
    isOver.current = true;
    onClose();
    if (isKept && entered !== value) onKeep(entered);
  }
  return h(
    'div',
    {
      ref: box,
      class: 'cell-editor',
      onFocusOut: () => end(true),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        end(event.key === 'Enter');
      },
    },
    h(Control, {
      form: { name: 'cell', problems: [], referenceAt: () => reference },
      field: member,
      at: '',
      value: entered,
      onChange: setEntered,
      attributes: { 'aria-label': member.name, id: 'cell' },
    }),
  );
}

interface RelatedProps {
  readonly id: string;
  readonly links: readonly (readonly [name: string, path: string])[];
}

/** The collections below a record: one as a link, several as a menu. */
function Related({ id, links }: RelatedProps) {
  const [first] = links;
  if (first && links.length === 1)
    return h('a', { class: 'button small', href: linkTo('records', first[1]) }, first[0]);
  return first
    ? choice(
        '',
        [['', 'Related'], ...links.map(([name, path]) => [path, name] as const)],
        (path) => goTo(['records', path]),
        {
          class: 'related',
          'aria-label': `Related to ${id}`,
        },
      )
    : null;
}

export function toggled(all: ReadonlySet<string>, one: string): ReadonlySet<string> {
  const next = new Set(all);
  if (!next.delete(one)) next.add(one);
  return next;
}

/** `/shelves/3/books`, for the record 3 of `/shelves`. */
function childPath(child: string, name: string, { id, path }: FoundRecord): string {
  return `${path}/${encodeURIComponent(String(id))}${child.slice(child.indexOf('}', name.length) + 1)}`;
}

interface HeadingProps extends Pick<RecordTableProps, 'sort' | 'onSort'> {
  readonly column: string;
  readonly kind: string;
}

/** Sorts by its column: ascending, descending, and in list order. */
function SortHeading({ column, kind, sort, onSort }: HeadingProps) {
  const direction = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined;
  const next = direction === undefined ? column : direction === 'ascending' ? `-${column}` : '';
  return h('th', { scope: 'col', class: kind, 'aria-sort': direction }, [
    h('button', { type: 'button', class: 'sort', onClick: () => onSort(next) }, [
      column,
      direction && icon(direction === 'ascending' ? 'up' : 'down'),
    ]),
  ]);
}

/** All members that the document names, then others in the records of this page. */
export function everyColumn(
  { id, members, open }: CollectionView,
  records: readonly FoundRecord[],
): string[] {
  const others = open ? records.flatMap(({ record }) => Object.keys(record)) : [];
  return [...new Set([...members.map(({ name }) => name), ...others])].filter((name) => name !== id);
}

/** In characters; the dialog shows the full value. */
const LONGEST = 120;

/** The path of seeded pictures: the stored host differs from the address that clients see. */
const SEEDED = /^https?:\/\/[^/]+(\/__paddock\/pictures\/.*)$/;

/** A picture that the page's policy allows: one of the mock itself. */
function pictureAt(text: string): string | undefined {
  const [, seeded] = SEEDED.exec(text) ?? [];
  if (seeded !== undefined) return seeded;
  const isPicture = /\.(?:svg|png|jpe?g|webp|gif)(?:\?|$)/.test(text);
  return isPicture && text.startsWith(`${location.origin}/`) ? text : undefined;
}

interface CellProps {
  readonly value: unknown;
  readonly format: string | undefined;
  readonly reference: RecordReference | undefined;
}

function Cell({ value, format, reference }: CellProps) {
  if (value === undefined) return h('span', { class: 'absent', title: 'not set' }, '–');
  if (value === null) return h('span', { class: 'absent' }, 'null');
  if (reference) return h(ReferenceLink, { value, reference });
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const picture = pictureAt(text);
  if (picture !== undefined)
    return h('img', { class: 'thumbnail', src: picture, alt: '', title: text, loading: 'lazy' });
  const short =
    format === UNIX_TIME
      ? shortDate(Number(value) * 1000)
      : format === 'date-time'
        ? shortDate(text)
        : undefined;
  if (short !== undefined) return h('time', { class: 'cell', dateTime: text, title: text }, short);
  if (Array.isArray(value) && value.some((item) => typeof item === 'object'))
    return h('span', { class: 'soft', title: text.slice(0, 1000) }, count(value.length, 'item'));
  if (Array.isArray(value)) return h('span', { class: 'cell', title: text.slice(0, 1000) }, value.join(', '));
  const isLiteral = typeof value === 'object' || typeof value === 'boolean';
  return h(
    'span',
    { class: isLiteral ? 'cell mono' : 'cell', title: text.length > 30 ? text.slice(0, 1000) : undefined },
    inBrief(text, LONGEST),
  );
}

/** Seconds since 1970 (OpenAPI Initiative, Formats Registry). */
const UNIX_TIME = 'unix-time';

/** `12 Nov 2026, 09:30`, in UTC like the records. Undefined: it is no date. */
function shortDate(moment: string | number): string | undefined {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? undefined : MOMENT.format(date);
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A link to the record to which a member refers. */
function ReferenceLink({
  value,
  reference: { collection, inner },
}: {
  readonly value: unknown;
  readonly reference: RecordReference;
}) {
  const id = inner === undefined ? value : (value as Readonly<Record<string, unknown>>)[inner];
  if (id === undefined || typeof id === 'object')
    return h('span', { class: 'cell mono' }, stringifyJson(value));
  return h('a', { class: 'cell', href: linkTo('records', collection, String(id)) }, String(id));
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
  return h('nav', { class: 'pager', 'aria-label': 'Pages of records' }, [
    h('span', { class: 'count', role: 'status' }, rangeText(offset, limit, total)),
    h('label', { class: 'page-size' }, [
      h('span', {}, 'per page'),
      choice(String(limit), SIZES, (size) => onMove(0, Number(size)), {}),
    ]),
    h('div', { class: 'pager-steps' }, [
      step('First', 0, offset > 0),
      step('Previous', Math.max(0, offset - limit), offset > 0),
      step('Next', offset + limit, offset + limit < total),
      step('Last', last, offset < last),
    ]),
  ]);
}

const NUMBER = new Intl.NumberFormat('en');

function rangeText(offset: number, limit: number, total: number): string {
  if (total === 0) return 'No records';
  const end = Math.min(offset + limit, total);
  return `${NUMBER.format(offset + 1)}–${NUMBER.format(end)} of ${NUMBER.format(total)}`;
}

/** The default number of columns. */
const MOST = 8;

const NAME =
  /^(?:(?:full|display|first|last|user|short)?_?name|title|label|subject|headline|email|slug|code|sku|number)$/i;
const STATE = /^(?:status|state|phase|stage|kind|type|priority|role|active|enabled)$/i;
const DATE = /(?:_at|At|_on|date|Date|time|Time|timestamp|created|updated)$/;

/**
 * The members shown as columns: name, state, references and dates first, then others in the document's order; none that is
 * empty in all of these records.
 */
export function columnsOf(collection: CollectionView, records: readonly FoundRecord[]): readonly string[] {
  const { members, references } = collection;
  const names = everyColumn(collection, records);
  const filled = names.filter((name) => records.some(({ record }) => !isEmpty(record[name])));
  const byName = new Map(members.map((member) => [member.name, member]));
  const named = new Set(references.map(({ member }) => member));
  const rank = (name: string) => rankOf(name, byName.get(name), named.has(name));
  const ordered = filled.toSorted((left, right) => rank(left) - rank(right));
  return ordered.slice(0, MOST);
}

function rankOf(name: string, member: MemberView | undefined, isReference: boolean): number {
  if (NAME.test(name)) return 0;
  if (STATE.test(name) || (member?.values && member.values.length > 1)) return 1;
  if (isReference) return 2;
  if (member?.format?.startsWith('date') || DATE.test(name)) return 3;
  return member?.type === 'object' || member?.type === 'array' ? 5 : 4;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
