import { type ComponentType, Fragment, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { isTokenWanted, TokenForm } from './admin.ts';
import { ConnectionBanner, ConnectionStatus } from './connection.ts';
import { contract } from './contract.ts';
import { NoticeArea } from './messages.ts';
import { CONSOLE, linkTo, route, SESSION } from './place.ts';
import { useValue } from './value.ts';

interface AppProps {
  /** In the order of the navigation; the first one is shown first. */
  readonly pages: readonly Page[];
  /** Links behind those to the pages. */
  readonly further?: readonly HeaderLink[];
}

export function App({ pages, further = [] }: AppProps) {
  const [path = '', ...steps] = useValue(route);
  const isLocked = useValue(isTokenWanted);
  const served = useValue(contract);
  const page = pages.find((one) => one.path === path) ?? pages[0];
  useEffect(() => {
    document.title = [page?.title, served?.title, 'Paddock'].filter(Boolean).join(' · ');
  }, [page, served]);
  if (!page) return null;
  return h(
    Fragment,
    {},
    h('a', { class: 'skip', href: '#content', onClick: skip }, 'Skip to content'),
    h(Header, { pages, further, current: page.path }),
    h(ConnectionBanner, {}),
    h(
      'main',
      { id: 'content', tabIndex: -1 },
      isLocked ? h(TokenForm, {}) : h(page.view, { steps, key: page.path }),
    ),
    h(NoticeArea, {}),
  );
}

/** The fragment of the address is taken by the page that is shown. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** One page of the console. */
export interface Page {
  /** The first step of its address: `#/requests`. */
  readonly path: string;
  readonly title: string;
  /** Shown with the further steps of its address. */
  readonly view: ComponentType<PageProps>;
}

export interface PageProps {
  readonly steps: readonly string[];
}

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
