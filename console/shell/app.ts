import { type ComponentType, Fragment, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AccessForm, isTokenWanted } from './admin.ts';
import { ConnectionBanner, ConnectionStatus } from './connection.ts';
import { contract } from './contract.ts';
import { KeyHelp, type PageKeys, usePageKeys } from './keys.ts';
import { type IconName, icon } from './labels.ts';
import { NoticeArea } from './messages.ts';
import { consoleUrl, route } from './place.ts';
import { useValue } from './value.ts';

interface AppProps {
  /** In the order of the navigation; the first one is the default. */
  readonly pages: readonly Page[];
  /** Above each page. */
  readonly strip?: ComponentType;
}

/** The page that the address names, in the frame of every page: navigation, strip and messages. */
export function App({ pages, strip }: AppProps) {
  const place = useValue(route);
  const { page: own } = document.body.dataset;
  const [path, ...steps] = own === undefined ? place : [own, ...place];
  const isLocked = useValue(isTokenWanted);
  const served = useValue(contract);
  const page = pages.find((one) => one.path === path) ?? pages[0];
  const links = pages.map((link) => ({ ...link, href: link.href ?? consoleUrl(link.path) }));
  const keys: PageKeys = Object.fromEntries(
    links.map(({ letter, title, href }) => [letter, { title, href }]),
  );
  usePageKeys(keys);
  useEffect(() => {
    document.title = [page?.title, served?.title, 'Paddock'].filter(Boolean).join(' · ');
  }, [page, served]);
  if (!page) return null;
  return h(Fragment, {}, [
    h('a', { class: 'skip', href: '#content', onClick: skip }, 'Skip to content'),
    h(Rail, { links, current: page.path }),
    h('div', { class: 'stage' }, [
      strip && !isLocked && h(strip, {}),
      h(ConnectionBanner, {}),
      h('main', { id: 'content', class: 'page', tabIndex: -1 }, [
        isLocked ? h(AccessForm, {}) : h(page.view, { steps, key: page.path }),
      ]),
    ]),
    h(KeyHelp, { pages: keys }),
    h(NoticeArea, {}),
  ]);
}

export interface Page {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** The key that opens it after `g`. */
  readonly letter: string;
  /** The address of a page that has its own. */
  readonly href?: string;
  /** Whether a line separates it from those above. */
  readonly isApart?: boolean;
  /** Shown with the remaining steps of its address. */
  readonly view: ComponentType<PageProps>;
  /** Loads its code before it is shown. Absent: it is loaded already. */
  readonly load?: () => Promise<void>;
}

export interface PageProps {
  /** The steps after its path: `#/requests/7`. */
  readonly steps: readonly string[];
}

/** The current page already uses the fragment of the address. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

interface RailProps {
  readonly links: readonly (Page & { readonly href: string })[];
  readonly current: string;
}

/** The pages, the served document, and the connection; in a narrow window a bar with a menu. */
function Rail({ links, current }: RailProps) {
  const served = useValue(contract);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [current]);
  return h('header', { class: isOpen ? 'rail open' : 'rail' }, [
    h('div', { class: 'brand' }, [
      h('img', { src: 'console/brand/mark.svg', alt: '', width: 28, height: 28 }),
      h('div', { class: 'brand-text' }, [
        h('h1', {}, 'Paddock'),
        h('p', { class: 'served', title: served && `${served.title} ${served.version}` }, [
          served ? `${served.title} ${served.version}` : ' ',
        ]),
      ]),
    ]),
    h(
      'button',
      {
        class: 'menu-button',
        type: 'button',
        'aria-expanded': isOpen,
        'aria-controls': 'pages',
        'aria-label': 'Menu',
        onClick: () => setOpen(!isOpen),
      },
      icon(isOpen ? 'close' : 'menu'),
    ),
    h('nav', { id: 'pages', 'aria-label': 'Pages' }, [
      h('ul', {}, [
        links.map(({ path, title, href, icon: picture, isApart }) =>
          h('li', { key: path, class: isApart ? 'apart' : undefined }, [
            h(
              'a',
              { href, 'aria-current': path === current ? 'page' : undefined, onClick: () => setOpen(false) },
              icon(picture),
              title,
            ),
          ]),
        ),
      ]),
    ]),
    h('div', { class: 'rail-end' }, h(ConnectionStatus, {})),
  ]);
}
