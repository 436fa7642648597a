import { describe, expect, test } from 'vitest';
import type { LawTable } from '../testing/law-table.ts';
import { judge } from '../testing/steps.ts';
import { CONDITIONAL_CASES } from './conditional.cases.ts';
import { LAWS, type LawName } from './law.ts';
import { LIST_CASES } from './list.cases.ts';
import { MANY_CASES } from './many.cases.ts';
import { MESSAGE_CASES } from './message.cases.ts';
import { NESTED_CASES } from './nested.cases.ts';
import { OWN_RECORD_CASES } from './own-records.cases.ts';
import { PAGE_CASES } from './pages.cases.ts';
import { PROMISE_CASES } from './promises.cases.ts';
import { QUERY_CASES } from './queries.cases.ts';
import { RECORD_CASES } from './records.cases.ts';
import { SENT_VALUE_CASES } from './sent-values.cases.ts';
import { STATUS_CASES } from './status.cases.ts';
import { STREAM_CASES } from './streams.cases.ts';
import { TWIN_CASES, UNIQUE_CASES } from './unique.cases.ts';
import { VALUE_CASES } from './values.cases.ts';

const TABLES: readonly LawTable[] = [
  UNIQUE_CASES,
  TWIN_CASES,
  SENT_VALUE_CASES,
  STATUS_CASES,
  MESSAGE_CASES,
  STREAM_CASES,
  LIST_CASES,
  PAGE_CASES,
  QUERY_CASES,
  RECORD_CASES,
  NESTED_CASES,
  OWN_RECORD_CASES,
  VALUE_CASES,
  CONDITIONAL_CASES,
  PROMISE_CASES,
  MANY_CASES,
];
const rowsOf = (law: LawName) => TABLES.flatMap((table) => table[law] ?? []);

/** Judged over requests at once, or without a response: linearizability, conditional, unique, callback and unanswered.test.ts. */
const OF_RACES: ReadonlySet<LawName> = new Set([
  'linearizable',
  'one-writer',
  'one-holder',
  'callback',
  'answered',
]);

describe.each((Object.keys(LAWS) as LawName[]).filter((law) => !OF_RACES.has(law)))('%s', (law) => {
  test.each(rowsOf(law))('%s', (_, { given, want }) => {
    const { breaches, applying } = judge(given);
    expect(breaches).toEqual(want === 'not judged' ? [] : want);
    if (want === 'not judged') expect(applying).not.toContain(law);
    else if (want.length === 0 && !NEVER_ALONE.has(law)) expect(applying).toContain(law);
  });

  test('has a row that holds and a row that breaks', () => {
    const wanted = rowsOf(law).map(([, { want }]) => want);
    expect(wanted.some((want) => want.length === 0)).toBe(true);
    expect(
      wanted.some(
        (want) =>
          Array.isArray(want) &&
          want.some((breach) => breach.replace(/^presumed /, '').startsWith(`${law}:`)),
      ),
    ).toBe(true);
  });
});

/** Names of breaches that laws of another name find. */
const NEVER_ALONE: ReadonlySet<LawName> = new Set(['complete-list', 'exact-integers', 'search']);
