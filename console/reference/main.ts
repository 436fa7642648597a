import { Fragment, h, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FURTHER, PAGES } from '../pages.ts';
import { adminText, explainFailure, isTokenWanted, TokenForm } from '../shell/admin.ts';
import { Header } from '../shell/app.ts';
import { ConnectionBanner, keepConnected, onEvent } from '../shell/connection.ts';
import { button } from '../shell/controls.ts';
import { NoticeArea } from '../shell/messages.ts';
import { useValue } from '../shell/value.ts';
import type { DocumentChange, ReferenceView } from '../wire.ts';
import { nameControls, parseDocument, readExactly, showReference } from './swagger-ui.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');
const showScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', showScheme);
showScheme();
readExactly();
render(h(ReferenceApp, {}), document.getElementById('console') as HTMLElement);
keepConnected();

/** The page of the API reference, within the frame of the console. */
function ReferenceApp() {
  const isLocked = useValue(isTokenWanted);
  return h(
    Fragment,
    {},
    h(Header, { pages: PAGES, further: FURTHER, current: 'reference' }),
    h(ConnectionBanner, {}),
    h(ChangeBanner, {}),
    isLocked ? h('main', {}, h(TokenForm, {})) : h(Reference, {}),
    h(NoticeArea, {}),
  );
}

/** Another document is served than the one that is shown, with what a person may have entered. */
function ChangeBanner() {
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
    button('Reload', () => location.reload(), { class: 'small' }),
  );
}

/** The served document, with "try it" on each operation. */
function Reference() {
  const place = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const node = place.current as HTMLDivElement;
    const stop = nameControls(node);
    const document = new URLSearchParams(location.search).get('document');
    adminText('reference-document', document === null ? {} : { query: { document } })
      .then((text) => showReference(node, parseDocument(text) as ReferenceView))
      .catch((error) => setProblem(explainFailure(error)));
    return stop;
  }, []);
  return h(
    'div',
    { class: 'reference' },
    h('p', { class: 'problem', role: 'alert' }, problem),
    h('div', { ref: place }),
  );
}
