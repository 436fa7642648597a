import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { isNarrow } from '../shell/media.ts';
import { notify } from '../shell/notice.ts';
import type { PageProps } from '../shell/page.ts';
import { goTo, mockUrl } from '../shell/place.ts';
import { createValue, useValue } from '../shell/value.ts';
import { VirtualList } from '../shell/virtual-list.ts';
import type { LoggedRequest } from '../wire.ts';
import { FilterBar } from './filter-bar.ts';
import { RequestDetail } from './request-detail.ts';
import { EVERY_REQUEST, matchesFilter } from './request-filter.ts';
import { isPaused, requestLog, waiting } from './request-log.ts';
import { RequestRow } from './request-row.ts';

/** Stays while another page is shown. */
const filter = createValue(EVERY_REQUEST);

/** Pixels; in a narrow window a row has two lines. */
const ROW = 34;
const NARROW_ROW = 54;

/** The requests as they come, the newest first, and one of them in full. */
export function RequestsPage({ steps: [number] }: PageProps) {
  const logged = useValue(requestLog);
  const wanted = useValue(filter);
  const narrow = useValue(isNarrow);
  const shown = useMemo(
    () => logged.filter((request) => matchesFilter(request, wanted)).reverse(),
    [logged, wanted],
  );
  const selected = number === undefined ? undefined : logged.find((one) => String(one.number) === number);
  const select = (request: LoggedRequest) => goTo(['requests', String(request.number)], number !== undefined);

  return h(
    'div',
    { class: selected ? 'requests has-detail' : 'requests' },
    h(
      'div',
      { class: 'page-head' },
      h('h2', {}, 'Requests'),
      h(FilterBar, { filter: wanted, onChange: filter.set }),
      h(Controls, { count: countText(shown.length, logged.length) }),
    ),
    h(
      'div',
      { class: 'split' },
      h(
        'div',
        { class: 'card request-list' },
        shown.length === 0
          ? h(Nothing, { isFiltered: logged.length > 0 })
          : h(VirtualList<LoggedRequest>, {
              label: 'Requests, the newest first',
              items: shown,
              keyOf: (request) => String(request.number),
              rowHeight: narrow ? NARROW_ROW : ROW,
              render: (request) => h(RequestRow, { request }),
              selected: selected && String(selected.number),
              onSelect: select,
            }),
      ),
      selected &&
        h(RequestDetail, { request: selected, key: selected.number, onClose: () => goTo(['requests']) }),
    ),
  );
}

function countText(shown: number, all: number): string {
  if (shown !== all) return `${shown} of ${all} requests`;
  return all === 1 ? '1 request' : `${all} requests`;
}

function Controls({ count }: { readonly count: string }) {
  const paused = useValue(isPaused);
  const held = useValue(waiting);
  const clear = () =>
    admin('requests', { method: 'DELETE' }).catch((error) => notify(explainFailure(error), true));
  return h(
    'div',
    { class: 'toolbar request-controls' },
    h('span', { class: 'soft count' }, paused && held > 0 ? `${count}, ${held} waiting` : count),
    h(
      'button',
      { class: 'button', type: 'button', 'aria-pressed': paused, onClick: () => isPaused.set(!paused) },
      paused ? 'Resume' : 'Pause',
    ),
    h('button', { class: 'button', type: 'button', onClick: clear }, 'Clear'),
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const basePath = useValue(contract)?.basePath ?? '';
  if (isFiltered) return h('div', { class: 'empty' }, h('strong', {}, 'No request matches the filter'));
  return h(
    'div',
    { class: 'empty' },
    h('strong', {}, 'No request yet'),
    h('span', {}, 'Requests to ', h('code', {}, mockUrl(basePath)), ' appear here as they come.'),
  );
}
