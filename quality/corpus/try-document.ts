import { basename } from 'node:path';
import { BUILT_IN_KEY, createMock } from '#mock';
import { DocumentError } from '#spec';
import type { Check, Start } from './run-documents.ts';

/**
 * Tries one document in its own process. It may end, or be killed, at any point, so results are sent immediately.
 * Arguments: the file, and the seconds for the suite.
 */
const [file = '', maxTime = '60'] = process.argv.slice(2);

// The parent that would stop this process at its time limit is gone.
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
  const start: Start = {
    ms: Math.round(performance.now()),
    mib: Math.round(process.memoryUsage.rss() / 2 ** 20),
    operations: mock.operations.length,
    stateful: mock.operations.filter(({ action }) => action !== 'sample').length,
  };
  await tell({ start });
  const promises = mock.contract.operations.flatMap(({ responses }) => responses).length;
  const { complaints, ...rest } = await checkMock(mock.url);
  await mock.close();
  await tell({ check: { promises, ...rest, complaints: [...bugs, ...complaints] } });
}

async function checkMock(target: string): Promise<Omit<Check, 'promises'>> {
  // Imported after the start, so that start time and memory do not include the suite.
  const { check } = await import('#contract-tests');
  const began = performance.now();
  const events = check({
    target,
    document: file,
    apiKey: BUILT_IN_KEY,
    settle: 200,
    maxCreates: 1000,
    // The mock belongs to this run.
    disposable: true,
    maxTime: Number(maxTime),
  });
  for (;;) {
    const { value, done } = await events.next();
    if (!done) continue;
    const { exitCode, reason, cells, findings } = value;
    const lines = findings.map(
      ({ caseId, law, received, documented }) => `${caseId}: ${law}: ${received}; documented: ${documented}`,
    );
    const open = cells
      .filter(({ verdict, gates }) => verdict === 'not reached' && gates)
      .map((cell) => `${cell.operationId}/${cell.status}: ${cell.reason}`);
    const seen = exitCode === 0 ? [] : [...lines, ...open];
    const complaints = exitCode !== 0 && seen.length === 0 ? [reason ?? 'no reason is given'] : seen;
    return { exitCode, ms: Math.round(performance.now() - began), complaints };
  }
}
