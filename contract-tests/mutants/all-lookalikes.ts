import * as otherDocuments from './lookalikes/other-documents.ts';
import * as records from './lookalikes/records.ts';
import * as validation from './lookalikes/validation.ts';
import * as wire from './lookalikes/wire.ts';
import type { Lookalike } from './suspect.ts';

/** Those that take longest come first. */
export const LOOKALIKE_TABLES = [wire, records, validation, otherDocuments].map((file) =>
  Object.values<Lookalike[]>(file).flat(),
);

export const LOOKALIKES: readonly Lookalike[] = LOOKALIKE_TABLES.flat();
