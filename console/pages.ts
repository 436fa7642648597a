import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Page, PageProps } from './shell/app.ts';
import { connection } from './shell/connection.ts';
import { skeleton } from './shell/controls.ts';
import { referenceUrl } from './shell/place.ts';
import { useValue } from './shell/value.ts';

const start = lazyPage(async () => (await import('./start/start-page.ts')).StartPage);
const requests = lazyPage(async () => (await import('./requests/requests-page.ts')).RequestsPage);
const records = lazyPage(async () => (await import('./records/records-page.ts')).RecordsPage);
const scenarios = lazyPage(async () => (await import('./scenarios/scenarios-page.ts')).ScenariosPage);
const webhooks = lazyPage(async () => (await import('./webhooks.ts')).WebhooksPage);
const changes = lazyPage(async () => (await import('./changes.ts')).ChangesPage);
const sessions = lazyPage(async () => (await import('./sessions.ts')).SessionsPage);
const reference = lazyPage(async () => (await import('./reference/reference-page.ts')).ReferencePage);

/** In the order of the navigation; the first one is the default. */
export const PAGES: readonly Page[] = [
  { path: '', title: 'Start', icon: 'start', letter: 'o', ...start },
  { path: 'requests', title: 'Requests', icon: 'requests', letter: 'r', ...requests },
  { path: 'records', title: 'Records', icon: 'records', letter: 'd', ...records },
  { path: 'scenarios', title: 'Scenarios', icon: 'scenarios', letter: 'c', ...scenarios },
  { path: 'webhooks', title: 'Webhooks', icon: 'webhooks', letter: 'w', ...webhooks },
  { path: 'changes', title: 'Changes', icon: 'changes', letter: 'h', ...changes },
  { path: 'sessions', title: 'Sessions', icon: 'sessions', letter: 's', isApart: true, ...sessions },
  {
    path: 'reference',
    title: 'API reference',
    icon: 'reference',
    letter: 'a',
    href: referenceUrl(),
    ...reference,
  },
];

export interface LazyPage {
  readonly view: ComponentType<PageProps>;
  /** Loads its code before it is shown. */
  readonly load: () => Promise<void>;
}

/** A page whose code is loaded on first use, so that other pages start faster. */
function lazyPage(loadView: () => Promise<ComponentType<PageProps>>): LazyPage {
  let loaded: ComponentType<PageProps> | undefined;

  async function load(): Promise<void> {
    loaded ??= await loadView();
  }

  function View(props: PageProps) {
    const [view, setView] = useState(() => loaded);
    const state = useValue(connection);
    useEffect(() => {
      if (view) return;
      // The banner shows that the mock is unreachable; loading is retried when it is back.
      load().then(
        () => setView(() => loaded),
        () => {},
      );
    }, [state]);
    return view ? h(view, props) : h('div', { class: 'card' }, skeleton());
  }

  return { view: View, load };
}

/** Loads the other pages after the first, in case the mock stops before they are opened. */
export function loadOthers(pages: readonly Pick<Page, 'load'>[]): void {
  const next = () => Promise.all(pages.map(({ load }) => load?.())).catch(() => {});
  // Safari has no idle callback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(next);
  else setTimeout(next, 1000);
}
