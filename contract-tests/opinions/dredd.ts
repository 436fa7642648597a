import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contract, explicitStatuses } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { Run } from '../run/run.ts';
import { copyDocument } from './document-copy.ts';
import { chooseRows, type Sheet } from './dredd-rows.ts';
import type { Installed } from './find-judge.ts';
import { type Hearing, type Remark, Unheard } from './opinion.ts';
import { EXCHANGE, startPlayback } from './playback.ts';
import { complaintOf, runProgram } from './program.ts';

const PATIENCE = 120_000;

/** The hooks are loaded by Dredd, in a process of its own; a published package has them as JavaScript. */
const HOOKS = fileURLToPath(
  new URL(`./dredd-playback.${import.meta.url.endsWith('.ts') ? 'cts' : 'cjs'}`, import.meta.url),
);

/** What the hooks write down of a row. */
interface Row {
  readonly sheet: number;
  readonly row: string;
  /** Undefined: Dredd could not read the answer that was played. */
  readonly status?: 'pass' | 'fail';
  readonly message: string;
}

/**
 * Lets Dredd judge a transaction for each cell. The state that a row speaks of has been arranged by the suite: the row
 * gets an answer of the run that was to be of its kind.
 */
export async function hearDredd(
  run: Run,
  results: readonly CaseResult[],
  installed: Installed,
): Promise<Hearing> {
  const sheet = chooseRows(run, results);
  const [remarks = []] = await askDredd(run.contract, [sheet], installed);
  return { judge: 'dredd', version: installed.version, remarks, notes: notesOn(run, sheet, remarks) };
}

/**
 * The rows of the document once for each sheet, in one run of Dredd, whose start costs far more than a row.
 * @throws Unheard
 */
export async function askDredd(
  contract: Contract,
  sheets: readonly Sheet[],
  installed: Installed,
): Promise<Remark[][]> {
  const [document, playback] = await Promise.all([copyDocument(contract), startPlayback()]);
  try {
    const [plan, outcome] = [join(document.folder, 'rows.json'), join(document.folder, 'outcome.json')];
    const planned = sheets.map((sheet) =>
      Object.fromEntries([...sheet].map(([row, { response: answer }]) => [row, playback.put(answer)])),
    );
    await writeFile(plan, JSON.stringify({ header: EXCHANGE, sheets: planned }));
    const hooks = ['--hookfiles', HOOKS, '--language', 'nodejs'];
    const args = [document.file, playback.url, ...hooks, '--loglevel', 'error', '--no-color'];
    const env = { PADDOCK_ROWS: plan, PADDOCK_OUTCOME: outcome };
    const output = await runProgram(installed, { args, folder: document.folder, env, patience: PATIENCE });
    const rows: Row[] = JSON.parse(
      await readFile(outcome, 'utf8').catch(() => {
        throw new Unheard(
          `dredd breaks off: ${complaintOf(output).replaceAll(document.file, 'the document')}`,
        );
      }),
    );
    return sheets.map((sheet, index) => remarksOn(sheet, rows, index));
  } finally {
    await Promise.all([document.remove(), playback.close()]);
  }
}

function remarksOn(sheet: Sheet, rows: readonly Row[], index: number): Remark[] {
  const own = rows.filter((one) => one.sheet === index);
  return own.flatMap(({ row, status, message }) => {
    const entry = sheet.get(row);
    if (!entry || status === undefined) return [];
    return [{ entry, objections: status === 'fail' ? [message.trim().replace(/\s*\n\s*/g, '; ')] : [] }];
  });
}

function notesOn(run: Run, sheet: Sheet, remarks: readonly Remark[]): string[] {
  const all = run.contract.operations.reduce((sum, one) => sum + explicitStatuses(one.responses).length, 0);
  const unasked = all - sheet.size;
  const lost = [...sheet].filter(([, entry]) => !remarks.some((remark) => remark.entry === entry));
  return [
    ...(unasked > 0 ? [`for ${unasked} of ${all} rows the run has no answer`] : []),
    ...(lost.length > 0 ? [`it makes no row of ${lost.map(([row]) => row).join(', ')}`] : []),
  ];
}
