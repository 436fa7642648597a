import { h, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import palette from '../../brand/palette.css';
import { RecordsPage } from '../records/records-page.ts';
import { requestLog } from '../requests/request-log.ts';
import { RequestsPage } from '../requests/requests-page.ts';
import { OfflineSwitch } from '../scenarios/effects.ts';
import { isOffline } from '../scenarios/quick-rules.ts';
import { ScenariosPage } from '../scenarios/scenarios-page.ts';
import { type Access, setAccess } from '../shell/access.ts';
import { AccessForm, isTokenWanted } from '../shell/admin.ts';
import { ConnectionBanner, ConnectionStatus, connection, keepConnected } from '../shell/connection.ts';
import { contract } from '../shell/contract.ts';
import { iconButton, tabId, tabList } from '../shell/controls.ts';
import { KeyHelp, takeKey } from '../shell/keys.ts';
import { NoticeArea } from '../shell/messages.ts';
import { goTo, linkTo, route, stepsOf } from '../shell/place.ts';
import { isActive } from '../shell/rule.ts';
import { followSession, sessionState } from '../shell/session-state.ts';
import { useValue } from '../shell/value.ts';
import base from '../style/base.css';
import controls from '../style/controls.css';
import marks from '../style/marks.css';
import panels from '../style/panels.css';
import records from '../style/records.css';
import requests from '../style/requests.css';
import scenarios from '../style/scenarios.css';
import style from './devtools.css';
import { type Layout, readLayout, Separator, writeLayout } from './layout.ts';
import type { Devtools } from './options.ts';

const HOST = 'paddock-devtools';

/** The event that asks an existing dock to close. */
const CLOSE = 'paddock-close';

/**
 * Mounts the dock in the page. Its shadow root separates styles of page and dock, and is open, so that the page's tests and
 * accessibility checkers can see it. Its style sheet is adopted, since the page's `style-src` applies to elements.
 */
export function mountDock(access: Access): Devtools {
  for (const other of document.querySelectorAll(HOST)) other.dispatchEvent(new Event(CLOSE));
  const host = document.createElement(HOST);
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  const texts = [
    palette.replace(':root', '.root'),
    base,
    controls,
    panels,
    marks,
    requests,
    records,
    scenarios,
    style,
  ];
  sheet.replaceSync(texts.join(''));
  shadow.adoptedStyleSheets = [sheet];
  const root = document.createElement('div');
  root.className = 'root';
  root.dir = 'ltr';
  shadow.append(root);
  keepToItself(root);
  setAccess(access);
  render(h(Panel, {}), root);
  // Not in the body, which pages may replace, hydrate and make inert.
  document.documentElement.append(host);
  const ended = new AbortController();
  const unfollow = followSession();
  keepConnected(ended.signal);

  function close(): void {
    ended.abort();
    unfollow();
    render(null, root);
    host.remove();
    forget();
  }

  host.addEventListener(CLOSE, close);
  return { close };
}

/** The next dock may be for another mock. */
function forget(): void {
  connection.set('connecting');
  isTokenWanted.set(false);
  contract.set(undefined);
  requestLog.set([]);
  for (const value of Object.values(sessionState)) value.set(undefined);
}

/**
 * Keeps events from the page: keys must not trigger its shortcuts, and clicks must not close its menus or follow its links.
 */
function keepToItself(root: HTMLElement): void {
  for (const name of ['keydown', 'keyup', 'keypress', 'click', 'mousedown', 'pointerdown', 'focusin'])
    root.addEventListener(name, (event) => event.stopPropagation());
  root.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a')?.getAttribute('href');
    if (!link?.startsWith('#/')) return;
    event.preventDefault();
    goTo(stepsOf(link));
  });
}

const TABS = [
  { id: 'requests', title: 'Requests', view: RequestsPage },
  { id: 'scenarios', title: 'Scenarios', view: ScenariosPage },
  { id: 'records', title: 'Records', view: RecordsPage },
] as const;

