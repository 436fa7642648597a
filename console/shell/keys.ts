import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from './messages.ts';
import { createValue, useValue } from './value.ts';

/** A key's description for the list of all keys, and its function. */
export type KeyBinding = readonly [what: string, run: () => void];

interface KeyGroup {
  /** The part that the keys belong to: `Records`. */
  readonly title: string;
  /** By `KeyboardEvent.key`; keys for the same action are separated by a space: `j ArrowDown`. */
  readonly keys: Readonly<Record<string, KeyBinding>>;
}

/** The groups of visible components; the last one with a key handles it. */
const groups = createValue<readonly { readonly current: KeyGroup }[]>([]);

/** Binds keys while the component is mounted; they are ignored while the user types, or a dialog is open. */
export function useKeys(title: string, keys: KeyGroup['keys']): void {
  const group = useRef<KeyGroup>({ title, keys });
  group.current = { title, keys };
  useEffect(() => {
    groups.set([...groups.get(), group]);
    return () => groups.set(groups.get().filter((one) => one !== group));
  }, []);
}

interface ListKeys {
  /** One row down or up. */
  readonly onMove: (step: 1 | -1) => void;
  readonly onOpen: () => void;
  readonly onClose?: () => void;
}

/** The keys of a list: j and k or arrows move, Enter opens, Escape closes. */
export function useListKeys(title: string, { onMove, onOpen, onClose }: ListKeys): void {
  useKeys(title, {
    'j ArrowDown': ['Next row', () => onMove(1)],
    'k ArrowUp': ['Previous row', () => onMove(-1)],
    Enter: ['Open the row', onOpen],
    ...(onClose && { Escape: ['Close', onClose] }),
  });
}

/** Milliseconds between `g` and the letter of a page. */
const PATIENCE = 1500;

/** The targets of `g` and a letter. */
export type PageKeys = Readonly<Record<string, { readonly title: string; readonly href: string }>>;

let awaitedSince = Number.NEGATIVE_INFINITY;

/** Binds the keys of every page. */
export function usePageKeys(pages: PageKeys): void {
  const latest = useRef(pages);
  latest.current = pages;
  useEffect(() => {
    const press = (event: KeyboardEvent) => void takeKey(event, latest.current);
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Runs the action of a key. Returns whether it, or the focused element, handles the key. */
export function takeKey(event: KeyboardEvent, pages: PageKeys): boolean {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return true;
  if (rootOf(target).querySelector('dialog[open]')) return true;
  if (isTyping(target)) {
    // Leaves the field, so that the page's keys work again.
    if (key === 'Escape' && target instanceof HTMLElement) target.blur();
    return true;
  }
  const run = actionFor(key, target, pages);
  if (!run) return false;
  event.preventDefault();
  run();
  return true;
}

/** The document, or the shadow root of the dock. */
const rootOf = (target: Element) => target.getRootNode() as Document | ShadowRoot;

function actionFor(key: string, target: Element, pages: PageKeys): (() => void) | undefined {
  const wasAwaited = performance.now() - awaitedSince < PATIENCE;
  awaitedSince = Number.NEGATIVE_INFINITY;
  const page = pages[key];
  if (wasAwaited && page) return () => location.assign(page.href);
  if (key === 'g')
    return () => {
      awaitedSince = performance.now();
    };
  if (key === '/') return () => focusSearch(rootOf(target));
  if (key === '?') return () => isHelpShown.set(true);
  // The focused element handles Enter.
  if (key === 'Enter' && target.closest('a, button, summary, [role="option"]')) return undefined;
  // Arrows scroll the focused element.
  if (key.startsWith('Arrow') && target.closest('pre, .table-box, [role="radiogroup"], [role="tablist"]'))
    return undefined;
  for (const { current } of groups.get().toReversed())
    for (const [names, [, run]] of Object.entries(current.keys))
      if (names.split(' ').includes(key)) return run;
  return undefined;
}

function isTyping(target: Element): boolean {
  return (
    target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]') !==
    null
  );
}

/** Focuses the first search field of the page. */
function focusSearch(root: Document | ShadowRoot): void {
  const searches = root.querySelectorAll<HTMLInputElement>('.page input[type="search"]');
  const search = [...searches].find((element) => element.checkVisibility());
  search?.focus();
  search?.select();
}

const isHelpShown = createValue(false);

/** All active keys. */
export function KeyHelp({ pages }: { readonly pages: PageKeys }) {
  const isShown = useValue(isHelpShown);
  const pageGroups = useValue(groups);
  if (!isShown) return null;
  const general: readonly (readonly [string, string])[] = [
    ['/', 'Search this page'],
    ['Ctrl+k', 'Find a page, operation or record'],
    ['?', 'Show this list'],
    ['Escape', 'Leave a field, close a dialog'],
  ];
  return h(Dialog, { title: 'Keys', onClose: () => isHelpShown.set(false), class: 'key-help' }, [
    ...pageGroups.map(({ current: { title, keys } }) =>
      h(KeyList, { title, rows: Object.entries(keys).map(([names, [what]]) => [names, what] as const) }),
    ),
    h(KeyList, { title: 'Every page', rows: general }),
    h(KeyList, {
      title: 'Go to a page',
      rows: Object.entries(pages).map(([letter, page]) => [`g+${letter}`, page.title] as const),
    }),
    h('form', { method: 'dialog', class: 'dialog-actions' }, [
      h('button', { class: 'button', type: 'submit' }, 'Close'),
    ]),
  ]);
}

const SHOWN: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', ' ': 'Space' };

function KeyList({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly (readonly [string, string])[];
}) {
  return h('section', {}, [
    h('h3', {}, title),
    h('dl', {}, [
      rows.map(([names, what]) =>
        h('div', { key: names }, [
          h(
            'dt',
            {},
            names.split(/[ +]/).map((name) => h('kbd', { key: name }, SHOWN[name] ?? name)),
          ),
          h('dd', {}, what),
        ]),
      ),
    ]),
  ]);
}
