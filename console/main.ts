import { h, render } from 'preact';
import { FURTHER, loadOthers, PAGES } from './pages.ts';
import { App } from './shell/app.ts';
import { keepConnected } from './shell/connection.ts';
import { contract } from './shell/contract.ts';
import { followAddress } from './shell/place.ts';
import { followSession } from './shell/session-state.ts';
import { Strip } from './shell/strip.ts';

followAddress();
render(
  h(App, { pages: PAGES, further: FURTHER, strip: Strip }),
  document.getElementById('console') as HTMLElement,
);
followSession();
keepConnected();
const stop = contract.subscribe(() => {
  stop();
  loadOthers(PAGES);
});
