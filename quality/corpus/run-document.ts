import { type ChildProcess, fork } from 'node:child_process';
import type { Found } from './find-documents.ts';
import type { Row } from './row.ts';

export interface Limits {
  /** Seconds that the suite may take; the process gets as many again for everything else. Default: 60. */
  readonly maxTime: number;
  /** MiB of V8's heap. Default: 2,048. */
  readonly maxMemory: number;
}

const PROGRAM = new URL('try-document.ts', import.meta.url);

/** Tries one document in a process of its own. A process that crashes or hangs is a row like any other. */
function runDocument({ file, ...found }: Found, limits: Limits): Promise<Row> {
  const child = fork(PROGRAM, [file, String(limits.maxTime)], {
    execArgv: [`--max-old-space-size=${limits.maxMemory}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return new Promise((resolve) => {
    let row: Row = found;
    let stderr = '';
    let hangs = false;
    const timer = setTimeout(() => {
      hangs = true;
      child.kill('SIGKILL');
    }, limits.maxTime * 2000);
    child.stderr?.on('data', (chunk) => {
      stderr = (stderr + chunk).slice(-4000);
    });
    child.on('message', (part) => {
      row = { ...row, ...(part as Partial<Row>) };
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      const isWhole = row.refused !== undefined || row.check !== undefined;
      resolve(isWhole && code === 0 ? row : { ...row, crash: lastWords(child, stderr, hangs, limits) });
    });
  });
}

function lastWords(child: ChildProcess, stderr: string, hangs: boolean, limits: Limits): string {
  if (hangs) return `no result after ${limits.maxTime * 2} s`;
  if (/heap out of memory/.test(stderr)) return `more than ${limits.maxMemory} MiB of heap`;
  const error = /^\w*Error\b.*$/m.exec(stderr)?.[0];
  return error ?? `it ended with ${child.signalCode ?? `exit code ${child.exitCode}`}`;
}

/** Tries all of them, `jobs` at the same time, and gives the rows in the order of the documents. */
export async function runDocuments(
  documents: readonly Found[],
  { jobs, ...limits }: Limits & { readonly jobs: number },
  told: (row: Row) => void = () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  const waiting = documents.entries();
  const work = async () => {
    for (const [index, document] of waiting) {
      const row = await runDocument(document, limits);
      rows[index] = row;
      told(row);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return rows;
}
