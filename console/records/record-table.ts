import { h } from 'preact';
import { stringifyJson } from '../shell/exact-json.ts';
import type { CollectionView } from '../wire.ts';
import type { KeptRecord } from './records-query.ts';

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
  return h(
    'div',
    { class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': `Records of ${name}` },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col', class: 'number' }, id ?? 'id'),
          isNested && h('th', { scope: 'col' }, 'path'),
          columns.map((column) => h('th', { key: column, scope: 'col', class: alignment(column) }, column)),
          h('th', { scope: 'col', class: 'row-actions' }, h('span', { class: 'visually-hidden' }, 'Actions')),
        ),
      ),
      h(
        'tbody',
        {},
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
              h(
                'button',
                {
                  class: 'button quiet small',
                  type: 'button',
                  'aria-label': `Edit ${kept.id}`,
                  onClick: () => onEdit(kept),
                },
                'Edit',
              ),
              h(
                'button',
                {
                  class: 'button quiet small danger',
                  type: 'button',
                  'aria-label': `Remove ${kept.id}`,
                  onClick: () => onRemove(kept),
                },
                'Remove',
              ),
            ),
          ),
        ),
      ),
    ),
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
  if (value === undefined) return h('span', { class: 'absent', title: 'absent' }, '–');
  if (value === null) return h('span', { class: 'absent' }, 'null');
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const isLiteral = typeof value === 'object' || typeof value === 'boolean';
  return h(
    'span',
    { class: isLiteral ? 'cell mono' : 'cell', title: text.length > 30 ? text.slice(0, 1000) : undefined },
    text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text,
  );
}
