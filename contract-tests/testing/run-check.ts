import { fileURLToPath } from 'node:url';
import { check } from '../check.ts';
import type { CheckOptions } from '../check-options.ts';
import type { Report } from '../report/report.ts';

export const SHIPPED_DOCUMENT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));

/** A whole run, to its report; against the shipped document where no other is named. */
export async function runCheck(options: Partial<CheckOptions> & { target: string }): Promise<Report> {
  const events = check({ document: SHIPPED_DOCUMENT, ...options });
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}
