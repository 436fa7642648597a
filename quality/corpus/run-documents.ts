import { type ChildProcess, fork } from 'node:child_process';
import type { Found } from './find-documents.ts';

/** The results of one document when its process has ended, for whatever reason. */
export interface Row {
  readonly source: string;
  readonly document: string;
  /** Why the document is refused, with file and line; absent if it is accepted. */
  readonly refused?: string;
  readonly start?: Start;
  readonly check?: Check;
  /** How the process failed, if it had no result. */
  readonly crash?: string;
}

/** Measured from the start of the process to the first response of the mock. */
export interface Start {
  readonly ms: number;
  /** Resident memory after the response. */
  readonly mib: number;
  readonly operations: number;
  /** Operations that read or change records; others respond with samples of their schemas. */
  readonly stateful: number;
}

/** The result of running this project's suite against its mock. */
export interface Check {
  readonly exitCode: number;
  readonly ms: number;
  /** Documented responses of operations; without any there is nothing to check. */
  readonly promises: number;
  /** Findings, gating responses that are not covered, and errors in the mock; a sentence each. */
  readonly complaints: readonly string[];
}

type Outcome = (typeof OUTCOMES)[number];

export const OUTCOMES = [
  'agrees',
  'disagrees',
  'is incomplete',
  'promises nothing',
  'is refused',
  'crashes',
] as const;

export function outcomeOf({ refused, crash, check }: Row): Outcome {
  if (refused !== undefined) return 'is refused';
  if (crash !== undefined || check === undefined) return 'crashes';
  if (check.promises === 0) return 'promises nothing';
  // The document needs values that only someone who knows the service has: an account, the value of a parameter.
  if (check.exitCode === 4) return 'is incomplete';
  return check.exitCode === 0 && check.complaints.length === 0 ? 'agrees' : 'disagrees';
}

export interface Limits {
  /** The seconds for the suite; the process gets as many for everything else. */
  readonly maxTime: number;
  /** The size of V8's heap in MiB. */
  readonly maxMemory: number;
}

/** Tries one document in its own process, so that a crash or a hang is just a result. */
function runDocument({ file, ...entry }: Found, { maxTime, maxMemory }: Limits): Promise<Row> {
  const child = fork(new URL('try-document.ts', import.meta.url), [file, String(maxTime)], {
    execArgv: [`--max-old-space-size=${maxMemory}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: maxTime * 2000,
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve) => {
    let row: Row = entry;
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr = (stderr + chunk).slice(-4000);
    });
    child.on('message', (part) => {
      row = { ...row, ...(part as Partial<Row>) };
    });
    child.once('close', (code) => {
      const isWhole = code === 0 && (row.refused !== undefined || row.check !== undefined);
      resolve(isWhole ? row : { ...row, crash: lastWords(child, stderr) });
    });
  });
}

function lastWords({ signalCode, exitCode }: ChildProcess, stderr: string): string {
  const [error] = /heap out of memory|^\w*Error\b.*$/m.exec(stderr) ?? [];
  return (
    error ?? (signalCode === 'SIGKILL' ? 'no result in time' : `it ended with ${signalCode ?? exitCode}`)
  );
}

/** Tries all documents, `jobs` at a time. Returns the results in the order of the documents. */
export async function runDocuments(
  documents: readonly Found[],
  { jobs, ...limits }: Limits & { readonly jobs: number },
  onRow: (row: Row) => void = () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  const waiting = documents.entries();
  const work = async () => {
    for (const [index, document] of waiting) {
      const row = await runDocument(document, limits);
      rows[index] = row;
      onRow(row);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return rows;
}
