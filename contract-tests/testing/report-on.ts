import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { startShop } from '../../quality/mutants/by-hand/shop.ts';
import { SHIPPED_DOCUMENT } from '../../quality/mutants/suspect.ts';
import { check } from '../check.ts';
import type { Report } from '../report/report.ts';
import type { CheckOptions } from '../settings/check-options.ts';

/** The report of a whole run. */
export async function reportOf(options: CheckOptions): Promise<Report> {
  const events = check(options);
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}

/** The report on a hand-written service, with some of its behaviour replaced. */
export async function reportOn(
  behaviour: Partial<Behaviour> = {},
  options: Partial<CheckOptions> = {},
): Promise<Report> {
  const { url, apiKey, close } = await startShop(behaviour);
  try {
    // Sequential cases: what a fault of many records shows first depends on which of them exist.
    const settings = { document: SHIPPED_DOCUMENT, settle: 100, jobs: 1, examples: 5 };
    return await reportOf({ target: url, apiKey, ...settings, ...options });
  } finally {
    await close();
  }
}
