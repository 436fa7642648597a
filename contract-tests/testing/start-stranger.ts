import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a second process that creates 100 records a second; gives what ends it, and how many there were in one. */
export function startStranger(url: string, apiKey: string): () => Promise<number> {
  const program = fileURLToPath(new URL('stranger.ts', import.meta.url));
  const body = JSON.stringify({ name: 'stranger', categoryId: 3, status: 'sold' });
  const child = spawn(process.execPath, [program, `${url}/pets`, apiKey, body]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return () =>
    new Promise((resolve, reject) => {
      child.once('close', () => {
        const [, written, ms] = /^(\d+) in (\d+) ms$/m.exec(output) ?? [];
        if (ms === undefined) reject(new Error(`the stranger broke down:\n${output}`));
        else resolve((Number(written) / Number(ms)) * 1000);
      });
      child.kill();
    });
}
