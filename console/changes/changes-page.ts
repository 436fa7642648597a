import { h } from 'preact';
import { useValue } from '../shell/value.ts';
import { ChangeView } from './change-view.ts';
import { documentChanges } from './document-changes.ts';

/** What became of the document since the mock began to watch it, the newest first. */
export function ChangesPage() {
  const changes = useValue(documentChanges);
  return h(
    'div',
    { class: 'stack' },
    h('div', { class: 'page-head' }, h('h2', {}, 'Changes of the document')),
    changes.length === 0
      ? h(
          'div',
          { class: 'empty card' },
          h('strong', {}, 'No change yet'),
          h(
            'span',
            {},
            'With ',
            h('code', {}, '--watch'),
            ' the mock follows the files of the document, and shows here what each change adds, removes and drops.',
          ),
        )
      : changes.toReversed().map((change) => h(ChangeView, { key: change.number, change })),
  );
}
