import { h } from 'preact';
import { ConnectionStatus } from './connection-status.ts';
import { contract } from './contract.ts';
import type { Page } from './page.ts';
import { CONSOLE, linkTo, SESSION } from './place.ts';
import { useValue } from './value.ts';

export interface HeaderLink {
  readonly path: string;
  readonly title: string;
  readonly href: string;
}

interface HeaderProps {
  readonly pages: readonly Page[];
  readonly further: readonly HeaderLink[];
  /** The path of the page that is shown. */
  readonly current: string;
}

/** What is served, the pages, and whether the mock is there. */
export function Header({ pages, further, current }: HeaderProps) {
  const links = [
    ...pages.map(({ path, title }) => ({ path, title, href: CONSOLE + linkTo(path) })),
    ...further,
  ];
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
        links.map(({ path, title, href }) =>
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
