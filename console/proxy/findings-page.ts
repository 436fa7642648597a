import { h } from 'preact';
import { copyText } from '../shell/copy.ts';
import { notify } from '../shell/notice.ts';
import { SourceExcerpt } from '../shell/source-excerpt.ts';
import { useValue } from '../shell/value.ts';
import type { FindingsView } from '../wire.ts';
import { found } from './traffic.ts';

/** The distinct promises that were broken, the newest first. */
export function FindingsPage() {
  const view = useValue(found);
  if (!view) return null;
  const { findings } = view;
  return h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'page-head' },
      h('h2', {}, 'Findings'),
      h('span', { class: 'soft count', role: 'status' }, summaryOf(view)),
    ),
    findings.length === 0
      ? h(
          'div',
          { class: 'empty card' },
          h('strong', {}, 'No finding yet'),
          h('span', {}, 'What breaks the document appears here while requests pass.'),
        )
      : findings
          .toReversed()
          .map((finding) =>
            h(FindingView, { key: `${finding.caseId} ${finding.law} ${finding.at}`, finding }),
          ),
  );
}

function summaryOf({ counts, traffic }: FindingsView): string {
  const { requests } = counts;
  return `${requests} ${requests === 1 ? 'request' : 'requests'}, ${traffic.judged} judged`;
}

type Finding = FindingsView['findings'][number];

function FindingView({ finding }: { readonly finding: Finding }) {
  const { caseId, law, received, documented, at, curl } = finding;
  const copy = async () =>
    (await copyText(curl))
      ? notify('The command is copied.')
      : notify('The browser does not allow it.', true);
  return h(
    'article',
    { class: 'finding card' },
    h('h3', {}, h('span', { class: 'broken' }, law), ` ${caseId.replace(/\/traffic$/, '')}`),
    h(
      'dl',
      {},
      h('dt', {}, 'received'),
      h('dd', {}, received),
      h('dt', {}, 'documented'),
      h('dd', {}, documented),
    ),
    h(SourceExcerpt, { at }),
    h('pre', { class: 'command', tabIndex: 0, 'aria-label': 'The request as a command' }, curl),
    h('div', {}, h('button', { class: 'button small', type: 'button', onClick: copy }, 'Copy command')),
  );
}
