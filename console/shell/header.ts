import { h } from 'preact';
import { PAGES, type Page } from '../pages.ts';
import { ConnectionStatus } from './connection-status.ts';
import { contract } from './contract.ts';
import { linkTo, SESSION } from './place.ts';
import { useValue } from './value.ts';

/** What is served, the pages, and whether the mock is there. */
export function Header({ current }: { readonly current: Page }) {
  const served = useValue(contract);
  return h(
    'header',
    { class: 'header' },
    h(
      'div',
      { class: 'brand' },
      h('img', { src: 'console/icon.svg', alt: '', width: 28, height: 28 }),
      h(
        'div',
        { class: 'brand-text' },
        h('h1', {}, 'Paddock'),
        h('p', { class: 'served' }, served ? `${served.title} ${served.version}` : ' '),
      ),
    ),
    h(
      'nav',
      { 'aria-label': 'Pages' },
      h(
        'ul',
        {},
        PAGES.map(({ path, title }) =>
          h(
            'li',
            { key: path },
            h('a', { href: linkTo(path), 'aria-current': path === current.path ? 'page' : undefined }, title),
          ),
        ),
      ),
    ),
    h(
      'div',
      { class: 'header-end' },
      SESSION !== '' &&
        h('span', { class: 'chip', title: 'The session that this page shows' }, `session ${SESSION}`),
      h(ConnectionStatus, {}),
    ),
  );
}
