import { h, type TargetedEvent } from 'preact';
import { contract } from '../shell/contract.ts';
import { useValue } from '../shell/value.ts';
import { NO_OPERATION, type RequestFilter } from './request-filter.ts';

const STATUSES: readonly (readonly [value: string, text: string])[] = [
  ['', 'Any status'],
  ['2', '2xx success'],
  ['3', '3xx redirection'],
  ['4', '4xx client error'],
  ['5', '5xx server error'],
  ['refused', 'Refused'],
  ['dropped', 'Dropped'],
];

interface FilterBarProps {
  readonly filter: RequestFilter;
  readonly onChange: (filter: RequestFilter) => void;
}

export function FilterBar({ filter, onChange }: FilterBarProps) {
  const operations = useValue(contract)?.operations ?? [];
  return h(
    'div',
    { class: 'filters', role: 'search', 'aria-label': 'Filter requests' },
    h(
      'select',
      {
        'aria-label': 'Operation',
        value: filter.operation,
        onChange: (event: TargetedEvent<HTMLSelectElement>) =>
          onChange({ ...filter, operation: event.currentTarget.value }),
      },
      h('option', { value: '' }, 'Any operation'),
      operations.map(({ id }) => h('option', { key: id, value: id }, id)),
      h('option', { value: NO_OPERATION }, 'No operation'),
    ),
    h(
      'select',
      {
        'aria-label': 'Status',
        value: filter.status,
        onChange: (event: TargetedEvent<HTMLSelectElement>) =>
          onChange({ ...filter, status: event.currentTarget.value }),
      },
      STATUSES.map(([value, text]) => h('option', { key: value, value }, text)),
    ),
    h('input', {
      type: 'search',
      'aria-label': 'Text',
      placeholder: 'Path, body or error',
      value: filter.text,
      onInput: (event) => onChange({ ...filter, text: event.currentTarget.value }),
    }),
  );
}
