import { Fragment, h } from 'preact';
import { admin } from '../shell/admin.ts';
import { button } from '../shell/controls.ts';
import { notify, notifyFailure } from '../shell/messages.ts';
import { saveFile } from '../shell/save-file.ts';
import { FileButton } from './file-button.ts';
import { importRecords } from './import-records.ts';
import { exportText, type ImportProblem } from './record-file.ts';
import type { KeptRecord } from './records-query.ts';

/** As many as a page of the control API can have. */
const PAGE = 500;

interface FilesProps {
  /** The path of the collection. */
  readonly path: string;
}

/** Records of a collection from a file, and to one. */
export function RecordFiles({ path }: FilesProps) {
  async function read(file: File): Promise<readonly ImportProblem[]> {
    const result = await importRecords(await file.text(), path);
    if ('problems' in result) return result.problems;
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
  const name = `${path.replace(/[^\w-]+/g, '-').replace(/^-|-$/g, '')}.${form}`;
  saveFile(name, exportText(records, form), 'application/json');
}
