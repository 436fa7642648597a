import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from '../check.ts';
import type { Report } from '../report/report.ts';
import type { CheckOptions } from '../settings/check-options.ts';

export const SHIPPED_DOCUMENT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));

/** A whole run, to its report; by default against the shipped document with five examples. */
export async function runCheck(options: Partial<CheckOptions> & { target: string }): Promise<Report> {
  const events = check({ document: SHIPPED_DOCUMENT, examples: 5, ...options });
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}

/** A whole run against a document that is not in a file. */
export async function runCheckOf(
  document: object,
  options: Omit<Partial<CheckOptions>, 'document'>,
): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  try {
    const file = join(folder, 'document.json');
    await writeFile(file, JSON.stringify(document));
    return await runCheck({ target: 'http://127.0.0.1:1', ...options, document: file });
  } finally {
    await rm(folder, { recursive: true });
  }
}
