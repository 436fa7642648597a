import { expect, test } from 'vitest';
import { SERVICES } from './all-services.ts';
import { readJudged } from './judged.ts';
import { renderServices } from './render-services.ts';
import type { Trial } from './try-service.ts';

const [service = { name: '', version: '', stack: '' }] = SERVICES;
const [judged = { key: '', verdict: 'true' }] = readJudged(service.name);

const trial: Trial = {
  name: service.name,
  version: service.version,
  stack: service.stack,
  check: {
    verdict: 'broken',
    roots: [judged.key.replaceAll('*', 'x'), 'status/nobody-has-judged-it'].map((key) => ({
      key,
      received: '',
      documented: '',
      gates: true,
    })),
    findings: 5,
    requests: 70,
    operations: 9,
    withheld: 3,
    seconds: 12.3,
    changed: ['a record of somebody'],
  },
  proxy: { verdict: 'holds', roots: [], findings: 0, requests: 20 },
  schemathesis: { seconds: 61, isLate: true },
};

test('a row has the roots by verdict, the findings, and what became of the data of others', () => {
  const page = renderServices([trial]);
  expect(judged.verdict).toBe('true');
  expect(page).toContain(
    '**1 services, 2 roots: 1 true, 0 false, 0 debatable, 1 not judged; lines of the data of others removed or changed: 1.**',
  );
  expect(page).toContain(
    `| ${service.name} | ${service.version} | ${service.stack} | 9 | 3 | 2 | 1 | 0 | 0 | 5 | 70 | 12 | 1 line |`,
  );
});

test('what the other tool left open is said', () => {
  expect(renderServices([trial])).toContain('| no report | 61, ended by the limit | it no longer answers |');
});

test('a service that could not be tried is named with the reason', () => {
  const { check, proxy, schemathesis, ...untried } = trial;
  expect(renderServices([{ ...untried, failure: 'no registry\nand more' }])).toContain(
    `- ${service.name}: no registry\n`,
  );
});
