import { h, type TargetedEvent } from 'preact';

interface PagerProps {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly onMove: (offset: number, limit: number) => void;
}

const SIZES = [25, 50, 100, 200];

export function Pager({ offset, limit, total, onMove }: PagerProps) {
  const last = Math.max(0, Math.floor((total - 1) / limit) * limit);
  const step = (text: string, to: number, isPossible: boolean) =>
    h(
      'button',
      { class: 'button pager-step', type: 'button', disabled: !isPossible, onClick: () => onMove(to, limit) },
      text,
    );
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages of records' },
    h('span', { class: 'count', role: 'status' }, rangeText(offset, limit, total)),
    h(
      'label',
      { class: 'page-size' },
      h('span', {}, 'per page'),
      h(
        'select',
        {
          value: limit,
          onChange: (event: TargetedEvent<HTMLSelectElement>) => onMove(0, Number(event.currentTarget.value)),
        },
        SIZES.map((size) => h('option', { key: size, value: size }, String(size))),
      ),
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
  if (total === 0) return 'No record';
  const end = Math.min(offset + limit, total);
  return `${NUMBER.format(offset + 1)}–${NUMBER.format(end)} of ${NUMBER.format(total)}`;
}
