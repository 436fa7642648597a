import { expect, test } from 'vitest';
import type { Finding } from '../laws/finding.ts';
import { boundExchanges } from './case-log.ts';

const LONG = 'x'.repeat(50_000);

function findingOf(key: string): Finding {
  const response = { status: 200, headers: [], body: Buffer.from(LONG), text: LONG, json: { value: LONG } };
  return { key, caseId: 'a/200/b', exchange: { response } } as unknown as Finding;
}

test('of many findings of one key the first show all of the response, and none is lost', () => {
  const bounded = boundExchanges();
  const all = Array.from({ length: 30 }, () => bounded([findingOf('a'), findingOf('b')])).flat();
  expect(all).toHaveLength(60);
  const lengths = all.filter(({ key }) => key === 'a').map(({ exchange }) => exchange.response.text?.length);
  expect(new Set(lengths.slice(0, 20))).toEqual(new Set([LONG.length]));
  expect(new Set(lengths.slice(20))).toEqual(new Set([4096]));
});
