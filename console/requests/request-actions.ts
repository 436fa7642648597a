import { h } from 'preact';
import { admin, explainFailure } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { copyText } from '../shell/copy.ts';
import { notify } from '../shell/notice.ts';
import { goTo, mockUrl } from '../shell/place.ts';
import { useValue } from '../shell/value.ts';
import type { LoggedRequest } from '../wire.ts';
import { curlOf } from './curl.ts';

/** What can be done with a request that was seen. */
export function RequestActions({ request }: { readonly request: LoggedRequest }) {
  const served = useValue(contract);

  async function copy(): Promise<void> {
    const operation = served?.operations.find(({ id }) => id === request.operation);
    const command = curlOf(request, operation, served?.key ?? '$PADDOCK_API_KEY', mockUrl);
    const isCopied = await copyText(command);
    notify(isCopied ? 'The curl command is on the clipboard.' : 'The browser allows no copying.', !isCopied);
  }

  async function sendAgain(): Promise<void> {
    try {
      const { number, status } = await admin<LoggedRequest>(`requests/${request.number}`, { method: 'POST' });
      notify(`Sent again: ${status === 0 ? 'the connection was dropped' : `status ${status}`}.`);
      goTo(['requests', String(number)]);
    } catch (error) {
      notify(explainFailure(error), true);
    }
  }

  return h(
    'div',
    { class: 'toolbar' },
    h('button', { class: 'button', type: 'button', onClick: copy }, 'Copy as curl'),
    h('button', { class: 'button', type: 'button', onClick: sendAgain }, 'Send again'),
    request.operation !== undefined &&
      h(
        'button',
        { class: 'button', type: 'button', onClick: () => goTo(['rules', 'new', String(request.number)]) },
        'Make a rule',
      ),
  );
}
