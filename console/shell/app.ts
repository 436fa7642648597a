import { Fragment, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { PAGES } from '../pages.ts';
import { ConnectionBanner } from './connection-banner.ts';
import { contract } from './contract.ts';
import { Header } from './header.ts';
import { NoticeArea } from './notice.ts';
import { route } from './place.ts';
import { isTokenWanted } from './token.ts';
import { TokenForm } from './token-form.ts';
import { useValue } from './value.ts';

export function App() {
  const [path = '', ...steps] = useValue(route);
  const isLocked = useValue(isTokenWanted);
  const served = useValue(contract);
  const page = PAGES.find((one) => one.path === path) ?? PAGES[0];
  useEffect(() => {
    document.title = [page?.title, served?.title, 'Paddock'].filter(Boolean).join(' · ');
  }, [page, served]);
  if (!page) return null;
  return h(
    Fragment,
    {},
    h('a', { class: 'skip', href: '#content', onClick: skip }, 'Skip to content'),
    h(Header, { current: page.path }),
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
