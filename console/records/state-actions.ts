import { Fragment, h } from 'preact';
import { useState } from 'preact/hooks';
import { access } from '../shell/access.ts';
import { AdminError, admin, adminText } from '../shell/admin.ts';
import { button } from '../shell/controls.ts';
import { attempt, Confirm, notify } from '../shell/messages.ts';
import { saveFile } from '../shell/save-file.ts';
import { FileButton, type FileProblem } from './file-button.ts';

/** Snapshot down and up, and reset: what concerns the records of all collections. */
export function StateActions() {
  const [isResetting, setResetting] = useState(false);

  function reset(): void {
    setResetting(false);
    attempt(() => admin('reset', { method: 'POST' }), 'Records, rules, request log and clock were reset.');
  }

  return h(Fragment, {}, [
    button('Snapshot', download, { title: 'Download all records as a file' }),
    h(FileButton, {
      text: 'Restore',
      title: 'Replace all records with those of a snapshot',
      accept: '.json,.yaml,.yml',
      label: 'Snapshot file',
      read: restore,
      refusal: ['The snapshot was not restored', 'It does not match the document. No record was changed.'],
    }),
    button('Reset', () => setResetting(true), { class: 'danger' }),
    isResetting &&
      h(Confirm, {
        title: 'Reset this session?',
        text: 'All records return to their initial state. Rules, request log and clock are reset as well.',
        action: 'Reset',
        onConfirm: reset,
        onClose: () => setResetting(false),
      }),
  ]);
}

const download = () =>
  attempt(async () => {
    const { session } = access();
    const name = session === '' ? 'paddock-state.json' : `paddock-state-${session}.json`;
    saveFile(name, await adminText('state'), 'application/json');
  });

async function restore(file: File): Promise<readonly FileProblem[]> {
  try {
    await admin('state', { method: 'PUT', body: await file.text() });
    notify(`Records restored from ${file.name}.`);
    return [];
  } catch (error) {
    const details = error instanceof AdminError ? error.details : [];
    if (details.length === 0) throw error;
    return details.map(({ where, message }) => ({ line: where, message }));
  }
}
