import { dirname } from 'node:path';
import { readHar } from '#har';
import { start } from '../testing/command.ts';
import { freePort } from '../testing/free-port.ts';
import { installedJudge } from '../testing/judges.ts';
import type { Recording } from './recordings.ts';
import type { Share } from './score.ts';

/**
 * Starts Prism's mock of a document, and sends it what was recorded and answered with success: how many of these it answers
 * with success, too. Undefined: it does not start, or warns of the document.
 */
export async function askPrism(file: string, { har, url }: Recording): Promise<Share | undefined> {
  const { program } = await installedJudge('prism');
  const port = String(await freePort());
  const command = [process.execPath, program, 'mock', file, '--port', port, '--errors'];
  const prism = await start(dirname(file), command, /Prism is listening|warn|error/i).catch(() => undefined);
  if (!prism) return undefined;
  try {
    if (!prism.found[0].includes('listening')) return undefined;
    let [right, all] = [0, 0];
    for await (const item of readHar(har)) {
      if ('problem' in item || !item.response || item.response.status >= 300) continue;
      const { method, url: sent, headers, body } = item.request;
      if (!sent.href.startsWith(`${url}/`)) continue;
      const path = sent.href.slice(url.length);
      const kept = headers.filter(([name]) => /^(?:authorization|content-type|accept)$/i.test(name));
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: kept.map(([name, value]): [string, string] => [name, value]),
        body: body === undefined ? null : Buffer.from(body),
      });
      await response.arrayBuffer();
      all += 1;
      if (response.ok) right += 1;
    }
    return [right, all];
  } finally {
    prism.stop();
  }
}
