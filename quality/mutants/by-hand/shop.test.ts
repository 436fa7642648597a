import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { check } from '../../../contract-tests/check.ts';
import type { Report } from '../../../contract-tests/report/report.ts';
import type { Behaviour } from './behaviour.ts';
import { startShop } from './shop.ts';

const document = fileURLToPath(new URL('../../../spec/openapi.yaml', import.meta.url));

async function reportOn(behaviour: Partial<Behaviour>): Promise<Report> {
  const { url, apiKey, close } = await startShop(behaviour);
  try {
    const events = check({ target: url, document, apiKey, settle: 100 });
    for (;;) {
      const { value, done } = await events.next();
      if (done) return value;
    }
  } finally {
    await close();
  }
}

describe('the shop written by hand', () => {
  it('keeps the contract as it stands', async () => {
    const { findings, cells, exitCode } = await reportOn({});
    expect(findings).toEqual([]);
    expect(cells.map(({ verdict }) => verdict)).toEqual(Array(8).fill('covered'));
    expect(exitCode).toBe(0);
  });

  it('breaks it with one behaviour replaced', async () => {
    const { findings, exitCode } = await reportOn({ page: (pets) => pets });
    expect(findings.map(({ law }) => law)).toContain('page-size');
    expect(exitCode).toBe(1);
  });
});
