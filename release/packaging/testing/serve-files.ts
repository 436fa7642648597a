import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.yaml': 'application/yaml',
};

export interface FileServer {
  /** Without a trailing slash. */
  readonly origin: string;
  /** The requested paths. */
  readonly requested: string[];
  close(): void;
}

/** Serves a folder on loopback; a path without a file gets an empty page. */
export async function serveFiles(folder: string, headers: Record<string, string> = {}): Promise<FileServer> {
  const requested: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    requested.push(pathname);
    const file = join(folder, normalize(pathname === '/' ? '/index.html' : pathname));
    if (existsSync(file) && statSync(file).isFile()) {
      response.writeHead(200, {
        'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
        ...headers,
      });
      createReadStream(file).pipe(response);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/html', ...headers });
    response.end('<!doctype html><title>empty</title><link rel="icon" href="data:,">');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requested, close: () => server.close() };
}
