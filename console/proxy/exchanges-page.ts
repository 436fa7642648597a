import { h } from 'preact';
import { admin, explainFailure } from '../shell/admin.ts';
import { notify } from '../shell/notice.ts';
import { useValue } from '../shell/value.ts';
import type { SeenExchange } from '../wire.ts';
import { exchanges } from './traffic.ts';

const COLUMNS = ['Method', 'Path', 'Status', 'Time', 'Operation', 'Verdict'];

/** What has passed last, and what became of it. */
export function ExchangesPage() {
  const all = useValue(exchanges);
  const clear = () =>
    admin('requests', { method: 'DELETE' }).catch((error) => notify(explainFailure(error), true));
  return h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'page-head' },
      h('h2', {}, 'Requests'),
      h(
        'div',
        { class: 'toolbar' },
        h('button', { class: 'button', type: 'button', onClick: clear }, 'Clear'),
      ),
    ),
    all.length === 0
      ? h('div', { class: 'empty card' }, h('strong', {}, 'No request yet'))
      : h(
          'div',
          {
            class: 'card table-box',
            tabIndex: 0,
            role: 'region',
            'aria-label': 'Requests, the newest first',
          },
          h(
            'table',
            {},
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                COLUMNS.map((title) => h('th', { key: title, scope: 'col' }, title)),
              ),
            ),
            h(
              'tbody',
              {},
              all.map((exchange) => h(Row, { key: exchange.id, exchange })),
            ),
          ),
        ),
  );
}

const REASONS: Readonly<Record<string, string>> = {
  unknown: 'not in the document',
  upgraded: 'another protocol',
  tooLong: 'too long',
  overtaken: 'not judged: too fast',
  abandoned: 'given up by the client',
  failed: 'no whole response',
};

function Row({ exchange }: { readonly exchange: SeenExchange }) {
  const { method, target, status, ms, operation, unjudged, laws } = exchange;
  const verdict = unjudged === undefined ? 'keeps the document' : (REASONS[unjudged] ?? unjudged);
  return h(
    'tr',
    {},
    h('td', {}, method),
    h('td', {}, target),
    h('td', {}, status === undefined ? '' : String(status)),
    h('td', {}, `${ms} ms`),
    h('td', {}, operation ?? ''),
    laws.length > 0 ? h('td', { class: 'broken' }, `breaks ${laws.join(', ')}`) : h('td', {}, verdict),
  );
}
