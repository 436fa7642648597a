import { Fragment, h, type TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { recordName } from '../form/offered-records.ts';
import { restoreLog } from '../requests/request-log.ts';
import { access } from '../shell/access.ts';
import { AdminError, admin, adminText } from '../shell/admin.ts';
import { button } from '../shell/controls.ts';
import type { IconName } from '../shell/labels.ts';
import { attempt, Dialog, notify, notifyFailure, saveFile } from '../shell/messages.ts';
import type { FoundRecord, FoundRecords, RecordProblem } from '../wire.ts';
import { exportText, type ImportProblem, readItems } from './record-file.ts';

/** The maximum page size of the control API. */
const PAGE = 500;

interface FilesProps {
  readonly path: string;
}

/** Imports and exports records of a collection. */
export function RecordFiles({ path }: FilesProps) {
  async function read(file: File): Promise<readonly FileProblem[]> {
    const text = await file.text();
    const result = await importRecords(text, path);
    const isLine = text.trim().includes('\n');
    if ('problems' in result)
      return result.problems.map(({ line, message }) => ({ where: isLine ? `line ${line}` : '', message }));
    const added = result.added === 1 ? '1 record was' : `${result.added} records were`;
    notify(`${added} added from ${file.name}.`);
    return [];
  }

  return h(Fragment, {}, [
    h(FileButton, {
      text: 'Import',
      title: 'Add the records of a file: a JSON array, or a record on each line',
      icon: 'upload',
      accept: '.json,.jsonl,.ndjson',
      label: 'Records file',
      read,
      refusal: ['No record was added', 'Every record of the file must match the document.'],
    }),
    button('Export', () => exportAll(path).catch(notifyFailure), {
      icon: 'download',
      title: 'All records of the collection as a JSON array',
    }),
  ]);
}

/** In the order of creation. */
const exportAll = async (path: string) => saveRecords((await allRecords(path)).toReversed(), path, 'json');

/** The newest first. */
export async function allRecords(path: string): Promise<readonly FoundRecord[]> {
  const records: FoundRecord[] = [];
  for (let total = 1; records.length < total; ) {
    const query = { collection: path, offset: String(records.length), limit: String(PAGE) };
    const page = await admin<FoundRecords>('records', { query });
    if (page.records.length === 0) break;
    records.push(...page.records);
    total = page.total;
  }
  return records;
}

/** Downloads records as a file. */
export function saveRecords(found: readonly FoundRecord[], path: string, form: 'json' | 'jsonl'): void {
  const name = `${path.replace(/[^\w-]+/g, '-').replace(/^-|-$/g, '')}.${form}`;
  const records = found.map(({ record }) => record);
  saveFile(name, exportText(records, form), 'application/json');
}

/** Adds all records of a file, or none: a JSON array, or a record on each line. */
async function importRecords(
  text: string,
  collection: string,
): Promise<{ readonly added: number } | { readonly problems: readonly ImportProblem[] }> {
  const read = readItems(text);
  if ('problems' in read) return read;
  const { items } = read;
  const body = items.map(({ value }) => value);
  const sent = { method: 'POST', query: { collection, fill: 'true' }, body } as const;
  const result = await admin<{ readonly problems: readonly RecordProblem[] }>('records/check', sent);
  const problems = result.problems.map(({ pointer, message }) => {
    const [, index = '', ...rest] = pointer.split('/');
    const { line = 1, value } = items[Number(index)] ?? {};
    const called = recordName(value);
    const record = `record ${Number(index) + 1}${called && ` (${called})`}`;
    return { line, message: `${record}: ${[...rest, message].join(rest.length > 1 ? '.' : ' ')}` };
  });
  if (problems.length > 0) return { problems };
  await admin('records', sent);
  return { added: items.length };
}

/** A problem at a place in a file. */
export interface FileProblem {
  /** Empty: there is only one place. */
  readonly where: string;
  readonly message: string;
}

interface FileButtonProps {
  readonly text: string;
  readonly title: string;
  readonly icon?: IconName;
  /** The accepted file extensions. */
  readonly accept: string;
  /** The kind of file. */
  readonly label: string;
  /** Reads the file, and returns its problems. */
  readonly read: (file: File) => Promise<readonly FileProblem[]>;
  /** The title and text for a refused file. */
  readonly refusal: readonly [title: string, text: string];
}

/** The most problems to list for a refused file. */
const MOST_SHOWN = 50;

/** Asks for a file, and lists its problems. */
function FileButton({ text, title, icon, accept, label, read, refusal }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [problems, setProblems] = useState<readonly FileProblem[]>([]);

  async function take(event: TargetedEvent<HTMLInputElement>): Promise<void> {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    try {
      setProblems(await read(file));
    } catch (error) {
      notifyFailure(error);
    } finally {
      // Lets the same file be chosen again.
      input.value = '';
    }
  }

  const close = () => setProblems([]);
  const rest = problems.length - MOST_SHOWN;
  return h(Fragment, {}, [
    button(text, () => picker.current?.click(), { title, ...(icon && { icon }) }),
    h('input', { ref: picker, type: 'file', accept, hidden: true, 'aria-label': label, onChange: take }),
    problems.length > 0 &&
      h(Dialog, { title: refusal[0], onClose: close }, [
        h('p', {}, refusal[1]),
        h('ul', { class: 'problems listed' }, [
          problems
            .slice(0, MOST_SHOWN)
            .map(({ where, message }) =>
              h('li', { key: `${where} ${message}` }, where !== '' && [h('code', {}, where), ' '], message),
            ),
          rest > 0 && h('li', {}, `and ${rest} more`),
        ]),
        h('div', { class: 'dialog-actions' }, button('Close', close, { class: 'primary' })),
      ]),
  ]);
}

/** Downloads, restores and resets the state of all collections. */
export function StateActions() {
  async function reset(): Promise<void> {
    const state = await adminText('state');
    await attempt(
      () => admin('reset', { method: 'POST' }),
      'Records, rules, request log and clock were reset.',
      async () => {
        await admin('state', { method: 'PUT', body: state });
        await restoreLog();
      },
    );
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
    button('Reset', () => reset().catch(notifyFailure), { class: 'danger' }),
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
    return details.map(({ where, message }) => ({ where, message }));
  }
}
