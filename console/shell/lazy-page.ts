import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Page, PageProps } from './app.ts';
import { connection } from './connection.ts';
import { skeleton } from './controls.ts';
import { useValue } from './value.ts';

export interface LazyPage {
  readonly view: ComponentType<PageProps>;
  /** Loads its code before it is shown. */
  readonly load: () => Promise<void>;
}

/** A page whose code is loaded when it is first shown, so that another one need not wait for it. */
export function lazyPage(loadView: () => Promise<ComponentType<PageProps>>): LazyPage {
  let loaded: ComponentType<PageProps> | undefined;

  async function load(): Promise<void> {
    loaded ??= await loadView();
  }

  function View(props: PageProps) {
    const [view, setView] = useState(() => loaded);
    const state = useValue(connection);
    useEffect(() => {
      if (view) return;
      // The banner says that the mock is gone; what failed is tried again when it is back.
      load().then(
        () => setView(() => loaded),
        () => {},
      );
    }, [state]);
    return view ? h(view, props) : h('div', { class: 'card' }, skeleton());
  }

  return { view: View, load };
}

/** Loads the other pages when the first one is there: a mock that is gone by then cannot serve them. */
export function loadOthers(pages: readonly Pick<Page, 'load'>[]): void {
  const next = () => Promise.all(pages.map(({ load }) => load?.())).catch(() => {});
  // Safari has no idle callback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(next);
  else setTimeout(next, 1000);
}
