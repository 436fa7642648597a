import { Fragment, h, type TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { AdminError, admin, adminText, explainFailure } from '../shell/admin.ts';
import { Confirm, Dialog } from '../shell/dialog.ts';
import { notify } from '../shell/notice.ts';
import { SESSION } from '../shell/place.ts';

type Details = AdminError['details'];

/** How many problems of a refused snapshot are listed. */
const MOST_SHOWN = 50;

/** Snapshot down and up, and reset: what concerns the records of all collections. */
export function StateActions() {
  const picker = useRef<HTMLInputElement>(null);
  const [isResetting, setResetting] = useState(false);
  const [problems, setProblems] = useState<Details | undefined>(undefined);

  async function restore(event: TargetedEvent<HTMLInputElement>): Promise<void> {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    try {
      await admin('state', { method: 'PUT', body: await file.text() });
      notify(`The records of ${file.name} are restored.`);
    } catch (error) {
      const details = error instanceof AdminError ? error.details : [];
      if (details.length > 0) setProblems(details);
      else notify(explainFailure(error), true);
    } finally {
      // The same file may be chosen again.
      input.value = '';
    }
  }

  async function reset(): Promise<void> {
    setResetting(false);
    try {
      await admin('reset', { method: 'POST' });
      notify('Records, rules, log and clock are as at the start.');
    } catch (error) {
      notify(explainFailure(error), true);
    }
  }

  return h(
    Fragment,
    {},
    h(
      'button',
      { class: 'button', type: 'button', title: 'Save all records as a file', onClick: download },
      'Snapshot',
    ),
    h(
      'button',
      {
        class: 'button',
        type: 'button',
        title: 'Replace all records by those of a snapshot',
        onClick: () => picker.current?.click(),
      },
      'Restore',
    ),
    h('input', {
      ref: picker,
      type: 'file',
      accept: '.json,.yaml,.yml',
      hidden: true,
      'aria-label': 'Snapshot file',
      onChange: restore,
    }),
    h('button', { class: 'button danger', type: 'button', onClick: () => setResetting(true) }, 'Reset'),
    isResetting &&
      h(Confirm, {
        title: 'Reset this session?',
        text: 'All records go back to those of the start; rules, log and clock are reset, too.',
        action: 'Reset',
        onConfirm: reset,
        onClose: () => setResetting(false),
      }),
    problems && h(Refused, { problems, onClose: () => setProblems(undefined) }),
  );
}

async function download(): Promise<void> {
  try {
    const blob = new Blob([await adminText('state')], { type: 'application/json' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = SESSION === '' ? 'paddock-state.json' : `paddock-state-${SESSION}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    notify(explainFailure(error), true);
  }
}

function Refused({ problems, onClose }: { readonly problems: Details; readonly onClose: () => void }) {
  const rest = problems.length - MOST_SHOWN;
  return h(
    Dialog,
    { title: 'The snapshot was not restored', onClose },
    h('p', {}, 'It does not fit the document, and no record was changed.'),
    h(
      'ul',
      { class: 'problems listed' },
      problems
        .slice(0, MOST_SHOWN)
        .map(({ where, message }) =>
          h('li', { key: `${where} ${message}` }, h('code', {}, `line ${where}`), ' ', message),
        ),
      rest > 0 && h('li', {}, `and ${rest} more`),
    ),
    h(
      'div',
      { class: 'dialog-actions' },
      h('button', { class: 'button primary', type: 'button', onClick: onClose }, 'Close'),
    ),
  );
}
