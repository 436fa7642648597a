import { h, render } from 'preact';
import { App } from '../shell/app.ts';
import { keepConnected } from '../shell/connection.ts';
import { ExchangesPage } from './exchanges-page.ts';
import { FindingsPage } from './findings-page.ts';

/** The console of `paddock proxy`. */
const PAGES = [
  { path: 'findings', title: 'Findings', view: FindingsPage },
  { path: 'requests', title: 'Requests', view: ExchangesPage },
];

render(h(App, { pages: PAGES }), document.getElementById('console') as HTMLElement);
keepConnected();
