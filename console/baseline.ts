import { h } from 'preact';
import { admin } from './shell/admin.ts';
import { onEvent, onOpen, refresh } from './shell/connection.ts';
import { button, columnHeading, emptyCard, table } from './shell/controls.ts';
import { copyText, notify, notifyFailure } from './shell/messages.ts';
import { REFERENCE } from './shell/place.ts';
import { createValue, useValue } from './shell/value.ts';
import type { BaselineView, ClientChange } from './wire.ts';

/** What differs for clients from the document of the start; nothing where documents are not compared. */
export function Baseline() {
  const view = useValue(baseline);
  if (!view) return null;
  const { since, location, changes, counts, commands } = view;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const moment = location ?? new Date(since).toLocaleTimeString();
  if (total === 0)
    return emptyCard(
      'Nothing has changed for clients',
      `What is served means the same to clients as the document of ${moment}. Save the document, and what differs stands here.`,
    );
  return h('section', { class: 'card change', 'aria-labelledby': 'since-baseline' }, [
    h('header', { class: 'change-head' }, [
      h('h3', { id: 'since-baseline' }, `Since ${moment}: ${textOf(counts)}`),
      button('Accept as the new baseline', () => void accept(), {
        class: 'framed small',
        title: 'Compares later changes with what is served now',
      }),
    ]),
    h(ClientChanges, { label: `Changes for clients since ${moment}`, changes, count: total }),
    commands.length > 0 &&
      h('div', {}, [
        h('p', { class: 'soft' }, 'Verify with real requests:'),
        commands.map((command) => h(Command, { key: command, command })),
      ]),
  ]);
}

function textOf({ breaking, warning, safe, note }: BaselineView['counts']): string {
  const others = safe + note;
  const parts = [
    breaking === 0 ? 'nothing breaks clients' : counted(breaking, 'breaking change'),
    warning > 0 && counted(warning, 'warning'),
    others > 0 && counted(others, 'other change'),
  ];
  return parts.filter(Boolean).join(', ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function Command({ command }: { readonly command: string }) {
  return h('div', { class: 'change-command' }, [
    h('pre', { tabIndex: 0, role: 'group', 'aria-label': 'The comparison as a command' }, command),
    button('Copy', () => copyText(command, 'The command'), { class: 'small' }),
  ]);
}

const CHIPS: Readonly<Record<ClientChange['class'], string>> = {
  breaking: 'bad',
  warning: 'warn',
  safe: 'good',
  note: '',
};

interface ChangesProps {
  readonly label: string;
  readonly changes: readonly ClientChange[];
  /** There may be more than are listed. */
  readonly count: number;
}

/** Each change in words, with its place in the document and its operations in the API reference. */
export function ClientChanges({ label, changes, count }: ChangesProps) {
  const more = count - changes.length;
  return h('div', {}, [
    table(
      label,
      ['Class', 'Change', 'Operations', 'Place'].map((title) => columnHeading(title)),
      changes.map((change) => {
        const { class: own, subject, text, reason, at, operations, operationCount, document } = change;
        const isSerious = own === 'breaking' || own === 'warning';
        return h('tr', { key: JSON.stringify(change) }, [
          h('td', {}, h('span', { class: `chip ${CHIPS[own]}` }, own)),
          h('td', { class: 'change-text' }, [
            inCode(`${subject}: ${text}`),
            isSerious && h('p', { class: 'soft' }, reason),
          ]),
          h('td', {}, h(Operations, { operations, operationCount, document })),
          h('td', { class: 'mono' }, at),
        ]);
      }),
      'client-changes',
    ),
    more > 0 && h('p', { class: 'soft' }, `and ${more} more`),
  ]);
}

/** What stands between backquotes is a name of the document. */
function inCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', { key: index }, part) : part));
}

const MOST_LINKS = 3;

type OperationsProps = Pick<ClientChange, 'operations' | 'operationCount' | 'document'>;

function Operations({ operations, operationCount, document }: OperationsProps) {
  const more = operationCount - MOST_LINKS;
  return h('span', { class: 'change-operations' }, [
    operations
      .slice(0, MOST_LINKS)
      .map((id) =>
        h('a', { key: id, href: `${referenceOf(document)}#/operations/${encodeURIComponent(id)}` }, id),
      ),
    more > 0 && h('span', { class: 'soft' }, `and ${more} more`),
  ]);
}

/** Of several documents it shows one. */
function referenceOf(document: string): string {
  if (document === '') return REFERENCE;
  return `${REFERENCE}${REFERENCE.includes('?') ? '&' : '?'}document=${encodeURIComponent(document)}`;
}

async function accept(): Promise<void> {
  try {
    await admin('baseline', { method: 'POST' });
    notify('What is served is the baseline from now on.');
  } catch (error) {
    notifyFailure(error);
  }
}

/** `null`: documents are not compared; undefined: not known yet. */
const baseline = createValue<BaselineView | null | undefined>(undefined);

/** Whether the mock watches a document, and compares it. */
export function useIsCompared(): boolean {
  return Boolean(useValue(baseline));
}

const load = () => refresh(baseline, admin<BaselineView | null>('baseline'));

onOpen(load);
onEvent('document', load);
onEvent('baseline', load);
