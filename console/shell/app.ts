import { type ComponentChildren, type ComponentType, Fragment, h } from 'preact';
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
  /** In the order of the navigation; the first one is shown first. */
  readonly pages: readonly Page[];
  /** Links behind those to the pages. */
  readonly further?: readonly PageLink[];
  /** Above each page. */
  readonly strip?: ComponentType;
}

export function App({ pages, further, strip }: AppProps) {
  const [path = '', ...steps] = useValue(route);
  const isLocked = useValue(isTokenWanted);
  const served = useValue(contract);
  const page = pages.find((one) => one.path === path) ?? pages[0];
  useEffect(() => {
    document.title = [page?.title, served?.title, 'Paddock'].filter(Boolean).join(' · ');
  }, [page, served]);
  if (!page) return null;
  return h(Frame, { pages, further, strip, current: page.path }, [
    h('main', { id: 'content', class: 'page', tabIndex: -1 }, [
      isLocked ? h(AccessForm, {}) : h(page.view, { steps, key: page.path }),
    ]),
  ]);
}

/** A page of its own in the navigation. */
export interface PageLink {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** The key that leads to it after `g`. */
  readonly letter: string;
  /** Absent: a part of the console. */
  readonly href?: string;
  /** Whether a line is above it. */
  readonly isApart?: boolean;
}

export interface Page extends PageLink {
  /** Shown with the further steps of its address. */
  readonly view: ComponentType<PageProps>;
  /** Loads its code before it is shown; absent: it is there. */
  readonly load?: () => Promise<void>;
}

export interface PageProps {
  /** What comes after its path: `#/requests/7`. */
  readonly steps: readonly string[];
}

interface FrameProps extends Omit<AppProps, 'further' | 'strip'> {
  readonly further?: readonly PageLink[] | undefined;
  readonly strip?: ComponentType | undefined;
  /** The path of the page that is shown. */
  readonly current: string;
  readonly children?: ComponentChildren;
}

/** What is around every page: the navigation beside it, the strip above it, messages. */
export function Frame({ pages, further = [], strip, current, children }: FrameProps) {
  const links = [...pages, ...further].map((link) => ({
    ...link,
    href: link.href ?? consoleUrl(link.path),
  }));
  const keys: PageKeys = Object.fromEntries(
    links.map(({ letter, title, href }) => [letter, { title, href }]),
  );
  const isLocked = useValue(isTokenWanted);
  usePageKeys(keys);
  return h(Fragment, {}, [
    h('a', { class: 'skip', href: '#content', onClick: skip }, 'Skip to content'),
    h(Rail, { links, current }),
    h('div', { class: 'stage' }, strip && !isLocked && h(strip, {}), h(ConnectionBanner, {}), children),
    h(KeyHelp, { pages: keys }),
    h(NoticeArea, {}),
  ]);
}

/** The fragment of the address is taken by the page that is shown. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

interface RailProps {
  readonly links: readonly (PageLink & { readonly href: string })[];
  readonly current: string;
}

/** The pages, what is served, and whether the mock is there; in a narrow window a bar with a menu. */
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
