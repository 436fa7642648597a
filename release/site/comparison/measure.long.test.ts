import { expect, test } from 'vitest';
import { measureCheck, measureMock } from './measure.ts';
import measured from './measured.json' with { type: 'json' };
import { CHECKS_IN_CLONE, MOCKS_IN_CLONE } from './tools.ts';

/** The tools of the clone do what docs/comparison.md says of them; the others are not installed here. */
const PATIENT = { timeout: 600_000 };
type Answers = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

test.for(MOCKS_IN_CLONE)('the mock of $name', PATIENT, async (tool) => {
  expect(await measureMock(tool)).toEqual((measured.mocks as Answers)[tool.name]);
});

test.for(CHECKS_IN_CLONE)('$name as a judge', PATIENT, async (tool) => {
  expect(await measureCheck(tool)).toEqual((measured.checks as Answers)[tool.name]);
});
