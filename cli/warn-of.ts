import { type Contract, showPlace } from '#spec';
import { printable } from './printable.ts';

/** The first warnings say what kind of document it is. */
const MOST_WARNINGS = 20;

/** Tells, on standard error, what is odd in documents and how it is read all the same. */
export function warnOf({ warnings }: Pick<Contract, 'warnings'>): void {
  for (const warning of warnings.slice(0, MOST_WARNINGS))
    console.error(printable(`warning: ${showPlace(warning)}: ${warning.message}`));
  const others = warnings.length - MOST_WARNINGS;
  if (others > 0) console.error(`warning: ${others} more about the document; --strict-document shows all`);
}
