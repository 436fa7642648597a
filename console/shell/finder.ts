import { h, type TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { recordName } from '../form/offered-records.ts';
import { requestLog } from '../requests/request-log.ts';
import type { FoundRecords } from '../wire.ts';
import { admin } from './admin.ts';
import { contract } from './contract.ts';
import { button, textInput } from './controls.ts';
import { Dialog } from './messages.ts';
import { consoleUrl, referenceUrl } from './place.ts';
import { createValue, useAsked, useValue } from './value.ts';

interface Target {
  readonly kind: string;
  readonly text: string;
  readonly href: string;
}

/** The most results of each kind. */
const MOST = 6;

const isOpen = createValue(false);
// Registered early, since the key may be pressed before the document is loaded.
addEventListener('keydown', (event) => {
  if (event.key !== 'k' || event.altKey || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  isOpen.set(true);
});

/** Ctrl-K: finds a page, operation, collection or record by a part of its name. */
export function Finder() {
  return [
    button('Find', () => isOpen.set(true), {
      class: 'small strip-find',
      title: 'Find a page, operation or record (Ctrl-K)',
    }),
    useValue(isOpen) && h(FinderDialog, { onClose: () => isOpen.set(false) }),
  ];
}

const WHAT = 'Page, operation or record';

function FinderDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const served = useValue(contract);
  const records = useAsked<readonly Target[]>([], () => findRecords(wanted), [wanted]);
  const targets: readonly Target[] = [
    ...[...document.querySelectorAll<HTMLAnchorElement>('#pages a')].map((link) => ({
      kind: 'page',
      text: link.textContent.trim(),
      href: link.getAttribute('href') ?? '',
    })),
    ...(served?.operations ?? []).map(({ id, method, path }) => ({
      kind: 'operation',
      text: `${method} ${path} ${id}`,
      href: `${referenceUrl()}#/operations/${encodeURIComponent(id)}`,
    })),
    ...(served?.collections ?? []).map(({ name }) => ({
      kind: 'records',
      text: name,
      href: consoleUrl('records', name),
    })),
  ];
  const fitting = Map.groupBy(
    targets.filter((target) => target.text.toLowerCase().includes(wanted)),
    ({ kind }) => kind,
  );
  const results = [...[...fitting.values()].flatMap((some) => some.slice(0, MOST)), ...records];

  function move(event: TargetedKeyboardEvent<HTMLElement>): void {
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
    const at = links.indexOf(event.target as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && at === 0) links[1]?.click();
    else if (step !== undefined) links[(at + step + links.length) % links.length]?.focus();
    else return;
    event.preventDefault();
  }

  return h(Dialog, { title: 'Find', onClose, class: 'finder' }, [
    h('div', { onKeyDown: move }, [
      textInput(text, setText, { 'aria-label': WHAT, placeholder: WHAT, autocomplete: 'off' }),
      h('ul', { 'aria-label': 'Found' }, [
        results.map(({ kind, text: name, href }) =>
          h('li', { key: `${kind} ${href}` }, [
            h('a', { href, onClick: onClose }, h('span', {}, name), h('span', { class: 'chip' }, kind)),
          ]),
        ),
        results.length === 0 && h('li', { class: 'soft' }, 'Nothing found'),
      ]),
    ]),
  ]);
}

/** The most collections to search, those of the latest requests first, since searching seeds them. */
const SEARCHED = 8;
/** Milliseconds after the last key. */
const PAUSE = 200;

let latest = '';

async function findRecords(filter: string): Promise<readonly Target[]> {
  latest = filter;
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  if (filter.length < 2 || filter !== latest) return [];
  const names = (contract.get()?.collections ?? []).map(({ name }) => name);
  const used = requestLog.get().flatMap(({ trace }) => trace.answered.collection ?? []);
  const candidates = new Set([...used.toReversed().filter((name) => names.includes(name)), ...names]);
  const results = await Promise.all(
    [...candidates].slice(0, SEARCHED).map(async (name) => {
      const query = { collection: name, filter, limit: '3' };
      const { records } = await admin<FoundRecords>('records', { query });
      return records.map(({ id, record, path }) => ({
        kind: 'record',
        text: `${path}/${id} ${recordName(record)}`,
        href: consoleUrl('records', name, String(id)),
      }));
    }),
  );
  return results.flat();
}
