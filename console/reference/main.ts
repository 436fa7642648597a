import { h, render } from 'preact';
import { FURTHER, loadOthers, PAGES } from '../pages.ts';
import { AccessForm, isTokenWanted } from '../shell/admin.ts';
import { Frame } from '../shell/app.ts';
import { keepConnected } from '../shell/connection.ts';
import { contract } from '../shell/contract.ts';
import { followAddress } from '../shell/place.ts';
import { followSession } from '../shell/session-state.ts';
import { Strip } from '../shell/strip.ts';
import { useValue } from '../shell/value.ts';
import { ReferencePage } from './reference-page.ts';

followAddress();
render(h(ReferenceApp, {}), document.getElementById('console') as HTMLElement);
followSession();
keepConnected();
// Announces a changed document on every page.
const stop = contract.subscribe(() => {
  stop();
  loadOthers(PAGES.filter(({ path }) => path === 'changes'));
});

/** The page of the API reference, in the console's frame. */
function ReferenceApp() {
  const isLocked = useValue(isTokenWanted);
  return h(Frame, { pages: PAGES, further: FURTHER, strip: Strip, current: 'reference' }, [
    isLocked
      ? h('main', { id: 'content', class: 'page', tabIndex: -1 }, h(AccessForm, {}))
      : h(ReferencePage, {}),
  ]);
}
