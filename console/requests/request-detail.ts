import { type ComponentChild, Fragment, h } from 'preact';
import { admin } from '../shell/admin.ts';
import { contract, SourceExcerpt } from '../shell/contract.ts';
import { button } from '../shell/controls.ts';
import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import { copyText, notify, notifyFailure } from '../shell/messages.ts';
import { goTo, mockUrl } from '../shell/place.ts';
import { useValue } from '../shell/value.ts';
import type { LoggedRequest, LoggedViolation } from '../wire.ts';
import { curlOf } from './curl.ts';

/** All that is known of one request: what was wrong with it, what was sent, and what came back. */
export function RequestDetail({
  request,
  onClose,
}: {
  readonly request: LoggedRequest;
  readonly onClose: () => void;
}) {
  const { number, method, target, operation, status, at, ms, deprecated } = request;
  const { code, message, violations, response } = request;
  const { source, violations: broken = [] } = response;
  return h(
    'article',
    { class: 'detail card', 'aria-label': `Request ${number}` },
    h(
      'header',
      { class: 'detail-head' },
      h(
        'div',
        { class: 'detail-title' },
        h('h3', {}, h('span', { class: `method-${method.toLowerCase()}` }, method), ' ', target),
        button('Close', onClose, { class: 'small' }),
      ),
      h(
        'p',
        { class: 'detail-facts' },
        h(
          'span',
          { class: `row-status ${statusClass(status)}` },
          status === 0 ? 'connection dropped' : String(status),
        ),
        code !== undefined && h('span', { class: 'chip' }, code),
        h('span', {}, operation ?? 'no operation'),
        h('span', {}, durationOf(ms)),
        h('span', {}, timeOf(at)),
        deprecated !== undefined && h('span', { class: 'chip' }, deprecated),
        source !== undefined && h('span', { class: 'chip' }, source),
      ),
      h(RequestActions, { request }),
    ),
    message !== undefined && h(Violations, { title: 'error', message, violations }),
    broken.length > 0 && h(Violations, { title: 'violation of the document', violations: broken }),
    h('section', {}, h('h4', {}, 'Request'), h(Message, { ...request, name: 'request', cutFrom: undefined })),
    h('section', {}, h('h4', {}, 'Response'), h(Message, { ...request.response, name: 'response' })),
  );
}

interface ViolationsProps {
  /** Of one of them. */
  readonly title: string;
  readonly message?: string;
  readonly violations: readonly LoggedViolation[];
}

function Violations({ title, message: whole, violations }: ViolationsProps) {
  const [first = '', ...others] = title;
  const many = `${violations.length} ${title.replace(/^\w+/, '$&s')}`;
  return h(
    'section',
    { class: 'violations' },
    h('h4', {}, violations.length <= 1 ? first.toUpperCase() + others.join('') : many),
    violations.length === 0 && h('p', { class: 'violation' }, whole),
    h(
      'ol',
      {},
      violations.map(({ where, message, at }) =>
        h(
          'li',
          { key: `${where} ${message}` },
          h('p', { class: 'violation' }, h('code', {}, where), ' ', message),
          at !== undefined && h(SourceExcerpt, { at }),
        ),
      ),
    ),
  );
}

interface MessageProps {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly cutFrom: number | undefined;
}

function Message({ name, headers, body, cutFrom }: MessageProps) {
  const rows = Object.entries(headers);
  return h(
    Fragment,
    {},
    h(
      'details',
      { class: 'headers' },
      h('summary', {}, `${rows.length} ${rows.length === 1 ? 'header' : 'headers'}`),
      h(
        'dl',
        {},
        rows.map(([header, value]) => h(Fragment, { key: header }, h('dt', {}, header), h('dd', {}, value))),
      ),
    ),
    body === undefined
      ? h('p', { class: 'soft' }, 'No body')
      : h(BodyView, { text: body, label: `The body of the ${name}` }),
    cutFrom !== undefined &&
      h(
        'p',
        { class: 'soft' },
        `Truncated: the first ${body?.length ?? 0} of ${cutFrom} characters. The mock keeps no more.`,
      ),
  );
}

/** A body as text; JSON is laid out, and its parts have their own colours. */
function BodyView({ text, label }: { readonly text: string; readonly label: string }) {
  const json = layOut(text);
  return h(
    'pre',
    { class: 'body', tabIndex: 0, 'aria-label': label },
    json === undefined ? text : colour(json),
  );
}

/** Undefined: it is no JSON, or not all of it. */
function layOut(text: string): string | undefined {
  try {
    return stringifyJson(parseJson(text), 2);
  } catch {
    return undefined;
  }
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function colour(json: string): ComponentChild[] {
  const parts: ComponentChild[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [all, string, colon = ''] = match;
    parts.push(json.slice(end, match.index));
    const kind = string === undefined ? 'json-literal' : colon ? 'json-name' : 'json-string';
    parts.push(h('span', { class: kind }, string ?? all), colon);
    end = match.index + all.length;
  }
  parts.push(json.slice(end));
  return parts;
}

/** What can be done with a request that was seen. */
function RequestActions({ request }: { readonly request: LoggedRequest }) {
  const served = useValue(contract);

  function copy(): Promise<void> {
    const operation = served?.operations.find(({ id }) => id === request.operation);
    const command = curlOf(request, operation, served?.key ?? '$PADDOCK_API_KEY', mockUrl);
    return copyText(command, 'The curl command');
  }

  async function sendAgain(): Promise<void> {
    try {
      const { number, status } = await admin<LoggedRequest>(`requests/${request.number}`, { method: 'POST' });
      notify(`Sent again: ${status === 0 ? 'the connection was dropped' : `status ${status}`}.`);
      goTo(['requests', String(number)]);
    } catch (error) {
      notifyFailure(error);
    }
  }

  return h(
    'div',
    { class: 'toolbar' },
    button('Copy as curl', copy),
    button('Send again', sendAgain),
    request.operation !== undefined &&
      button('Create rule', () => goTo(['rules', 'new', String(request.number)])),
  );
}

/** One request of the list. */
export function RequestRow({ request }: { readonly request: LoggedRequest }) {
  const { at, method, target, status, ms, code, response } = request;
  const { source, violations: broken = [] } = response;
  const notes = [code, source, broken.length > 0 ? `${broken.length} broken` : undefined];
  return h(
    Fragment,
    {},
    h('span', { class: 'row-time' }, timeOf(at)),
    h('span', { class: `row-method method-${method.toLowerCase()}` }, method),
    h('span', { class: 'row-target', title: target }, target),
    h('span', { class: 'row-code' }, notes.filter((note) => note !== undefined).join(' · ')),
    h('span', { class: `row-status ${statusClass(status)}` }, status === 0 ? 'drop' : String(status)),
    h('span', { class: 'row-ms' }, durationOf(ms)),
  );
}

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

/** The time of day where the person is, with milliseconds. */
function timeOf(at: string): string {
  const date = new Date(at);
  return `${CLOCK.format(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function durationOf(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function statusClass(status: number): string {
  if (status === 0 || status >= 500) return 'status-bad';
  if (status >= 400) return 'status-warn';
  return status >= 300 ? 'status-info' : 'status-good';
}
