import { Fragment, h, render } from 'preact';
import { useState } from 'preact/hooks';
import { admin, adminText } from './shell/admin.ts';
import { App, type Page, type PageProps } from './shell/app.ts';
import { keepConnected, onEvent, onOpen, refresh, throttle } from './shell/connection.ts';
import { SourceExcerpt } from './shell/contract.ts';
import { button, choice, columnHeading, emptyCard, pageHead, table } from './shell/controls.ts';
import { methodTag, pillOf } from './shell/labels.ts';
import { attempt, copyText, saveFile } from './shell/messages.ts';
import { followAddress, goTo } from './shell/place.ts';
import { createValue, useValue } from './shell/value.ts';
import { count } from './shell/words.ts';
import type { FindingsView, SeenExchange } from './wire.ts';

/** The distinct violations, the newest first. */
function FindingsPage() {
  const view = useValue(report);
  if (!view) return null;
  const { findings, formats } = view;
  return h('div', { class: 'stack' }, [
    pageHead(
      'Findings',
      h('span', { class: 'soft count', role: 'status' }, summaryOf(view)),
      h(Downloads, { formats }),
    ),
    findings.length === 0
      ? emptyCard(
          'No findings yet',
          'Responses that do not match the document are listed here as requests pass.',
        )
      : findings
          .toReversed()
          .map((finding) => h(FindingView, { key: `${finding.caseId} ${finding.key}`, finding })),
  ]);
}

function summaryOf({ counts, traffic, findings }: FindingsView): string {
  const broken = count(findings.length, 'finding');
  return `${broken} in ${count(counts.requests, 'request')}, ${traffic.judged} judged`;
}

/** File names of formats whose extension differs. */
const ENDINGS: Readonly<Record<string, string>> = {
  junit: 'junit.xml',
  html: 'html',
  sarif: 'sarif',
  markdown: 'md',
  ctrf: 'ctrf.json',
  codequality: 'codequality.json',
  lines: 'txt',
};

/** Downloads the report on the traffic so far. */
function Downloads({ formats }: { readonly formats: FindingsView['formats'] }) {
  const [format, choose] = useState('html');
  return h('div', { class: 'toolbar downloads' }, [
    h('label', { class: 'visually-hidden', htmlFor: 'report-format' }, 'Format of the report'),
    choice(format, formats, choose, { id: 'report-format' }),
    button('Download report', () => download(format), { class: 'primary' }),
  ]);
}

const download = (format: string) =>
  attempt(async () =>
    saveFile(`paddock-report.${ENDINGS[format] ?? format}`, await adminText('report', { query: { format } })),
  );

type Finding = FindingsView['findings'][number];

function FindingView({ finding }: { readonly finding: Finding }) {
  const { law, received, documented, at, curl, operationId, times = 1, gates, worthALook } = finding;
  const { method, url, status } = readHeads(finding);
  const copy = () => copyText(curl, 'The command');
  return h('article', { class: 'finding card', 'aria-label': `${method} ${url}` }, [
    h('h3', {}, [
      methodTag(method),
      h('span', { class: 'target' }, url),
      h('span', { class: pillOf(status) }, status),
    ]),
    h('p', { class: 'facts soft' }, [
      h('span', { class: 'broken' }, law),
      h('span', {}, operationId),
      h('span', {}, times === 1 ? 'seen once' : `seen ${times} times`),
      !gates && h('span', {}, worthALook ? 'worth a look' : 'does not decide the verdict'),
    ]),
    terms({ Received: received, Documented: documented }),
    h(SourceExcerpt, { at }),
    h('div', { class: 'reproduce' }, [
      h('pre', { class: 'code', tabIndex: 0, role: 'group', 'aria-label': 'The request as a command' }, [
        curl,
      ]),
      button('Copy curl', copy, { class: 'small' }),
    ]),
  ]);
}

