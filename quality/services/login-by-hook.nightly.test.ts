import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../testing/command.ts';
import { runPaddock } from '../testing/paddock.ts';
import { install } from './install.ts';
import { KINTO } from './of-others/kinto.ts';
import { withInstance } from './try-service.ts';

const PAGE = readFileSync(join(ROOT, 'docs/hooks.md'), 'utf8');
const [, CONFIG = ''] = /^```js\n(\/\/ kinto\.config\.mjs\n.*?)^```/ms.exec(PAGE) ?? [];
const ONLY = '^(get|create|update|delete)_buckets?/';

interface Report {
  readonly cells: readonly {
    readonly operationId: string;
    readonly status: string;
    readonly verdict: string;
  }[];
}

/** Skipped if Kinto cannot be installed. */
test('hooks log in to Kinto, whose document names no security scheme', async ({ skip }) => {
  const installed = join(homedir(), '.cache/paddock-services', KINTO.name);
  await install(KINTO.packages, installed).catch((error: Error) => skip(error.message));
  const folder = mkdtempSync(join(tmpdir(), 'paddock-'));
  const file = join(folder, 'kinto.config.mjs');
  writeFileSync(file, CONFIG);
  try {
    await withInstance(KINTO, installed, async (place) => {
      const document = await KINTO.document(place);
      const covered = async (exitCode: number, config: string) => {
        const report = join(folder, 'report.json');
        const { output } = await runPaddock(
          ['check', place.url, document, '--only', ONLY, '--config', config, '--report', `json=${report}`],
          { env: { PADDOCK_EXAMPLES: '2' } },
        );
        expect(output).toContain(`(exit ${exitCode})`);
        const { cells } = JSON.parse(readFileSync(report, 'utf8')) as Report;
        return cells
          .filter(({ verdict }) => verdict === 'covered')
          .map(({ operationId, status }) => `${operationId} ${status}`);
      };
      const life = ['create_bucket 201', 'get_bucket 200', 'update_bucket 200', 'delete_bucket 200'];
      expect(await covered(1, file)).toEqual(expect.arrayContaining(life));
      // No operation is covered: the document has no 401, which all of them return.
      const without = await covered(4, 'none');
      expect(life.filter((cell) => without.includes(cell))).toEqual([]);
      const account = await fetch(`${place.url}/accounts`, { headers: KINTO.headers?.(place) ?? {} });
      expect(await account.text()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
