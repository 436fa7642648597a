import { basename } from 'node:path';
import { BUILT_IN_KEY, createMock } from '#mock';
import { DocumentError } from '#spec';
import type { Check, Start } from './row.ts';

/**
 * One document, in a process of its own: it may end, or be ended, at any point, so what is known is sent at once.
 * Arguments: the file, and the seconds that the suite may take.
 */
const [file = '', maxTime = '60'] = process.argv.slice(2);

// Nobody is there any more to end it when its time is over.
process.once('disconnect', () => process.exit());

const tell = (part: object) => new Promise<void>((done) => process.send?.(part, () => done()));

try {
  await tryDocument();
} catch (error) {
  if (!(error instanceof DocumentError)) throw error;
  const [first] = error.problems;
  const refused = `${basename(first?.uri ?? file)}:${first?.line ?? 1}: ${first?.message ?? error.message}`;
  await tell({ refused });
}
process.disconnect?.();

async function tryDocument(): Promise<void> {
  const bugs: string[] = [];
  const onBug = (error: unknown) => bugs.push(String((error as Error)?.stack ?? error).slice(0, 400));
  const mock = await createMock({ document: file, port: 0, onBug });
  const plain = mock.operations.find(({ method, path }) => method === 'GET' && !path.includes('{'));
  const response = await fetch(mock.url + (plain?.path ?? '/'), {
    headers: { authorization: `Bearer ${BUILT_IN_KEY}` },
  });
  await response.arrayBuffer();
  const sampled = mock.operations.filter(({ action }) => action === 'sample').length;
  const start: Start = {
    ms: Math.round(performance.now()),
    mib: Math.round(process.memoryUsage.rss() / 2 ** 20),
    stateful: mock.operations.length - sampled,
    sampled,
  };
  await tell({ warnings: mock.contract.warnings.length, start });
  const promises = mock.contract.operations.flatMap(({ responses }) => responses).length;
  const check = { promises, ...(await checkMock(mock.url, bugs)) };
  await mock.close();
  await tell({ check });
}

async function checkMock(target: string, bugs: readonly string[]): Promise<Omit<Check, 'promises'>> {
  // After the start, whose memory and time do not contain the suite.
  const { check } = await import('#contract-tests');
  const began = performance.now();
  const events = check({
    target,
    document: file,
    apiKey: BUILT_IN_KEY,
    settle: 200,
    maxCreates: 1000,
    // The mock is the run's own.
    allow: ['all'],
    maxTime: Number(maxTime),
  });
  for (;;) {
    const { value, done } = await events.next();
    if (!done) continue;
    const { exitCode, reason, cells, findings } = value;
    const open = cells.filter(({ verdict }) => verdict === 'not reached');
    return {
      exitCode,
      ...(reason !== undefined && { reason }),
      ms: Math.round(performance.now() - began),
      covered: cells.filter(({ verdict }) => verdict === 'covered').length,
      uncovered: open
        .filter(({ gates }) => gates)
        .map((cell) => `${cell.operationId}/${cell.status}: ${cell.reason}`),
      left: open.filter(({ gates }) => !gates).length,
      findings: findings.map(
        ({ caseId, law, received, documented }) =>
          `${caseId}: ${law}: ${received}; documented: ${documented}`,
      ),
      bugs,
    };
  }
}
