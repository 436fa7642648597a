import { type ComponentChild, Fragment, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClientRequest } from '../code/client-request.ts';
import { curlCode, fetchCode } from '../code/request-code.ts';
import type { Received } from '../reference/response-view.ts';
import { sendRequest } from '../reference/send-request.ts';
import { groupRepeats, noteOf } from '../requests/repeats.ts';
import { requestLog } from '../requests/request-log.ts';
import { Effects } from '../scenarios/effects.ts';
import { mockUrl } from '../shell/access.ts';
import { admin } from '../shell/admin.ts';
import { CodeView } from '../shell/code-view.ts';
import { contract } from '../shell/contract.ts';
import { button, iconButton, pageHead, skeleton, tabId, tabList } from '../shell/controls.ts';
import { durationOf, icon, methodTag, pillOf } from '../shell/labels.ts';
import { copyText } from '../shell/messages.ts';
import { linkTo } from '../shell/place.ts';
import { onRecordsChanged } from '../shell/session-state.ts';
import { createValue, useAsked, useLoaded, useValue } from '../shell/value.ts';
import type { ContractView, LoggedRequest, OperationSample } from '../wire.ts';
import {
  creatingOperation,
  creationsIn,
  firstCalls,
  firstRequest,
  nextRequest,
  WAYS,
  type Way,
} from './first-call.ts';

/** The start: base URL and key, a first request, the collections, and recent errors. */
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
        h(Effects, { title: 'Make it fail' }),
        h(Feed, {}),
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

/** The chosen form is kept while another page is shown. */
const chosenWay = createValue<Way>('curl');

function Access({ served, baseUrl }: AccessProps) {
  const way = useValue(chosenWay);
  const first = served.operations.find(({ id }) => id === served.first?.operation.id);
  const from = first?.basePath === undefined ? baseUrl : mockUrl(first.basePath);
  const calls = firstCalls(served, from);
  const request = firstRequest(served, from);
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
          request && h(SendButton, { request, what: 'the first request' }),
        ]),
  ]);
}

/** The second command: it creates a record, then reads the last one created. */
function Next({ served }: { readonly served: ContractView }) {
  const [created] = creationsIn(useValue(requestLog));
  const way = useValue(chosenWay);
  const operation = creatingOperation(served)?.id;
  const sample = useAsked<OperationSample | undefined>(
    undefined,
    async () =>
      operation === undefined
        ? undefined
        : admin('reference-sample', { query: { operation, part: 'request' } }),
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
    h(SendButton, { key: text, request, what: 'the next request' }),
  ]);
}

/** Sends a request, and shows the response; the log has it, too. */
function SendButton({ request, what }: { readonly request: ClientRequest; readonly what: string }) {
  const [received, setReceived] = useState<Received | undefined>(undefined);
  const { failure, status, ms, number } = {
    failure: undefined,
    status: undefined,
    ms: 0,
    number: undefined,
    ...received,
  };
  // In the form of the log.
  const { pathname, search } = new URL(request.url);
  const url = pathname + search;
  const text = failure ?? (status === undefined ? '' : `${status} in ${durationOf(ms)}`);
  return h('div', { class: 'toolbar send' }, [
    button('Send', () => sendRequest({ ...request, url }, new AbortController().signal, setReceived), {
      class: 'primary',
      icon: 'run',
      'aria-label': `Send ${what}`,
    }),
    h('span', { role: 'status' }, [
      number === undefined ? text : h('a', { href: linkTo('requests', String(number)) }, text),
    ]),
  ]);
}

/** The last requests, the newest first. */
function Feed() {
  const latest = groupRepeats(useValue(requestLog).toReversed(), undefined).slice(0, MOST_SHOWN);
  if (latest.length === 0) return null;
  const rows = latest.map(({ key, newest, times }) => h(RequestLink, { key, request: newest, times }));
  const all = h('a', { href: linkTo('requests') }, 'All requests');
  return listCard('refused', 'Latest requests', rows, '', all);
}

/** Rejected requests, the newest first, each with its reason. */
function Refused() {
  const refused = useValue(requestLog).filter(({ code }) => code !== undefined);
  const latest = refused.slice(-MOST_SHOWN).reverse();
  return listCard(
    'refused',
    'Recent errors',
    latest.map((request) => h(RequestLink, { key: request.number, request })),
    'None yet. Requests that the mock rejects are listed here with the reason.',
  );
}

/** A card with links, or a text instead. */
function listCard(
  kind: string,
  title: string,
  rows: ComponentChild[],
  none: string,
  beside?: ComponentChild,
) {
  return h('section', { class: `card ${kind}`, 'aria-label': title }, [
    h('div', { class: 'card-head' }, h('h3', {}, title), beside),
    rows.length === 0 ? h('p', { class: 'card-none soft' }, none) : h('ul', {}, rows),
  ]);
}

interface RequestLinkProps {
  readonly request: LoggedRequest;
  readonly times?: number;
}

/** A request with its result; a new record by its URL. */
function RequestLink({ request, times = 1 }: RequestLinkProps) {
  const { number, method, target, status, response, trace } = request;
  const created = status === 201 ? response.headers.Location : undefined;
  const { collection, record } = trace.answered;
  const href =
    created !== undefined && collection !== undefined
      ? linkTo('records', collection, record ?? '')
      : linkTo('requests', String(number));
  return h('li', {}, [
    h('a', { href }, [
      methodTag(method),
      h('span', { class: 'refused-target mono' }, [
        created === undefined ? target : `${target} → ${created}`,
        times > 1 && [' ', h('span', { class: 'chip' }, `×${times}`)],
      ]),
      h('span', { class: pillOf(status) }, status === 0 ? 'drop' : String(status)),
      h(
        'span',
        { class: 'refused-reason' },
        created ? response.body?.slice(0, LONGEST_RECORD) : noteOf(request),
      ),
    ]),
  ]);
}

/** In characters. */
const LONGEST_RECORD = 200;

/** The most requests to show. */
const MOST_SHOWN = 6;

/** The collections, with their numbers of records. */
function Collections({ served: { collections } }: { readonly served: ContractView }) {
  return listCard(
    'collections',
    'Records',
    collections.map(({ name }) => h(CollectionRow, { key: name, name })),
    'The document has no collections: all responses follow from its examples and schemas.',
  );
}

/** Its records are only counted, and seeded, while it is visible, since a large document has hundreds of collections. */
function CollectionRow({ name }: { readonly name: string }) {
  const row = useRef<HTMLLIElement>(null);
  const [count, loadCount] = useLoaded<number | undefined>(undefined);
  useEffect(() => {
    let unfollow = () => {};
    const query = { collection: name, limit: '0' };
    const ask = () => admin<{ readonly total: number }>('records', { query }).then(({ total }) => total);
    // The connection status shows errors, and reloads.
    const load = () => void loadCount(ask()).catch(() => {});
    const watch = new IntersectionObserver((seen) => {
      unfollow();
      unfollow = seen.at(-1)?.isIntersecting ? onRecordsChanged(load) : () => {};
    });
    watch.observe(row.current as HTMLLIElement);
    return () => {
      watch.disconnect();
      unfollow();
    };
  }, [name]);
  return h('li', { ref: row }, [
    h('a', { href: linkTo('records', name) }, [
      h('span', { class: 'mono collection-name', title: name }, name),
      h('span', { class: 'count' }, count === undefined ? '' : NUMBER.format(count)),
      icon('next'),
    ]),
  ]);
}

const NUMBER = new Intl.NumberFormat('en');
