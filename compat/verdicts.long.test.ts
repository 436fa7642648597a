import { expect, test } from 'vitest';
import { verdictOn } from './testing/compared.ts';
import type { Edit } from './testing/documents.ts';
import { OPERATION_EDITS } from './testing/operation-edits.ts';
import { schemaEdits } from './testing/schema-edits.ts';

/** The verdict as a whole, of comparing and running, on edits where one of them alone might be wrong. */
async function expectVerdict([, pair, verdict]: Edit) {
  const { verdict: found, ...shown } = await verdictOn(pair);
  // Where a warning may be, none need be.
  expect(found === 'same' && verdict === 'safe' ? verdict : found, JSON.stringify(shown)).toBe(verdict);
}

test.for(schemaEdits('request'))('in a request: %s', expectVerdict);
test.for(schemaEdits('response'))('in a response: %s', expectVerdict);
test.for(OPERATION_EDITS)('%s', expectVerdict);
