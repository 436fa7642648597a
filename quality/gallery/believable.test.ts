import { beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '#mock';
import { collectRecords } from './collect-records.ts';
import { usualDocuments } from './gallery-documents.ts';
import { type Complaint, judgeRecords, KINDS } from './judge-records.ts';

/** How much of what is seeded a person would laugh at, over all documents. */
const MOST = { noise: 0, dangling: 0, time: 0, latin: 0 } as const;

const complaints: (Complaint & { readonly document: string })[] = [];

beforeAll(async () => {
  for (const { name, read } of usualDocuments(Number.POSITIVE_INFINITY)) {
    const mock = await createMock({ document: await read(), port: false });
    const judgement = judgeRecords(mock.contract, await collectRecords(mock));
    for (const one of judgement.complaints) complaints.push({ document: name, ...one });
    await mock.close();
  }
});

describe('seeded records are believable', () => {
  test.each(KINDS)('%s', (kind) => {
    const found = complaints.filter((one) => one.kind === kind);
    const shown = found
      .slice(0, 10)
      .map(
        ({ document, collection, member, value, why }) =>
          `${document} ${collection}.${member}: ${value} ${why}`,
      );
    expect(found.length, shown.join('\n')).toBeLessThanOrEqual(MOST[kind]);
  });
});
