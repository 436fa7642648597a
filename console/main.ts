import { h, render } from 'preact';
import { App } from './shell/app.ts';
import { keepConnected } from './shell/connection.ts';

render(h(App, {}), document.getElementById('console') as HTMLElement);
keepConnected();
