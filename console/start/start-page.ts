import { Fragment, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { curlCode, fetchCode } from '../code/request-code.ts';
import { requestLog } from '../requests/request-log.ts';
import { access, mockUrl } from '../shell/access.ts';
import { admin } from '../shell/admin.ts';
import { CodeView } from '../shell/code-view.ts';
import { contract } from '../shell/contract.ts';
import { iconButton, pageHead, skeleton, tabId, tabList } from '../shell/controls.ts';
import { icon, methodTag, pillOf } from '../shell/labels.ts';
import { copyText } from '../shell/messages.ts';
import { linkTo } from '../shell/place.ts';
import { onRecordsChanged } from '../shell/session-state.ts';
import { createValue, useAsked, useLoaded, useValue } from '../shell/value.ts';
import type { ContractView, LoggedRequest, OperationSample, SessionsPage } from '../wire.ts';
import { creatingOperation, creationsIn, firstCalls, nextRequest, WAYS, type Way } from './first-call.ts';

/** Where to begin: base URL and key, a first request, what records there are, and recent errors. */
export function StartPage() {
  const served = useValue(contract);
  if (!served) return h(Fragment, {}, pageHead('Start'), h('div', { class: 'card' }, skeleton()));
  const baseUrl = mockUrl(served.basePath);
  return h('div', { class: 'stack' }, [
    pageHead('Start', h('span', { class: 'soft' }, `${served.title} ${served.version}`)),
    h('div', { class: 'start-columns' }, [
      h('div', { class: 'stack' }, [
        h(Access, { served, baseUrl }),
        h(Next, { served }),
        h(Created, {}),
        h(Refused, {}),
      ]),
      h(Collections, { served }),
    ]),
  ]);
}

interface AccessProps {
  readonly served: ContractView;
  readonly baseUrl: string;
}

/** The way that a person has chosen stays while another page is shown. */
const chosenWay = createValue<Way>('curl');

function Access({ served, baseUrl }: AccessProps) {
  const way = useValue(chosenWay);
  const first = served.operations.find(({ id }) => id === served.first?.operation.id);
  const calls = firstCalls(served, first?.basePath === undefined ? baseUrl : mockUrl(first.basePath));
  const needsKey = served.operations.some(({ security }) => security.length > 0);
  const current = WAYS.find(({ id }) => id === way) ?? WAYS[0];
  return h('section', { class: 'card access', 'aria-label': 'First request' }, [
    h('dl', { class: 'terms access-facts' }, [
      h('dt', {}, 'Base URL'),
      h('dd', {}, [
        h('code', {}, baseUrl),
        iconButton('copy', 'Copy base URL', () => copyText(baseUrl, 'The base URL'), { class: 'small' }),
      ]),
      needsKey && h('dt', {}, 'Key'),
      needsKey &&
        h('dd', {}, [
          h('code', {}, served.key),
          iconButton('copy', 'Copy key', () => copyText(served.key, 'The key'), { class: 'small' }),
        ]),
    ]),
    calls === undefined
      ? h('p', { class: 'soft access-none' }, [
          'The document has no GET operation to begin with. ',
          h('a', { href: 'reference' }, 'The reference'),
          ' has all others.',
        ])
      : h(Fragment, {}, [
          h('div', { class: 'tabs-row' }, [
            tabList(WAYS, current.id, chosenWay.set, { label: 'Ways to send it', panel: 'first-call' }),
            iconButton(
              'copy',
              `Copy the ${current.title} example`,
              () => copyText(calls[current.id], 'The first request'),
              { class: 'small' },
            ),
          ]),
          h(
            'div',
            { role: 'tabpanel', id: 'first-call', 'aria-labelledby': tabId('first-call', current.id) },
            h(CodeView, {
              text: calls[current.id],
              language: current.language,
              label: `First request with ${current.title}`,
            }),
          ),
        ]),
  ]);
}

/** The command after the first: it creates a record, then reads the one that was created last. */
function Next({ served }: { readonly served: ContractView }) {
  const [created] = creationsIn(useValue(requestLog));
  const way = useValue(chosenWay);
  const operation = creatingOperation(served)?.id;
  const sample = useAsked<OperationSample | undefined>(
    undefined,
    async () => (operation === undefined ? undefined : admin('reference-sample', { query: { operation } })),
    [served],
  );
  const urlOf = (target: string) =>
    /^\/~|^https?:/.test(target) ? new URL(target, mockUrl('')).href : mockUrl(target);
  const request = nextRequest(served, created, sample?.body, urlOf);
  if (!request) return null;
  const text = way === 'curl' ? curlCode(request) : fetchCode(request);
  const title = created ? 'Next: read the new record' : 'Next: add a record';
  return h('section', { class: 'card access', 'aria-labelledby': 'next-title' }, [
    h('div', { class: 'tabs-row' }, [
      h('h3', { id: 'next-title' }, title),
      iconButton('copy', 'Copy the next request', () => copyText(text, 'The request'), { class: 'small' }),
    ]),
    h(CodeView, { text, language: way === 'curl' ? 'shell' : 'script', label: title }),
  ]);
}

/** What clients have created, the newest first, each by its URL. */
function Created() {
  const created = creationsIn(useValue(requestLog)).slice(0, MOST_REFUSED);
  if (created.length === 0) return null;
  return h('section', { class: 'card refused', 'aria-labelledby': 'created-title' }, [
    h('div', { class: 'card-head' }, h('h3', { id: 'created-title' }, 'New records')),
    h('ul', {}, [
      created.map(({ number, method, status, response, trace }) =>
        h('li', { key: number }, [
          h('a', { href: linkTo('records', trace.answered.collection ?? '', trace.answered.record ?? '') }, [
            methodTag(method),
            h('span', { class: 'refused-target mono' }, response.headers.Location),
            h('span', { class: pillOf(status) }, String(status)),
            h('span', { class: 'refused-reason' }, response.body?.slice(0, LONGEST_RECORD)),
          ]),
        ]),
      ),
    ]),
  ]);
}

/** In characters. */
const LONGEST_RECORD = 200;

/** How many rejected requests are shown. */
const MOST_REFUSED = 6;

/** Rejected requests, the newest first, each with its reason. */
function Refused() {
  const refused = useValue(requestLog)
    .filter(({ code }) => code !== undefined)
    .slice(-MOST_REFUSED)
    .reverse();
  return h('section', { class: 'card refused', 'aria-labelledby': 'refused-title' }, [
    h('div', { class: 'card-head' }, [
      h('h3', { id: 'refused-title' }, 'Recent errors'),
      h('a', { href: linkTo('requests') }, 'All requests'),
    ]),
    refused.length === 0
      ? h('p', { class: 'card-none soft' }, [
          'None yet. Requests that the mock rejects are listed here with the reason.',
        ])
      : h(
          'ul',
          {},
          refused.map((request) => h(RefusedRow, { key: request.number, request })),
        ),
  ]);
}

function RefusedRow({ request }: { readonly request: LoggedRequest }) {
  const { number, method, target, status, code, message, violations = [] } = request;
  const [first] = violations;
  const reason = first ? `${first.where} ${first.message}` : (message ?? code ?? '');
  return h('li', {}, [
    h('a', { href: linkTo('requests', String(number)) }, [
      methodTag(method),
      h('span', { class: 'refused-target mono' }, target),
      h('span', { class: pillOf(status) }, String(status)),
      h('span', { class: 'refused-reason' }, [
        violations.length > 1 ? `${reason}, and ${violations.length - 1} more` : reason,
      ]),
    ]),
  ]);
}

const NUMBER = new Intl.NumberFormat('en');

/** Where records are, and how many. */
function Collections({ served: { collections } }: { readonly served: ContractView }) {
  const counts = useCounts();
  return h('section', { class: 'card collections', 'aria-labelledby': 'collections-title' }, [
    h('div', { class: 'card-head' }, h('h3', { id: 'collections-title' }, 'Records')),
    collections.length === 0
      ? h('p', { class: 'card-none soft' }, [
          'The document has no collections: all responses follow from its examples and schemas.',
        ])
      : h('ul', {}, [
          collections.map(({ name }) =>
            h('li', { key: name }, [
              h('a', { href: linkTo('records', name) }, [
                h('span', { class: 'mono collection-name', title: name }, name),
                h('span', { class: 'count' }, counts[name] === undefined ? '' : NUMBER.format(counts[name])),
                icon('next'),
              ]),
            ]),
          ),
        ]),
  ]);
}

async function countsOfSession(): Promise<Readonly<Record<string, number>>> {
  const { session } = access();
  const { sessions } = await admin<SessionsPage>('sessions', { query: { name: session, limit: '100' } });
  return sessions.find(({ name }) => name === session)?.records ?? {};
}

/** How many records each collection of the session has, followed as they change. */
function useCounts(): Readonly<Record<string, number>> {
  const [counts, loadCounts] = useLoaded<Readonly<Record<string, number>>>({});
  useEffect(() => {
    // The connection says what is wrong, and loads again.
    const load = () => loadCounts(countsOfSession()).catch(() => {});
    return onRecordsChanged(load);
  }, []);
  return counts;
}
