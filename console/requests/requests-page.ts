import { h, type RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { mockUrl } from '../shell/access.ts';
import { admin } from '../shell/admin.ts';
import type { PageProps } from '../shell/app.ts';
import { contract } from '../shell/contract.ts';
import { button, choice, pageHead, searchField } from '../shell/controls.ts';
import { useKeys } from '../shell/keys.ts';
import { attempt } from '../shell/messages.ts';
import { goTo } from '../shell/place.ts';
import { createValue, useValue } from '../shell/value.ts';
import { VirtualList } from '../shell/virtual-list.ts';
import { groupRepeats, type RequestGroup } from './repeats.ts';
import { RequestDetail } from './request-detail.ts';
import {
  EVERY_REQUEST,
  isPaused,
  matchesFilter,
  NO_OPERATION,
  type RequestFilter,
  requestLog,
  restoreLog,
  waiting,
} from './request-log.ts';
import { RequestRow } from './request-row.ts';

/** Kept while another page is shown. */
const filter = createValue(EVERY_REQUEST);

/** In pixels; in a narrow window, rows have two lines. */
const ROW = 32;
const NARROW_ROW = 56;

/** The requests as they arrive, the newest first, with the selected one in full. */
export function RequestsPage({ steps: [number] }: PageProps) {
  const logged = useValue(requestLog);
  const wanted = useValue(filter);
  const box = useRef<HTMLDivElement>(null);
  const narrow = useIsNarrow(box);
  const matches = useMemo(
    () => logged.filter((request) => matchesFilter(request, wanted)).reverse(),
    [logged, wanted],
  );
  const selected =
    number === undefined ? undefined : logged.find((request) => String(request.number) === number);
  const groups = useMemo(() => groupRepeats(matches, selected?.number), [matches, selected]);
  const select = ({ newest: request }: RequestGroup) =>
    goTo(['requests', String(request.number)], number !== undefined);
  useKeys('Requests', selected ? { Escape: ['Close the request', () => goTo(['requests'])] } : {});

  return h('div', { ref: box, class: selected ? 'requests has-detail' : 'requests' }, [
    pageHead(
      'Requests',
      h(FilterBar, { filter: wanted, onChange: filter.set }),
      h(Controls, { count: countText(matches.length, logged.length) }),
    ),
    h('div', { class: 'split' }, [
      h('div', { class: 'card request-list' }, [
        matches.length === 0
          ? h(Nothing, { isFiltered: logged.length > 0 })
          : h(VirtualList<RequestGroup>, {
              label: 'Requests, the newest first',
              items: groups,
              keyOf: ({ key }) => key,
              rowHeight: narrow ? NARROW_ROW : ROW,
              render: ({ newest, times }) => h(RequestRow, { request: newest, times }),
              selected: selected && String(selected.number),
              onSelect: select,
            }),
      ]),
      selected &&
        h(RequestDetail, { request: selected, key: selected.number, onClose: () => goTo(['requests']) }),
    ]),
  ]);
}

function countText(count: number, all: number): string {
  if (count !== all) return `${count} of ${all} requests`;
  return all === 1 ? '1 request' : `${all} requests`;
}

function Controls({ count }: { readonly count: string }) {
  const paused = useValue(isPaused);
  const held = useValue(waiting);
  const clear = () =>
    attempt(() => admin('requests', { method: 'DELETE' }), 'The log was cleared.', restoreLog);
  return h('div', { class: 'toolbar request-controls' }, [
    h('span', { class: 'soft count' }, paused && held > 0 ? `${count}, ${held} new` : count),
    button(paused ? 'Resume' : 'Pause', () => isPaused.set(!paused), { 'aria-pressed': paused }),
    button('Clear', clear),
  ]);
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const basePath = useValue(contract)?.basePath ?? '';
  if (isFiltered) return h('div', { class: 'empty' }, h('strong', {}, 'No requests match the filter'));
  return h('div', { class: 'empty' }, [
    h('strong', {}, 'No requests yet'),
    h('span', {}, 'Requests to ', h('code', {}, mockUrl(basePath)), ' are listed here as they arrive.'),
  ]);
}

const STATUSES: readonly (readonly [value: string, text: string])[] = [
  ['', 'Any status'],
  ['2', '2xx success'],
  ['3', '3xx redirection'],
  ['4', '4xx client error'],
  ['5', '5xx server error'],
  ['refused', 'Rejected'],
  ['dropped', 'Connection closed'],
  ['ruled', 'By a rule or Prefer'],
  ['ignored', 'With something ignored'],
];

interface FilterBarProps {
  readonly filter: RequestFilter;
  readonly onChange: (filter: RequestFilter) => void;
}

function FilterBar({ filter, onChange }: FilterBarProps) {
  const operations = useValue(contract)?.operations ?? [];
  return h('div', { class: 'filters', role: 'search', 'aria-label': 'Filter requests' }, [
    choice(
      filter.operation,
      [['', 'Any operation'], ...operations.map(({ id }) => id), [NO_OPERATION, 'No operation']],
      (operation) => onChange({ ...filter, operation }),
      { 'aria-label': 'Operation' },
    ),
    choice(filter.status, STATUSES, (status) => onChange({ ...filter, status }), { 'aria-label': 'Status' }),
    searchField('Search', filter.text, (text) => onChange({ ...filter, text }), 'Search path, body or error'),
  ]);
}

/** In pixels, as in the style sheet: from this width on, rows have one line. */
const WIDE = 696;

/** Whether the element is as narrow as on a phone. */
function useIsNarrow(box: RefObject<HTMLElement | null>): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setNarrow((entry?.contentRect.width ?? WIDE) < WIDE));
    watch.observe(box.current as HTMLElement);
    return () => watch.disconnect();
  }, []);
  return isNarrow;
}
