import { entityTag } from '../http/entity-tag.ts';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import { CONSOLE_PATH, type ConsolePages, MOCK_PAGES } from './path.ts';

// Loaded on first use of the console, and never in browsers (no-console.ts).
const { readFile } = process.getBuiltinModule('node:fs/promises');
const { createHash } = process.getBuiltinModule('node:crypto');
const nodeModule = process.getBuiltinModule('node:module');

const FOLDER = new URL('../../console/', import.meta.url);

/** Shared with the report and the site. */
const BRAND: Readonly<Record<string, URL>> = {
  'brand/mark.svg': new URL('../../brand/mark.svg', import.meta.url),
  'brand/palette.css': new URL('../../brand/palette.css', import.meta.url),
};

/** A clone has `.ts` files, the package `.js` files. */
const IS_CLONE = import.meta.url.endsWith('.ts');

/** The console's imports by name, as in its import map. */
const LIBRARY: Readonly<Record<string, string>> = {
  'library/preact.mjs': 'preact',
  'library/preact-hooks.mjs': 'preact/hooks',
  'library/marked.mjs': 'marked',
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  ts: 'text/javascript; charset=utf-8',
};

/** No names that begin with a dot, and no tests or their helpers. */
const SERVED = /^(?!testing\/|screenshots\.)(?:[a-z][a-z-]*\/)*[a-z][a-z-]*\.(?:css|js|svg|ts)$/;

/** The page, or one of its files; clients revalidate their copy at each use (RFC 9111 §5.2.2.4). */
export async function consoleFile(
  { path, headers }: MockRequest,
  pages: ConsolePages = MOCK_PAGES,
): Promise<Outcome> {
  const page = pages[path];
  const name = page ?? path.slice(CONSOLE_PATH.length);
  const body = await (page ? readFile(new URL(page, FOLDER), 'utf8') : readConsoleFile(name));
  if (body === undefined) return { refuse: 'no such path', message: `No such path: ${path}` };
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  const tag = entityTag(type, body);
  const shared = {
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ETag: tag,
    ...(page && { 'Content-Security-Policy': contentPolicy(body) }),
  };
  if (headers['if-none-match'] === tag) return { status: 304, type: undefined, headers: shared, body: '' };
  return { status: 200, type, headers: shared, body };
}

/** Undefined: the console has no such file. */
async function readConsoleFile(name: string): Promise<string | undefined> {
  const { resolve } = nodeModule.createRequire(import.meta.url);
  if (Object.hasOwn(LIBRARY, name)) return readFile(resolve(LIBRARY[name] as string), 'utf8');
  if (Object.hasOwn(BRAND, name)) return readFile(BRAND[name] as URL, 'utf8');
  if (!SERVED.test(name)) return undefined;
  try {
    const text = await readFile(new URL(name, FOLDER), 'utf8');
    return IS_CLONE && name.endsWith('.ts') ? nodeModule.stripTypeScriptTypes(text) : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The import map is the only inline script, as a policy cannot allow an external one. */
function contentPolicy(text: string): string {
  const [, map = ''] = /<script type="importmap">([\s\S]*?)<\/script>/.exec(text) ?? [];
  const hash = createHash('sha256').update(map).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
