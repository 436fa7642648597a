import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface KilledWriters {
  /** The number of the complete report after each round. */
  readonly reports: readonly number[];
  /** Other files after the last round. */
  readonly leftOver: number;
}

interface WrittenReport {
  readonly number: number;
  readonly list: readonly { readonly number: number }[];
}

const WRITER = fileURLToPath(new URL('write-reports.ts', import.meta.url));

/**
 * Kills a process that writes large reports, again and again, at times that depend on the seed.
 * @throws Error if a report is incomplete, or a mixture of two
 */
export async function killWriters({
  rounds,
  entries,
  seed,
}: {
  readonly rounds: number;
  readonly entries: number;
  readonly seed: number;
}): Promise<KilledWriters> {
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  const file = join(folder, 'report.json');
  const reports: number[] = [];
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  for (let round = 0; round < rounds; round++) {
    const writer = spawn(process.execPath, [WRITER, file, `${entries}`], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = once(writer, 'exit');
    // Some time after a report was written, while the next one is made or written.
    await Promise.race([once(writer, 'message'), ended]);
    await sleep(random(200));
    writer.kill('SIGKILL');
    const [, signal] = await ended;
    if (signal !== 'SIGKILL') throw new Error('the writer ended by itself');
    const { number, list } = JSON.parse(readFileSync(file, 'utf8')) as WrittenReport;
    if (list.length !== entries || list.some((entry) => entry.number !== number))
      throw new Error(`report ${number} is not whole`);
    reports.push(number);
  }
  return { reports, leftOver: readdirSync(folder).length - 1 };
}
