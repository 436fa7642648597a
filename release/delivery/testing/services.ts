import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { startMock } from '../../../quality/testing/paddock.ts';
import { OLD } from './user-project.ts';

/** What a hostile service would like a CI service to execute, and a page to show. */
const HOSTILE = [
  '\n::error title=forged::pwned',
  '\r\n::set-output name=forged::1',
  '%0A::warning::pwned',
  '##[error]pwned',
  '$(touch pwned)`touch pwned`',
  '<script>pwned</script>',
  '\u001b[31m\u2028::notice::pwned',
].join(' ');

/** The base URL of a service that keeps the contract of {@link OLD}. */
export async function startKeeping(): Promise<string> {
  const mock = await startMock([OLD]);
  onTestFinished(async () => void (await mock.stop()));
  return mock.url;
}

/** The base URL of one that breaks it, in texts that are meant for whoever reads the report. */
export async function startBreaking(): Promise<string> {
  const mock = await startMock([OLD]);
  onTestFinished(async () => void (await mock.stop()));
  const { status } = await fetch(`http://127.0.0.1:${mock.port}/__admin/rules`, {
    method: 'POST',
    body: JSON.stringify({ operation: 'listBooks', body: [{ id: HOSTILE, [HOSTILE]: HOSTILE }] }),
  });
  if (status !== 201) throw new Error(`the rule was answered ${status}`);
  return mock.url;
}

/** The value of a JSON file. */
export const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