/** The round button, and the panel that it opens. */
function Panel() {
  const [layout, setLayout] = useState(readLayout);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(layout.isOpen);
  const rules = useValue(sessionState.rules) ?? [];
  const change = (part: Partial<Layout>) => {
    const changed = { ...layout, ...part };
    writeLayout(changed);
    setLayout(changed);
  };

  useEffect(() => goTo([layout.tab]), []);
  useEffect(() => {
    if (wasOpen.current && !layout.isOpen) opener.current?.focus();
    wasOpen.current = layout.isOpen;
  }, [layout.isOpen]);

  const active = rules.filter(isActive).length;
  const note = rules.some(isOffline) ? 'off-line' : active > 0 ? `rules: ${active}` : '';
  return h('aside', { 'aria-label': 'Paddock devtools' }, [
    layout.isOpen
      ? h(Dock, { layout, onChange: change, onClose: () => change({ isOpen: false }) })
      : h(
          'button',
          {
            ref: opener,
            type: 'button',
            class: note === '' ? 'opener' : 'opener noted',
            title: 'Paddock devtools',
            'aria-label': `Open Paddock devtools${note && ` (${note})`}`,
            'aria-expanded': false,
            onClick: () => change({ isOpen: true }),
          },
          mark(22),
        ),
  ]);
}

interface DockProps {
  readonly layout: Layout;
  readonly onChange: (part: Partial<Layout>) => void;
  readonly onClose: () => void;
}

/** The console's pages that matter while a page is developed. */
function Dock({ layout: { side, size }, onChange, onClose }: DockProps) {
  const dock = useRef<HTMLElement>(null);
  const served = useValue(contract);
  const isLocked = useValue(isTokenWanted);
  const clock = useValue(sessionState.clock);
  const [path, ...steps] = useValue(route);
  const tab = TABS.find(({ id }) => id === path) ?? TABS[0];

  // Moves the focus into the panel, for those who open it by key.
  useEffect(() => dock.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus(), []);
  // A link may select another tab.
  useEffect(() => onChange({ tab: tab.id }), [tab]);

  const press = (event: KeyboardEvent) => {
    if (!takeKey(event, {}) && event.key === 'Escape') onClose();
  };
  const frame = {
    ref: dock,
    class: `dock at-${side}`,
    'aria-label': 'Panel',
    style: { '--size': `${size}px` },
  };
  return h('section', { ...frame, onKeyDown: press }, [
    h(Separator, { side, size, onSize: (changed) => onChange({ size: changed }) }),
    h('header', { class: 'head' }, [
      h('div', { class: 'brand', title: served && `${served.title} ${served.version}` }, [
        mark(18),
        h('strong', {}, 'Paddock'),
        h(ConnectionStatus, {}),
      ]),
      tabList(TABS, tab.id, (chosen) => goTo([chosen]), { label: 'Panel', panel: 'panel' }),
      h('div', { class: 'head-end' }, [
        clock?.given &&
          h('a', { class: 'chip', href: linkTo('scenarios'), title: 'The clock of the session' }, [
            `${clock.now.slice(0, 16).replace('T', ' ')} UTC`,
          ]),
        h(OfflineSwitch, {}),
        iconButton(
          side === 'bottom' ? 'right' : 'bottom',
          side === 'bottom' ? 'Move to the side' : 'Move to the bottom',
          () => onChange({ side: side === 'bottom' ? 'right' : 'bottom' }),
          { class: 'side-switch' },
        ),
        iconButton('close', 'Close', onClose),
      ]),
    ]),
    h(ConnectionBanner, {}),
    h('div', { class: 'page', id: 'panel', role: 'tabpanel', 'aria-labelledby': tabId('panel', tab.id) }, [
      isLocked ? h(AccessForm, {}) : h(tab.view, { steps, key: tab.id }),
    ]),
    h(KeyHelp, { pages: {} }),
    h(NoticeArea, {}),
  ]);
}

import svg from '../../brand/mark.svg';

const SHAPES = [...svg.matchAll(/<(rect|path) ([^>]*)\/>/g)].map(
  ([, name = '', attributes = '']) =>
    [
      name,
      Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, one = '', value = '']) => [one, value]),
      ),
    ] as const,
);

/** The mark as elements, since a page may forbid foreign pictures and markup parsed at run time. */
function mark(size: number) {
  return h('svg', { viewBox: '0 0 32 32', width: size, height: size, 'aria-hidden': 'true' }, [
    SHAPES.map(([name, attributes]) => h(name, { key: attributes.d, ...attributes })),
  ]);
}
