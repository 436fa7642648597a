import { answersLookalikes } from './lookalikes/answers.ts';
import { concurrencyLookalikes } from './lookalikes/concurrency.ts';
import { leftOpenLookalikes } from './lookalikes/left-open.ts';
import { otherBodiesLookalikes } from './lookalikes/other-bodies.ts';
import { otherDocumentsLookalikes } from './lookalikes/other-documents.ts';
import { pagesAndValuesLookalikes } from './lookalikes/pages-and-values.ts';
import { recordsLookalikes } from './lookalikes/records.ts';
import { securityLookalikes } from './lookalikes/security.ts';
import { shelterLookalikes } from './lookalikes/shelter.ts';
import { validationLookalikes } from './lookalikes/validation.ts';
import { wireLookalikes } from './lookalikes/wire.ts';
import type { Lookalike } from './suspect.ts';

/** The lookalikes of each file; those that take longest come first. */
export const LOOKALIKE_TABLES = [
  concurrencyLookalikes,
  wireLookalikes,
  recordsLookalikes,
  validationLookalikes,
  otherDocumentsLookalikes,
  shelterLookalikes,
  otherBodiesLookalikes,
  answersLookalikes,
  leftOpenLookalikes,
  pagesAndValuesLookalikes,
  securityLookalikes,
];

export const LOOKALIKES: readonly Lookalike[] = LOOKALIKE_TABLES.flat();
