import { h } from 'preact';
import { PAGES } from '../pages.ts';
import { ConnectionStatus } from './connection-status.ts';
import { contract } from './contract.ts';
import { CONSOLE, linkTo, REFERENCE, SESSION } from './place.ts';
import { useValue } from './value.ts';

const LINKS = [
  ...PAGES.map(({ path, title }) => ({ path, title, href: CONSOLE + linkTo(path) })),
  { path: 'reference', title: 'API reference', href: REFERENCE },
];

/** What is served, the pages, and whether the mock is there. */
export function Header({ current }: { readonly current: string }) {
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
        LINKS.map(({ path, title, href }) =>
          h(
            'li',
            { key: path },
            h('a', { href, 'aria-current': path === current ? 'page' : undefined }, title),
          ),
        ),
      ),
    ),
    h(
      'div',
      { class: 'header-end' },
      SESSION !== '' &&
        h(
          'a',
          { class: 'chip', href: CONSOLE + linkTo('sessions'), title: 'The session that this page shows' },
          `session ${SESSION}`,
        ),
      h(ConnectionStatus, {}),
    ),
  );
}
