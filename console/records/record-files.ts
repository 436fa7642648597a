import { Fragment, h, type TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { admin } from '../shell/admin.ts';
import { button } from '../shell/controls.ts';
import { Dialog, notify, notifyFailure } from '../shell/messages.ts';
import { importRecords } from './import-records.ts';
import { exportText, type ImportProblem } from './record-file.ts';
import type { KeptRecord } from './records-query.ts';

/** How many problems of a refused file are listed. */
const MOST_SHOWN = 50;

/** As many as a page of the control API can have. */
const PAGE = 500;

interface FilesProps {
  /** The path of the collection. */
  readonly path: string;
}

/** Records of a collection from a file, and to one. */
export function RecordFiles({ path }: FilesProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [problems, setProblems] = useState<readonly ImportProblem[] | undefined>(undefined);

  async function read(event: TargetedEvent<HTMLInputElement>): Promise<void> {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    try {
      const result = await importRecords(await file.text(), path);
      if ('problems' in result) setProblems(result.problems);
      else
        notify(
          `${result.added === 1 ? '1 record was' : `${result.added} records were`} added from ${file.name}.`,
        );
    } catch (error) {
      notifyFailure(error);
    } finally {
      // The same file may be chosen again.
      input.value = '';
    }
  }

  return h(
    Fragment,
    {},
    button('Import', () => picker.current?.click(), {
      icon: 'upload',
      title: 'Add the records of a file: a JSON array, or a record on each line',
    }),
    h('input', {
      ref: picker,
      type: 'file',
      accept: '.json,.jsonl,.ndjson',
      hidden: true,
      'aria-label': 'Records file',
      onChange: read,
    }),
    button('Export', () => exportAll(path).catch(notifyFailure), {
      icon: 'download',
      title: 'All records of the collection as a JSON array',
    }),
    problems &&
      h(
        Dialog,
        { title: 'No record was added', onClose: () => setProblems(undefined) },
        h('p', {}, 'Every record of the file must match the document.'),
        h(
          'ul',
          { class: 'problems listed' },
          problems
            .slice(0, MOST_SHOWN)
            .map(({ line, message }) =>
              h('li', { key: `${line} ${message}` }, h('code', {}, `line ${line}`), ' ', message),
            ),
          problems.length > MOST_SHOWN && h('li', {}, `and ${problems.length - MOST_SHOWN} more`),
        ),
        h(
          'div',
          { class: 'dialog-actions' },
          button('Close', () => setProblems(undefined), { class: 'primary' }),
        ),
      ),
  );
}

async function exportAll(path: string): Promise<void> {
  const records: unknown[] = [];
  for (let total = 1; records.length < total; ) {
    const query = { collection: path, offset: String(records.length), limit: String(PAGE) };
    const page = await admin<{ readonly total: number; readonly records: readonly KeptRecord[] }>('records', {
      query,
    });
    if (page.records.length === 0) break;
    records.push(...page.records.map(({ record }) => record));
    total = page.total;
  }
  saveRecords(records, path, 'json');
}

/** Downloads records as a file. */
export function saveRecords(records: readonly unknown[], path: string, form: 'json' | 'jsonl'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([exportText(records, form)], { type: 'application/json' }));
  link.download = `${path.replace(/[^\w-]+/g, '-').replace(/^-|-$/g, '')}.${form}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
