import { mkdtemp, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headersOf, type Measured, OPERATIONS } from './operations.ts';

/** Headers that node:http writes by itself. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/** Records the mock's own answers, so that the bare server says the same bytes. Gives the file's path. */
export async function recordAnswers(url: string): Promise<string> {
  const answers = Object.fromEntries(
    await Promise.all(OPERATIONS.map(async (operation) => [operation.name, await answerTo(url, operation)])),
  );
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-bench-')), 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  return file;
}

function answerTo(url: string, operation: Measured): Promise<object> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url + operation.path,
      { method: operation.method, headers: headersOf(operation) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const { rawHeaders: raw, statusCode: status } = response;
          const headers = raw.filter(
            (_, index) => !OWN.has((raw[index - (index % 2)] as string).toLowerCase()),
          );
          resolve({ status, headers, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    asked.on('error', reject).end(operation.body);
  });
}
