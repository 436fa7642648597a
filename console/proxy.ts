import { h, render } from 'preact';
import { admin } from './shell/admin.ts';
import { App, type Page } from './shell/app.ts';
import { keepConnected, onEvent, onOpen } from './shell/connection.ts';
import { SourceExcerpt } from './shell/contract.ts';
import { button, columnHeading, emptyCard, pageHead, table } from './shell/controls.ts';
import { copyText, notifyFailure } from './shell/messages.ts';
import { createValue, useValue } from './shell/value.ts';
import type { FindingsView, SeenExchange } from './wire.ts';

/** The distinct promises that were broken, the newest first. */
function FindingsPage() {
  const view = useValue(found);
  if (!view) return null;
  const { findings } = view;
  return h(
    'div',
    { class: 'stack' },
    pageHead('Findings', h('span', { class: 'soft count', role: 'status' }, summaryOf(view))),
    findings.length === 0
      ? emptyCard(
          'No findings yet',
          'Responses that do not match the document are listed here as requests pass.',
        )
      : findings
          .toReversed()
          .map((finding) =>
            h(FindingView, { key: `${finding.caseId} ${finding.law} ${finding.at}`, finding }),
          ),
  );
}

function summaryOf({ counts, traffic }: FindingsView): string {
  const { requests } = counts;
  return `${requests} ${requests === 1 ? 'request' : 'requests'}, ${traffic.judged} judged`;
}

type Finding = FindingsView['findings'][number];

function FindingView({ finding }: { readonly finding: Finding }) {
  const { caseId, law, received, documented, at, curl } = finding;
  const copy = () => copyText(curl, 'The command');
  return h(
    'article',
    { class: 'finding card' },
    h('h3', {}, h('span', { class: 'broken' }, law), ` ${caseId.replace(/\/traffic$/, '')}`),
    h(
      'dl',
      {},
      h('dt', {}, 'Received'),
      h('dd', {}, received),
      h('dt', {}, 'Documented'),
      h('dd', {}, documented),
    ),
    h(SourceExcerpt, { at }),
    h('pre', { class: 'command', tabIndex: 0, 'aria-label': 'The request as a command' }, curl),
    h('div', {}, button('Copy command', copy, { class: 'small' })),
  );
}

const COLUMNS = ['Method', 'Path', 'Status', 'Time', 'Operation', 'Result'];

/** What has passed last, and what became of it. */
function ExchangesPage() {
  const all = useValue(exchanges);
  const clear = () => admin('requests', { method: 'DELETE' }).catch(notifyFailure);
  return h(
    'div',
    { class: 'stack' },
    pageHead('Requests', h('div', { class: 'toolbar' }, button('Clear', clear))),
    all.length === 0
      ? emptyCard('No requests yet')
      : table(
          'Requests, the newest first',
          COLUMNS.map((title) => columnHeading(title)),
          all.map((exchange) => h(Row, { key: exchange.id, exchange })),
        ),
  );
}

const REASONS: Readonly<Record<string, string>> = {
  unknown: 'not in the document',
  upgraded: 'not judged: another protocol',
  tooLong: 'not judged: body too long',
  overtaken: 'not judged: too much traffic',
  abandoned: 'client disconnected',
  failed: 'no complete response',
};

function Row({ exchange }: { readonly exchange: SeenExchange }) {
  const { method, target, status, ms, operation, unjudged, laws } = exchange;
  const verdict = unjudged === undefined ? 'matches the document' : (REASONS[unjudged] ?? unjudged);
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

/** What the proxy has found; undefined until it is known. */
const found = createValue<FindingsView | undefined>(undefined);

/** The latest exchanges, the newest first. */
const exchanges = createValue<readonly SeenExchange[]>([]);

/** Milliseconds between two looks: exchanges come by the thousand. */
const PAUSE = 500;

let isWaiting = false;

function loadSoon(): void {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    load();
  }, PAUSE);
}

async function load(): Promise<void> {
  try {
    const [view, seen] = await Promise.all([
      admin<FindingsView>('findings'),
      admin<readonly SeenExchange[]>('requests'),
    ]);
    found.set(view);
    exchanges.set(seen.toReversed());
  } catch {
    // The connection says what is wrong, and loads again.
  }
}

onOpen(load);
for (const event of ['exchange', 'finding', 'clear']) onEvent(event, loadSoon);

/** The console of `paddock proxy`. */
const PAGES: readonly Page[] = [
  { path: 'findings', title: 'Findings', icon: 'findings', letter: 'f', view: FindingsPage },
  { path: 'requests', title: 'Requests', icon: 'requests', letter: 'r', view: ExchangesPage },
];

render(h(App, { pages: PAGES }), document.getElementById('console') as HTMLElement);
keepConnected();
