import { h } from 'preact';
import { type ClientRequest, sentAgain } from '../code/client-request.ts';
import { curlCode, fetchCode } from '../code/request-code.ts';
import { FROM_ENVIRONMENT } from '../code/script-value.ts';
import { EffectButtons } from '../scenarios/effects.ts';
import { access, mockUrl } from '../shell/access.ts';
import { admin } from '../shell/admin.ts';
import { BodyView, MessageView } from '../shell/code-view.ts';
import { contract, SourceExcerpt } from '../shell/contract.ts';
import { button, iconButton } from '../shell/controls.ts';
import { durationOf, icon, pillOf } from '../shell/labels.ts';
import { attempt, copyText, notify } from '../shell/messages.ts';
import { goTo } from '../shell/place.ts';
import { useValue } from '../shell/value.ts';
import type { LoggedRequest, LoggedViolation } from '../wire.ts';
import { RequestChips, timeOf } from './request-row.ts';
import { WhyThisAnswer } from './why-this-answer.ts';

/** All details of a request: why it got its response, its problems, and both messages. */
export function RequestDetail({
  request,
  onClose,
}: {
  readonly request: LoggedRequest;
  readonly onClose: () => void;
}) {
  const { number, method, target, status, at, ms, message, violations, response, deprecated } = request;
  const { violations: broken = [] } = response;
  return h('article', { class: 'detail card', 'aria-label': `Request ${number}` }, [
    h('header', { class: 'detail-head' }, [
      h('div', { class: 'detail-title' }, [
        h('h3', {}, h('span', { class: `method-${method.toLowerCase()}` }, method), ' ', target),
        iconButton('close', 'Close', onClose, { class: 'small' }),
      ]),
      h('p', { class: 'detail-facts' }, [
        h('span', { class: pillOf(status) }, status === 0 ? 'connection dropped' : String(status)),
        h(RequestChips, { request }),
        h('span', {}, durationOf(ms)),
        h('span', {}, timeOf(at)),
        deprecated !== undefined && h('span', {}, deprecated),
      ]),
      h(RequestActions, { request }),
      request.operation !== undefined && h(EffectButtons, { operation: request.operation }),
    ]),
    message !== undefined &&
      h('div', { class: 'messages rejected' }, [
        h(Violations, { title: 'error', message, violations }),
        request.body !== undefined &&
          h('section', {}, h('h4', {}, 'Sent'), h(BodyView, { ...request, name: 'sent request' })),
      ]),
    broken.length > 0 && h(Violations, { title: 'violation of the document', violations: broken }),
    h(WhyThisAnswer, { request }),
    h('div', { class: 'messages' }, [
      h('section', {}, [
        h('h4', {}, 'Request'),
        h(MessageView, { ...request, name: 'request', cutFrom: undefined }),
      ]),
      h('section', {}, h('h4', {}, 'Response'), h(MessageView, { ...response, name: 'response' })),
    ]),
  ]);
}

interface ViolationsProps {
  /** The title of one of them. */
  readonly title: string;
  readonly message?: string;
  readonly violations: readonly LoggedViolation[];
}

function Violations({ title, message: whole, violations }: ViolationsProps) {
  const [first = '', ...others] = title;
  const many = `${violations.length} ${title.replace(/^\w+/, '$&s')}`;
  return h('section', { class: 'violations' }, [
    h('h4', {}, violations.length <= 1 ? first.toUpperCase() + others.join('') : many),
    violations.length === 0 && h('p', { class: 'violation' }, whole),
    h('ol', {}, [
      violations.map(({ where, message, at }) =>
        h('li', { key: `${where} ${message}` }, [
          h('p', { class: 'violation' }, h('code', {}, where), ' ', message),
          at !== undefined && h(SourceExcerpt, { at }),
        ]),
      ),
    ]),
  ]);
}

/** Actions for a logged request. */
function RequestActions({ request }: { readonly request: LoggedRequest }) {
  const served = useValue(contract);

  function copy(codeOf: (request: ClientRequest) => string, what: string): Promise<void> {
    const operation = served?.operations.find(({ id }) => id === request.operation);
    return copyText(codeOf(sentAgain(request, operation, served?.key ?? FROM_ENVIRONMENT, mockUrl)), what);
  }

  const sendAgain = () =>
    attempt(async () => {
      const { number, status } = await admin<LoggedRequest>(`requests/${request.number}`, { method: 'POST' });
      notify(`Sent again: ${status === 0 ? 'the connection was dropped' : `status ${status}`}.`);
      goTo(['requests', String(number)]);
    });

  return h('div', { class: 'toolbar' }, [
    // Other programs cannot reach a mock in the page.
    access().isShared && [
      button('Copy as curl', () => copy(curlCode, 'The curl command'), { icon: 'copy' }),
      button('Copy as fetch', () => copy(fetchCode, 'The code'), { icon: 'copy' }),
    ],
    button('Send again', sendAgain, { icon: 'run' }),
    request.operation !== undefined &&
      h('a', { class: 'button', href: `#/scenarios/new?from=${request.number}` }, [
        icon('scenarios'),
        'Create scenario',
      ]),
  ]);
}
