import { h, render } from 'preact';
import { loadOthers, PAGES } from './pages.ts';
import { App } from './shell/app.ts';
import { keepConnected } from './shell/connection.ts';
import { contract } from './shell/contract.ts';
import { followAddress } from './shell/place.ts';
import { followSession } from './shell/session-state.ts';
import { Strip } from './shell/strip.ts';

const isReference = document.body.dataset.page === 'reference';
followAddress();
render(h(App, { pages: PAGES, strip: Strip }), document.getElementById('console') as HTMLElement);
followSession();
keepConnected();
const stop = contract.subscribe(() => {
  stop();
  // Every page announces a changed document; the API reference is not left for another page of the console.
  loadOthers(PAGES.filter(({ path, href }) => (isReference ? path === 'changes' : href === undefined)));
});
