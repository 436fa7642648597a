import { describe, expect, test } from 'vitest';
import type { Family } from '../cases/case.ts';
import { type RunOptions, requestsOf } from './drive-cases.ts';
import { van } from './fleet.ts';

/** A document, named by one of its operations, and the initial records of the service. */
interface Given extends RunOptions {
  readonly document: string;
  /** Only matching requests are compared. */
  readonly such?: RegExp;
}

/** The cases of a document and their requests; the service is correct, so that no case reports anything. */
export type FamilyRow = [
  title: string,
  row: { given: Given; want: Readonly<Record<string, readonly string[]>> },
];

export function describeFamily(name: string, family: Family, rows: readonly FamilyRow[]): void {
  describe(name, () => {
    test.each(rows)('%s', async (_, { given: { document, ...options }, want }) => {
      expect(await requestsOf(family, document, options)).toEqual(want);
    });
  });
}

export const PETS = {
  '/pets': [
    { id: 1, name: 'Hazel', categoryId: 3 },
    { id: 2, name: 'Quill', categoryId: 4, status: 'sold' },
  ],
};

const LIBRARY = '11111111-1111-4111-8111-111111111111';

export const LIBRARIES = {
  '/libraries': [{ id: LIBRARY, name: 'Nyborg' }],
  [`/libraries/${LIBRARY}/books`]: [{ id: LIBRARY, title: 'Tides', language: 'da' }],
};

export const VANS = { '/vehicles': [van(1), van(2), van(3)] };
