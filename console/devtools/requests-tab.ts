import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { curlCode } from '../code/curl-code.ts';
import { FROM_ENVIRONMENT } from '../code/script-value.ts';
import { sentAgain } from '../code/sent-again.ts';
import { durationOf, methodTag, pillOf } from '../shell/labels.ts';
import { MessageView } from '../shell/message-view.ts';
import { useValue } from '../shell/value.ts';
import type { LoggedRequest, LoggedViolation, Trace } from '../wire.ts';
import { EffectButtons } from './effect-buttons.ts';
import type { Model } from './model.ts';
import { detailHead, Split } from './split.ts';

/** How many rows are drawn; a search finds older ones. */
const MOST_SHOWN = 200;

/** The log of the mock as it grows, the newest first, and all that it says of one request. */
export function RequestsTab({ model }: { readonly model: Model }) {
  const requests = useValue(model.requests);
  const [chosen, choose] = useState<number | undefined>(undefined);
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = requests.filter((one) => wanted === '' || searchedIn(one).includes(wanted)).toReversed();
  const request = requests.find(({ number }) => number === chosen);
  const list = [
    h('div', { class: 'bar', key: 'bar' }, [
      h('input', {
        type: 'search',
        'aria-label': 'Search requests',
        placeholder: 'Search requests',
        value: text,
        onInput: (event) => setText(event.currentTarget.value),
      }),
      h('span', { class: 'soft count' }, found.length === 1 ? '1 request' : `${found.length} requests`),
      h('button', { type: 'button', class: 'quiet', onClick: model.clearRequests }, 'Clear'),
    ]),
    found.length === 0
      ? h('p', { class: 'empty', key: 'empty' }, 'What the page sends to the mock is listed here.')
      : h(RequestList, { requests: found.slice(0, MOST_SHOWN), chosen, onChoose: choose, key: 'list' }),
  ];
  const close = () => choose(undefined);
  const detail = request && h(RequestDetail, { model, request, key: request.number, onClose: close });
  return h(Split, { list, detail, detailKey: request?.number, onClose: close });
}

function searchedIn({ method, target, status, operation = '', code = '' }: LoggedRequest): string {
  return `${method} ${target} ${status} ${operation} ${code}`.toLowerCase();
}

interface RequestListProps {
  readonly requests: readonly LoggedRequest[];
  readonly chosen: number | undefined;
  readonly onChoose: (number: number) => void;
}

function RequestList({ requests, chosen, onChoose }: RequestListProps) {
  const list = useRef<HTMLUListElement>(null);

  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const rows = [...(list.current?.querySelectorAll('button') ?? [])];
    rows[rows.indexOf(event.target as HTMLButtonElement) + step]?.focus();
  }

  return h('ul', { ref: list, class: 'rows', 'aria-label': 'Requests', onKeyDown: move }, [
    requests.map((request) => {
      const { number, method, target, status, ms } = request;
      return h('li', { key: number }, [
        h(
          'button',
          {
            type: 'button',
            class: 'row',
            'aria-current': number === chosen ? 'true' : undefined,
            onClick: () => onChoose(number),
          },
          methodTag(method),
          h('span', { class: 'target', title: target }, target),
          h(Chip, { request }),
          h('span', { class: pillOf(status) }, status === 0 ? 'dropped' : String(status)),
          h('span', { class: 'ms' }, durationOf(ms)),
        ),
      ]);
    }),
  ]);
}

/** That a response is not the usual one, and why it was refused. */
function Chip({ request }: { readonly request: LoggedRequest }) {
  const { code, trace } = request;
  const { rule, by } = trace.answered;
  if (rule) return h('span', { class: 'chip signal' }, `rule ${rule.id}`);
  if (by === 'Prefer') return h('span', { class: 'chip signal' }, 'Prefer');
  return h('span', { class: 'chip-place soft' }, code ?? '');
}

interface RequestDetailProps {
  readonly model: Model;
  readonly request: LoggedRequest;
  readonly onClose: () => void;
}

function RequestDetail({ model, request, onClose }: RequestDetailProps) {
  const {
    number,
    method,
    target,
    operation,
    status,
    ms,
    at,
    message: text,
    violations,
    response,
    trace,
  } = request;
  return h(
    'article',
    {
      class: 'detail',
      'aria-label': `Request ${number}`,
      tabIndex: -1,
    },
    detailHead(
      onClose,
      methodTag(method),
      h('code', { class: 'target', title: target }, target),
      h('span', { class: pillOf(status) }, status === 0 ? 'dropped' : String(status)),
    ),
    h('p', { class: 'facts soft' }, [
      [operation ?? 'no operation', durationOf(ms), new Date(at).toLocaleTimeString(), request.deprecated]
        .filter((fact) => fact !== undefined)
        .join(' · '),
    ]),
    h(Actions, { model, request }),
    operation !== undefined && h(EffectButtons, { model, operation }),
    h(Why, { trace }),
    text !== undefined && violations.length === 0 && h('p', { class: 'violation' }, text),
    h(Violations, { violations }),
    h(Violations, { violations: response.violations ?? [] }),
    message('Request', { ...request, name: 'request', cutFrom: undefined }),
    message('Response', { ...response, name: 'response' }),
  );
}

function message(title: string, shown: Parameters<typeof MessageView>[0]) {
  return h('section', { class: 'message' }, h('h2', {}, title), h(MessageView, shown));
}

function Actions({ model, request }: Omit<RequestDetailProps, 'onClose'>) {
  const served = useValue(model.contract);
  const [done, setDone] = useState('');
  const { urlOf } = model;

  async function copy(): Promise<void> {
    if (!urlOf) return;
    const operation = served?.operations.find(({ id }) => id === request.operation);
    const command = curlCode(sentAgain(request, operation, served?.key ?? FROM_ENVIRONMENT, urlOf));
    await navigator.clipboard.writeText(command).then(
      () => setDone('Copied'),
      () => setDone('The browser does not let this page copy'),
    );
  }

  return h('div', { class: 'bar' }, [
    h('button', { type: 'button', onClick: () => model.sendAgain(request.number) }, 'Send again'),
    urlOf && h('button', { type: 'button', onClick: copy }, 'Copy as curl'),
    h('span', { class: 'soft', role: 'status' }, done),
  ]);
}

/** Why the response is what it is, in the words of the mock. */
function Why({ trace }: { readonly trace: Trace }) {
  const { answered, nearMisses, ignored, violations } = trace;
  return h('section', { class: 'why' }, [
    h('h2', {}, 'Why this response'),
    h('p', {}, answered.because),
    h('ul', {}, [
      nearMisses.map(({ rule, but }) => h('li', { key: rule }, `Rule ${rule} does not apply: ${but}`)),
      ignored.map(({ where, why }) =>
        h('li', { key: where }, h('code', {}, where), ` has no effect: ${why}`),
      ),
      violations.map((text) => h('li', { key: text, class: 'violation' }, text)),
    ]),
  ]);
}

function Violations({ violations }: { readonly violations: readonly LoggedViolation[] }) {
  if (violations.length === 0) return null;
  return h('ul', { class: 'violations', 'aria-label': 'Violations' }, [
    violations.map(({ where, message, at }) =>
      h('li', { key: `${where} ${message}` }, [
        h('code', {}, where),
        ` ${message}`,
        at !== undefined && h('span', { class: 'soft' }, ` ${at}`),
      ]),
    ),
  ]);
}
