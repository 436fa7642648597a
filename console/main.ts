import { h, render } from 'preact';
import { FURTHER, PAGES } from './pages.ts';
import { App } from './shell/app.ts';
import { keepConnected } from './shell/connection.ts';

render(h(App, { pages: PAGES, further: FURTHER }), document.getElementById('console') as HTMLElement);
keepConnected();
