import { Fragment, h } from 'preact';
import { BodyView } from '../shell/json-view.ts';
import { SourceExcerpt } from '../shell/source-excerpt.ts';
import type { LoggedRequest, LoggedViolation } from '../wire.ts';
import { RequestActions } from './request-actions.ts';
import { durationOf, statusClass, timeOf } from './request-row.ts';

/** All that is known of one request: what was wrong with it, what was sent, and what came back. */
export function RequestDetail({
  request,
  onClose,
}: {
  readonly request: LoggedRequest;
  readonly onClose: () => void;
}) {
  const { number, method, target, operation, status, at, ms, deprecated } = request;
  const { code, message, violations } = request;
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
        h('button', { class: 'button small', type: 'button', onClick: onClose }, 'Close'),
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
      ),
      h(RequestActions, { request }),
    ),
    message !== undefined && h(Violations, { message, violations }),
    h('section', {}, h('h4', {}, 'Request'), h(Message, { ...request, name: 'request', cutFrom: undefined })),
    h('section', {}, h('h4', {}, 'Response'), h(Message, { ...request.response, name: 'response' })),
  );
}

interface ViolationsProps {
  readonly message: string;
  readonly violations: readonly LoggedViolation[];
}

function Violations({ message: whole, violations }: ViolationsProps) {
  return h(
    'section',
    { class: 'violations' },
    h('h4', {}, violations.length <= 1 ? 'What was wrong' : `What was wrong: ${violations.length} things`),
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
        `The first ${body?.length ?? 0} of ${cutFrom} characters: the mock keeps no more.`,
      ),
  );
}
