import { Fragment, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { ConnectionBanner } from './connection-banner.ts';
import { contract } from './contract.ts';
import { Header, type HeaderLink } from './header.ts';
import { NoticeArea } from './notice.ts';
import type { Page } from './page.ts';
import { route } from './place.ts';
import { isTokenWanted } from './token.ts';
import { TokenForm } from './token-form.ts';
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
