import { h, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FURTHER, PAGES } from '../pages.ts';
import { adminText, explainFailure, isTokenWanted, TokenForm } from '../shell/admin.ts';
import { Frame } from '../shell/app.ts';
import { keepConnected, onEvent } from '../shell/connection.ts';
import { button } from '../shell/controls.ts';
import { followSession } from '../shell/session-state.ts';
import { Strip } from '../shell/strip.ts';
import { useValue } from '../shell/value.ts';
import type { DocumentChange, ReferenceView } from '../wire.ts';
import { nameControls, parseDocument, readExactly, showReference } from './swagger-ui.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');
const showScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', showScheme);
showScheme();
readExactly();
render(h(ReferenceApp, {}), document.getElementById('console') as HTMLElement);
followSession();
keepConnected();

/** The page of the API reference, within the frame of the console. */
function ReferenceApp() {
  const isLocked = useValue(isTokenWanted);
  return h(
    Frame,
    { pages: PAGES, further: FURTHER, strip: Strip, current: 'reference' },
    h(ChangeBanner, {}),
    isLocked ? h('main', {}, h(TokenForm, {})) : h(Reference, {}),
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
    { class: 'reference', id: 'content', tabIndex: -1 },
    h('p', { class: 'problem', role: 'alert' }, problem),
    h('div', { ref: place }),
  );
}
