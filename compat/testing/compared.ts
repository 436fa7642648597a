import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompatOptions, compat } from '../index.ts';
import type { DocumentPair, Verdict } from './documents.ts';

const folder = await mkdtemp(join(tmpdir(), 'compat-'));
let count = 0;

/** Writes a text to a new file. */
export async function written(text: string, extension = 'json'): Promise<string> {
  count += 1;
  const file = join(folder, `${count}.${extension}`);
  await writeFile(file, text);
  return file;
}

/** The report on two documents, with short forms of its findings and warnings. */
export async function compared([old, next]: DocumentPair, options: CompatOptions = {}) {
  const [before, after] = [
    await written(JSON.stringify(old, undefined, 1)),
    await written(JSON.stringify(next, undefined, 1)),
  ];
  const report = await compat(before, after, { examples: 1, ...options });
  return {
    ...report,
    reported: report.findings.map(({ operationId, law }) => `${operationId} ${law}`),
    warnings: report.notices.map(({ text }) => text.replace(/ \(\/.*/, '')),
  };
}

/** The verdict on two documents, and its basis. */
export async function verdictOn(pair: DocumentPair) {
  const { exitCode, reason, findings, warnings, changes = [] } = await compared(pair, { examples: 2 });
  const verdict: Verdict | undefined =
    exitCode === 1 ? 'breaking' : exitCode > 0 ? undefined : warnings.length > 0 ? 'safe' : 'same';
  const received = findings.map((one) => `${one.caseId}: ${one.received}`);
  return { verdict, reason, received, warnings, rules: changes.map(({ rule }) => rule) };
}
