import { h, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import palette from '../../brand/palette.css';
import { tabId, tabList } from '../shell/controls.ts';
import { icon } from '../shell/icons.ts';
import { isActive } from '../shell/rule.ts';
import { TokenForm } from '../shell/token-form.ts';
import { useValue } from '../shell/value.ts';
import labels from '../style/labels.css';
import { Conditions } from './conditions.ts';
import style from './devtools.css';
import { type Layout, readLayout, writeLayout } from './layout.ts';
import { mark } from './mark.ts';
import type { Model } from './model.ts';
import type { Devtools } from './options.ts';
import { isOffline } from './quick-rules.ts';
import { RecordsTab } from './records-tab.ts';
import { RequestsTab } from './requests-tab.ts';
import { ScenariosTab } from './scenarios-tab.ts';
import { Separator } from './separator.ts';

const HOST = 'paddock-devtools';

/** Asks the panel that a page has to close. */
const CLOSE = 'paddock-close';

/**
 * Puts the panel into the page. Its shadow root keeps styles of the page out and its own in, and is open so that tests of a
 * page, and what judges accessibility, can see it. Its style sheet is adopted: a `style-src` of the page applies to elements.
 */
export function mountDock(model: Model): Devtools {
  for (const other of document.querySelectorAll(HOST)) other.dispatchEvent(new Event(CLOSE));
  const host = document.createElement(HOST);
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(palette.replace(':root', '.root') + labels + style);
  shadow.adoptedStyleSheets = [sheet];
  const root = document.createElement('div');
  root.className = 'root';
  root.dir = 'ltr';
  shadow.append(root);
  keepToItself(root);
  render(h(Panel, { model }), root);
  // Not into the body, which pages replace, hydrate and make inert.
  document.documentElement.append(host);

  function close(): void {
    model.close();
    render(null, root);
    host.remove();
  }

  host.addEventListener(CLOSE, close);
  return { close };
}

/** Keys typed here are no short cuts of the page, and a click here closes none of its menus. */
function keepToItself(root: HTMLElement): void {
  for (const name of ['keydown', 'keyup', 'keypress', 'click', 'mousedown', 'pointerdown', 'focusin'])
    root.addEventListener(name, (event) => event.stopPropagation());
}

const TABS = [
  { id: 'requests', title: 'Requests', view: RequestsTab },
  { id: 'scenarios', title: 'Scenarios', view: ScenariosTab },
  { id: 'records', title: 'Records', view: RecordsTab },
] as const;

/** The round button, and what it opens. */
function Panel({ model }: { readonly model: Model }) {
  const [layout, setLayout] = useState(readLayout);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(layout.isOpen);
  const rules = useValue(model.rules);
  const change = (part: Partial<Layout>) => {
    const changed = { ...layout, ...part };
    writeLayout(changed);
    setLayout(changed);
  };

  useEffect(() => {
    if (wasOpen.current && !layout.isOpen) opener.current?.focus();
    wasOpen.current = layout.isOpen;
  }, [layout.isOpen]);

  const active = rules.filter(isActive).length;
  const note = rules.some(isOffline) ? 'off-line' : active > 0 ? `rules: ${active}` : '';
  return h('aside', { 'aria-label': 'Paddock devtools' }, [
    layout.isOpen
      ? h(Dock, { model, layout, onChange: change, onClose: () => change({ isOpen: false }) })
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
  readonly model: Model;
  readonly layout: Layout;
  readonly onChange: (part: Partial<Layout>) => void;
  readonly onClose: () => void;
}

function Dock({ model, layout, onChange, onClose }: DockProps) {
  const { side, size, tab } = layout;
  const dock = useRef<HTMLElement>(null);
  const served = useValue(model.contract);
  const state = useValue(model.state);
  const problem = useValue(model.problem);
  const shown = TABS.find(({ id }) => id === tab) ?? TABS[0];

  // Whoever has opened it by key goes on inside of it.
  useEffect(() => dock.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus(), []);

  return h(
    'section',
    {
      ref: dock,
      class: `dock at-${side}`,
      'aria-label': 'Panel',
      style: { '--size': `${size}px` },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      },
    },
    h(Separator, { side, size, onSize: (changed) => onChange({ size: changed }) }),
    h('header', { class: 'head' }, [
      h('div', { class: 'brand', title: served && `${served.title} ${served.version}` }, [
        mark(18),
        h('strong', {}, 'Paddock'),
        h('span', { class: `state state-${state.replace(' ', '-')}`, role: 'status' }, STATES[state]),
      ]),
      tabList(TABS, shown.id, (chosen) => onChange({ tab: chosen }), { label: 'Panel', panel: 'panel' }),
      h('div', { class: 'head-end' }, [
        h(
          'button',
          {
            type: 'button',
            class: 'icon-button side-switch',
            'aria-label': side === 'bottom' ? 'Move to the side' : 'Move to the bottom',
            onClick: () => onChange({ side: side === 'bottom' ? 'right' : 'bottom' }),
          },
          sidePicture(side),
        ),
        h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close', onClick: onClose }, [
          icon('close'),
        ]),
      ]),
    ]),
    h(Conditions, { model }),
    h('p', { class: 'problem', role: 'alert' }, problem),
    state === 'token wanted'
      ? h(TokenForm, {
          class: 'token-form',
          heading: h('p', {}, 'This mock requires a token.'),
          kept: 'The token is kept until the page is left.',
          action: 'Connect',
          onEnter: async (token) => {
            model.enterToken(token);
            return undefined;
          },
        })
      : h(
          'div',
          {
            class: 'tab-panel',
            id: 'panel',
            role: 'tabpanel',
            'aria-labelledby': tabId('panel', shown.id),
          },
          h(shown.view, { model, key: shown.id }),
        ),
  );
}

/** Where the panel would go. */
function sidePicture(side: Layout['side']) {
  return h('svg', { class: 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, [
    h('path', { d: side === 'bottom' ? 'M2.5 3.5h11v9h-11zM10 3.5v9' : 'M2.5 3.5h11v9h-11zM2.5 9h11' }),
  ]);
}

const STATES = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'No connection',
  'token wanted': 'Token required',
};
