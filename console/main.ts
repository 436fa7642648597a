import { h, render } from 'preact';
import { FURTHER, PAGES } from './pages.ts';
import { App } from './shell/app.ts';
import { keepConnected } from './shell/connection.ts';
import { followSession } from './shell/session-state.ts';
import { Strip } from './shell/strip.ts';

render(
  h(App, { pages: PAGES, further: FURTHER, strip: Strip }),
  document.getElementById('console') as HTMLElement,
);
followSession();
keepConnected();
