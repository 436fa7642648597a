import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { onEvent } from '../shell/connection.ts';
import type { DocumentChange } from '../wire.ts';

/** Another document is served than the one that is shown, with what a person may have entered. */
export function ChangeBanner() {
  const [isOld, setOld] = useState(false);
  useEffect(
    () =>
      onEvent('document', (data) => {
        if ((JSON.parse(data) as DocumentChange).kind === 'changed') setOld(true);
      }),
    [],
  );
  if (!isOld) return null;
  return h(
    'p',
    { class: 'banner toolbar', role: 'status' },
    'The document has changed since this page was opened.',
    h('button', { class: 'button small', type: 'button', onClick: () => location.reload() }, 'Show it'),
  );
}
