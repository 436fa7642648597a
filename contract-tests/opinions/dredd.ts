import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explicitStatuses } from '#spec';
import type { CaseResult } from '../case.ts';
import { jsonOf } from '../laws/answer.ts';
import type { Run } from '../run.ts';
import { copyDocument } from './document-copy.ts';
import type { Installed } from './find-judge.ts';
import { type Hearing, type Remark, Unheard } from './opinion.ts';
import { EXCHANGE, startPlayback } from './playback.ts';
import { complaintOf, runProgram } from './program.ts';
import type { Recorded } from './traffic.ts';

const PATIENCE = 120_000;

/** The hooks are loaded by Dredd, in a process of its own; a published package has them as JavaScript. */
const HOOKS = fileURLToPath(
  new URL(`./dredd-playback.${import.meta.url.endsWith('.ts') ? 'cts' : 'cjs'}`, import.meta.url),
);

/** What the hooks write down of a row. */
interface Row {
  readonly row: string;
  readonly status: 'pass' | 'fail' | 'skip';
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
  const chosen = new Map<string, Recorded>();
  for (const [row, entry] of rowsOf(run, results)) if (entry) chosen.set(row, entry);
  const [document, playback] = await Promise.all([copyDocument(run.contract), startPlayback()]);
  try {
    const [plan, outcome] = [join(document.folder, 'rows.json'), join(document.folder, 'outcome.json')];
    const ids = [...chosen].map(([row, { answer }]) => [row, playback.put(answer)]);
    await writeFile(plan, JSON.stringify({ header: EXCHANGE, rows: Object.fromEntries(ids) }));
    const args = [
      document.file,
      playback.url,
      '--hookfiles',
      HOOKS,
      '--language',
      'nodejs',
      '--loglevel',
      'error',
      '--no-color',
    ];
    const env = { PADDOCK_ROWS: plan, PADDOCK_OUTCOME: outcome };
    const output = await runProgram(installed, { args, folder: document.folder, env, patience: PATIENCE });
    const rows: Row[] = JSON.parse(
      await readFile(outcome, 'utf8').catch(() => {
        throw new Unheard(
          `dredd breaks off: ${complaintOf(output).replaceAll(document.file, 'the document')}`,
        );
      }),
    );
    const remarks = rows.flatMap(({ row, status, message }): Remark[] => {
      const entry = chosen.get(row);
      if (!entry || status === 'skip') return [];
      return [{ entry, objections: status === 'fail' ? [message.trim().replace(/\s*\n\s*/g, '; ')] : [] }];
    });
    return { judge: 'dredd', version: installed.version, remarks, notes: notesOn(run, chosen, remarks) };
  } finally {
    await Promise.all([document.remove(), playback.close()]);
  }
}

function notesOn(run: Run, chosen: ReadonlyMap<string, Recorded>, remarks: readonly Remark[]): string[] {
  const all = run.contract.operations.reduce((sum, one) => sum + explicitStatuses(one.responses).length, 0);
  const unasked = all - chosen.size;
  const lost = [...chosen].filter(([, entry]) => !remarks.some((remark) => remark.entry === entry));
  return [
    ...(unasked > 0 ? [`for ${unasked} of ${all} rows the run has no answer`] : []),
    ...(lost.length > 0 ? [`it makes no row of ${lost.map(([row]) => row).join(', ')}`] : []),
  ];
}

/** For each cell the exchange to be judged: one that the suite finds fault with, else one that shows most. */
function rowsOf(run: Run, results: readonly CaseResult[]): [row: string, entry: Recorded | undefined][] {
  return run.contract.operations.flatMap((operation) =>
    explicitStatuses(operation.responses).map((status): [string, Recorded | undefined] => {
      const own = results.filter(({ case: one }) => one.operation === operation && one.status === status);
      const ids = new Set(own.map(({ case: one }) => one.id));
      const entries = (run.traffic?.entries ?? []).filter(
        (entry) => entry.operation === operation && ids.has(entry.caseId),
      );
      const blamed = new Set(own.flatMap(({ findings }) => findings.map(({ exchange }) => exchange.answer)));
      const faulty = entries.find(({ answer }) => blamed.has(answer));
      return [`${operation.method} ${operation.path} ${status}`, faulty ?? richest(entries, status)];
    }),
  );
}

/** Dredd takes the document's example for the rule: what has more members is more like it. */
function richest(entries: readonly Recorded[], status: number): Recorded | undefined {
  const size = ({ answer }: Recorded) => {
    const body = jsonOf(answer);
    const shown = Array.isArray(body) ? body[0] : body;
    return Object.keys(Object(shown)).length;
  };
  return entries
    .filter(({ answer }) => answer.status === status)
    .reduce<Recorded | undefined>((best, one) => (best && size(best) >= size(one) ? best : one), undefined);
}
