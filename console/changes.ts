import { h } from 'preact';
import { admin } from './shell/admin.ts';
import { onEvent, onOpen, refresh } from './shell/connection.ts';
import { emptyCard, pageHead } from './shell/controls.ts';
import { notify } from './shell/messages.ts';
import { createValue, useValue } from './shell/value.ts';
import { count } from './shell/words.ts';
import type { ChangedOperation, DocumentChange, DocumentProblem } from './wire.ts';

/** The changes of the document since the mock began to watch it, the newest first. */
export function ChangesPage() {
  const changes = useValue(documentChanges);
  return h('div', { class: 'stack' }, [
    pageHead('Document changes'),
    changes.length === 0
      ? emptyCard(
          'No changes yet',
          'With ',
          h('code', {}, '--watch'),
          ' the mock reloads the document when its files change. Each change is listed here, with the operations that it adds, removes or changes and the records that it drops.',
        )
      : changes.toReversed().map((change) => h(ChangeView, { key: change.number, change })),
  ]);
}

function ChangeView({ change }: { readonly change: DocumentChange }) {
  const { kind, at, added, removed, changed, dropped, problems, counts } = change;
  return h('article', { class: `card change change-${kind}`, 'aria-label': `Change ${change.number}` }, [
    h('header', { class: 'change-head' }, [
      h('time', { class: 'soft mono', dateTime: at }, new Date(at).toLocaleTimeString()),
      h('h3', {}, [
        kind === 'refused'
          ? 'The changed document has errors. The mock continues to serve the old one.'
          : summaryOf(change),
      ]),
    ]),
    h(List, { title: 'Added', count: counts.added, items: added.map(operationText) }),
    h(List, { title: 'Removed', count: counts.removed, items: removed.map(operationText) }),
    h(List, { title: 'Changed', count: counts.changed, items: changed.map(operationText) }),
    h(List, {
      title: 'Records dropped',
      count: counts.dropped,
      items: dropped.map(({ path, id, reason }) => `${path} ${JSON.stringify(id)}: ${reason}`),
    }),
    problems.length > 0 &&
      h('section', {}, [
        h('h4', {}, 'Errors'),
        h(
          'ol',
          {},
          problems.map((problem) => h(ProblemView, { key: JSON.stringify(problem), problem })),
        ),
        h(More, { count: counts.problems, visible: problems.length }),
      ]),
  ]);
}

function operationText({ method, path, id, parts }: ChangedOperation): string {
  const name = id === `${method} ${path}` ? '' : ` (${id})`;
  return `${method} ${path}${name}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

interface ListProps {
  readonly title: string;
  /** The list may be shorter. */
  readonly count: number;
  readonly items: readonly string[];
}

function List({ title, count, items }: ListProps) {
  if (count === 0) return null;
  return h('section', {}, [
    h('h4', {}, title),
    h(
      'ul',
      { class: 'mono' },
      items.map((text) => h('li', { key: text }, text)),
    ),
    h(More, { count, visible: items.length }),
  ]);
}

function More({ count, visible }: { readonly count: number; readonly visible: number }) {
  return count > visible ? h('p', { class: 'soft' }, `and ${count - visible} more`) : null;
}

/** A line of the invalid file, which is not the served one. */
function ProblemView({ problem }: { readonly problem: DocumentProblem }) {
  const { uri, line, column, message, source } = problem;
  return h('li', {}, [
    h('p', { class: 'violation' }, h('code', {}, `${uri}:${line}:${column}`), ' ', message),
    source !== undefined &&
      h('pre', { class: 'code', tabIndex: 0, 'aria-label': `Line ${line}` }, [
        h('span', { class: 'source-number' }, String(line)),
        h('mark', {}, source || ' '),
      ]),
  ]);
}

/** The changes of the watched document, the oldest first. */
const documentChanges = createValue<readonly DocumentChange[]>([]);

const load = () => refresh(documentChanges, admin<readonly DocumentChange[]>('changes'));

onEvent('document', (data) => {
  const change = JSON.parse(data) as DocumentChange;
  load();
  notify(summaryOf(change), change.kind === 'refused');
});

onOpen(load);

function summaryOf({ kind, title, version, counts, problems }: DocumentChange): string {
  const [first] = problems;
  if (kind === 'refused' && first)
    return `The changed document has errors, and the mock continues to serve the old one: ${first.uri}:${first.line}: ${first.message}`;
  if (kind === 'restored') return 'The document is the same again as the one that is served.';
  const parts = [
    counted(counts.added, 'operation', 'added'),
    counted(counts.removed, 'operation', 'removed'),
    counted(counts.changed, 'operation', 'changed'),
    counted(counts.dropped, 'record', 'dropped'),
  ].filter((part) => part !== '');
  const what = parts.length > 0 ? parts.join(', ') : 'no operation changed';
  return `The mock now serves ${`${title} ${version}`.trim()}: ${what}.`;
}

function counted(number: number, noun: string, done: string): string {
  return number === 0 ? '' : `${count(number, noun)} ${done}`;
}
