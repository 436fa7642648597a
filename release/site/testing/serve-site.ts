import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
};

export interface SiteServer {
  /** Including the path of the site, with a slash at the end. */
  readonly url: string;
  close(): void;
}

/** Serves a built site on loopback below a path, like a simple web server; other paths do not exist. */
export async function serveSite(folder: string, base: string): Promise<SiteServer> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const inside = pathname.slice(base.length);
    const file = join(folder, inside === '' ? 'index.html' : inside);
    const isThere = pathname.startsWith(base) && existsSync(file) && statSync(file).isFile();
    const sent = isThere ? file : join(folder, '404.html');
    response.writeHead(isThere ? 200 : 404, { 'Content-Type': TYPES[extname(sent)] ?? 'text/plain' });
    createReadStream(sent).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${base}`, close: () => server.close() };
}
