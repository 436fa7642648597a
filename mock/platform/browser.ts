import { sha256 } from '@noble/hashes/sha2.js';

/** The browser's version of node.ts. */
const ENCODER = new TextEncoder();

export function digest(text: string, bytes: string | Uint8Array): string {
  const hash = sha256.create().update(ENCODER.encode(text));
  hash.update(typeof bytes === 'string' ? ENCODER.encode(bytes) : bytes);
  return toBase64Url(String.fromCharCode(...hash.digest()));
}

export function fromBase64(text: string): string {
  const [digits = ''] = text.split('=', 1);
  const base64 = digits
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  // A single base64 digit is less than a byte.
  return atob(base64.length % 4 === 1 ? base64.slice(0, -1) : base64);
}

export function toBase64Url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= (one[at] as number) ^ (other[at] as number);
  return difference === 0;
}

/** The same limit as in Node. */
export const maxHeaderSize = () => 16_384;

export const ownName = () => 'browser';

export const createContext = (): undefined => undefined;

export const isThisMachine = async () => false;

// biome-ignore lint/suspicious/noConsole: where a browser shows what went wrong.
export const warn = (error: unknown) => console.warn(error);

/** A page cannot abort running code. */
export const endAfter = <T>(_milliseconds: number, work: () => T): T => work();

type FakerLibrary = typeof import('@faker-js/faker/locale/en');

let faker: FakerLibrary | undefined;

/** Loads faker, which is a separate file, for contracts that may need it. */
export async function loadFakerLibrary(): Promise<void> {
  faker ??= await import('@faker-js/faker/locale/en');
}

export const fakerLocales = (): readonly string[] => ['en'];

/** English only, since a page would have to include every language. */
export function fakerLibrary(_locale: string): FakerLibrary {
  return faker as FakerLibrary;
}