/** Method and URL of the request, without its origin, and the status of the response, from a finding. */
function readHeads({ request, response }: Pick<Finding, 'request' | 'response'>) {
  const [, method = '', href = ''] = /^(\S+) (\S*)/.exec(request) ?? [];
  const [, status = ''] = /^HTTP (\d+)/.exec(response) ?? [];
  return { method, url: href.replace(/^https?:\/\/[^/?#]*/, '') || href, status };
}

const COLUMNS = ['Request', 'Status', 'Time', 'Operation', 'Result'];

/** The latest exchanges and their results; one of them in full. */
function ExchangesPage({ steps: [opened] }: PageProps) {
  const all = useValue(exchanges);
  const clear = () => attempt(() => admin('requests', { method: 'DELETE' }));
  return h('div', { class: 'stack' }, [
    pageHead('Requests', h('div', { class: 'toolbar' }, button('Clear', clear))),
    all.length === 0
      ? emptyCard(
          'No requests yet',
          'Send requests to ',
          h('code', {}, location.origin),
          ' in place of the service.',
        )
      : table(
          'Requests, the newest first',
          COLUMNS.map((title) => columnHeading(title, title === 'Time' ? 'number' : '')),
          all.map((exchange) =>
            h(Row, { key: exchange.id, exchange, isOpen: String(exchange.id) === opened }),
          ),
          'card exchanges',
        ),
  ]);
}

const REASONS: Readonly<Record<string, string>> = {
  unknown: 'not in the document',
  upgraded: 'not judged: another protocol',
  tooLong: 'not judged: body too long',
  overtaken: 'not judged: too much traffic',
  notSampled: 'not judged: not sampled',
  refused: 'not sent on: invalid request',
  abandoned: 'client disconnected',
  failed: 'no complete response',
};

interface RowProps {
  readonly exchange: SeenExchange;
  readonly isOpen: boolean;
}

function Row({ exchange, isOpen }: RowProps) {
  const { id, method, target, status, ms, operation, unjudged, laws, invalid } = exchange;
  const verdict = unjudged === undefined ? 'matches the document' : (REASONS[unjudged] ?? unjudged);
  const toggle = () => goTo(isOpen ? ['requests'] : ['requests', String(id)]);
  return h(Fragment, {}, [
    h('tr', { class: 'opens', onClick: toggle }, [
      h('th', { scope: 'row', class: 'request' }, [
        methodTag(method),
        h('button', { class: 'target', type: 'button', 'aria-expanded': isOpen }, target),
      ]),
      h('td', {}, status !== undefined && h('span', { class: pillOf(status) }, String(status))),
      h('td', { class: 'number' }, `${ms} ms`),
      h('td', {}, operation ?? ''),
      laws.length > 0
        ? h('td', { class: 'broken' }, `violates ${laws.join(', ')}`)
        : h('td', invalid ? { class: 'warning' } : {}, invalid ? 'invalid request' : verdict),
    ]),
    isOpen && h('tr', {}, h('td', { colSpan: COLUMNS.length }, h(ExchangeDetail, { exchange, verdict }))),
  ]);
}

interface DetailProps {
  readonly exchange: SeenExchange;
  readonly verdict: string;
}

/** The problems of a request and its response, each with its line of the document. */
function ExchangeDetail({ exchange: { at, invalid, findings, status }, verdict }: DetailProps) {
  return h('div', { class: 'finding' }, [
    invalid && h('p', {}, h('strong', {}, 'Invalid request: '), invalid.reason),
    invalid && h(SourceExcerpt, { at: invalid.at }),
    findings.map(({ law, received, documented, at: place }) =>
      h(Fragment, { key: `${law} ${received}` }, [
        h('p', { class: 'broken' }, law),
        terms({ Received: received, Documented: documented }),
        h(SourceExcerpt, { at: place }),
      ]),
    ),
    findings.length === 0 &&
      h('p', {}, status === undefined ? 'No response came.' : `The response: ${verdict}.`),
    h('p', { class: 'soft' }, at.slice(0, 23).replace('T', ' '), ' UTC'),
  ]);
}

const terms = (of: Readonly<Record<string, string>>) =>
  h('dl', { class: 'terms' }, [
    Object.entries(of).map(([name, text]) => [
      h('dt', { key: name }, name),
      h('dd', { key: `${name}=`, class: 'mono' }, text),
    ]),
  ]);

/** The findings of the proxy; undefined until they are loaded. */
const report = createValue<FindingsView | undefined>(undefined);

/** The latest exchanges, the newest first. */
const exchanges = createValue<readonly SeenExchange[]>([]);

/** Milliseconds between two updates, since there may be thousands of exchanges. */
const PAUSE = 500;

function load(): void {
  refresh(report, admin<FindingsView>('findings'));
  refresh(
    exchanges,
    admin<readonly SeenExchange[]>('requests').then((oldest) => oldest.toReversed()),
  );
}

const loadSoon = throttle(load, PAUSE);

onOpen(load);
for (const event of ['exchange', 'finding', 'clear']) onEvent(event, loadSoon);

/** The console of `paddock proxy`. */
const PAGES: readonly Page[] = [
  { path: 'findings', title: 'Findings', icon: 'findings', letter: 'f', view: FindingsPage },
  { path: 'requests', title: 'Requests', icon: 'requests', letter: 'r', view: ExchangesPage },
];

followAddress();
render(h(App, { pages: PAGES }), document.getElementById('console') as HTMLElement);
keepConnected();
