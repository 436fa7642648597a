import type { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

/** What the mock needs from Node; browser.ts has the same for browsers (`#platform` in package.json). */
const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
const { dirname } = process.getBuiltinModule('node:path');
const http = process.getBuiltinModule('node:http');

/** SHA-256 of both in sequence, in base64url. */
export function digest(text: string, bytes: string | Uint8Array): string {
  return createHash('sha256').update(text).update(bytes).digest('base64url');
}

/** Decodes base64 or base64url, to a character for each byte; other characters are skipped. */
export const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString('latin1');

/** Base64url of ASCII, without padding. */
export const toBase64Url = (text: string) => Buffer.from(text).toString('base64url');

/** Compares bytes of the same length in constant time. */
export const areEqual: (one: Uint8Array, other: Uint8Array) => boolean = timingSafeEqual;

/** The maximum number of characters in a request's target and headers together. */
export const maxHeaderSize = () => http.maxHeaderSize;

/** The name of this mock among others. */
export const ownName = () => `${process.getBuiltinModule('node:os').hostname()}-${process.pid}`;

/**
 * A value for everything that is called within `run`, also asynchronously. Undefined in browsers, which have no such thing.
 */
export function createContext<T>(): Pick<AsyncLocalStorage<T>, 'run' | 'getStore'> | undefined {
  return new (process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)<T>();
}

/** Whether a name or address is this machine's; false if it cannot be resolved. */
export async function isThisMachine(host: string): Promise<boolean> {
  const { lookup } = process.getBuiltinModule('node:dns/promises');
  const { BlockList } = process.getBuiltinModule('node:net');
  const { hostname, networkInterfaces } = process.getBuiltinModule('node:os');
  if (host.toLowerCase() === hostname().toLowerCase()) return true;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  const blockList = new BlockList();
  blockList.addSubnet('127.0.0.0', 8);
  const interfaces = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  const unspecified = [
    { address: '0.0.0.0', family: 4 },
    { address: '::', family: 6 },
    { address: '::1', family: 6 },
  ];
  for (const { address, family } of [...unspecified, ...interfaces])
    blockList.addAddress(address, `${family}`.endsWith('4') ? 'ipv4' : 'ipv6');
  return addresses.some(({ address, family }) => blockList.check(address, family === 4 ? 'ipv4' : 'ipv6'));
}

export const warn = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error));

/** Faker in a language, loaded on first use, since many documents never need it. */
export function fakerLibrary(locale: string): typeof import('@faker-js/faker/locale/en') {
  return createRequire(import.meta.url)(`@faker-js/faker/locale/${locale}`);
}

/**
 * The result of synchronous work, which is aborted when it takes longer.
 * @throws RangeError if it was aborted
 */
export function endAfter<T>(milliseconds: number, work: () => T): T {
  const { Script, createContext } = process.getBuiltinModule('node:vm');
  ending ??= { script: new Script('work()'), context: createContext({}) };
  const { script, context } = ending;
  context.work = work;
  try {
    return script.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    const isEnded = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw isEnded ? new RangeError(`it took longer than ${milliseconds} ms`) : error;
  } finally {
    context.work = undefined;
  }
}

let ending:
  | { readonly script: import('node:vm').Script; readonly context: import('node:vm').Context }
  | undefined;

/** The languages of faker, by its own names such as `de` and `pt_BR`. */
export function fakerLocales(): readonly string[] {
  locales ??= process
    .getBuiltinModule('node:fs')
    .readdirSync(dirname(createRequire(import.meta.url).resolve('@faker-js/faker/locale/en')))
    .filter((file) => file.endsWith('.js') && file !== 'base.js')
    .map((file) => file.slice(0, -'.js'.length))
    .sort();
  return locales;
}

let locales: readonly string[] | undefined;

/** Node can load it synchronously at any time; a browser must load it beforehand. */
export async function loadFakerLibrary(): Promise<void> {}
