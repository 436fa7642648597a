import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, run } from '../testing/command.ts';

/** Seconds: CI takes no more of its time for services of others. */
const LIMIT = 240;

test(
  'a sample of services of others shows its judged roots alone, and keeps the data of others',
  async ({ skip }) => {
    const reports = await mkdtemp(join(tmpdir(), 'services-'));
    const command = [
      'npm',
      'run',
      '--silent',
      'lab',
      '--',
      'services',
      'alertmanager',
      'powerdns',
      '--report',
      reports,
    ];
    const { code, output } = await run(ROOT, command, {}, LIMIT * 1000);
    if (code === 3) skip(`a service could not be installed or started:\n${output}`);
    expect(output).not.toMatch(/: not judged: /);
    expect(output).not.toMatch(/data of others removed or changed/);
    expect(output).toMatch(/^\| alertmanager .*\| +[1-9]\d* \|/m);
  },
  LIMIT * 1000 + 30_000,
);
