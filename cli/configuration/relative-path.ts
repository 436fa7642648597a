import { relative, resolve } from 'node:path';

/** Stands for standard output or input. */
const STANDARD = '-';

/**
 * A path of the file as one that counts from the working directory, absolute if it leads out of that; URLs, revisions
 * (`git:REF:PATH`) and `-` stay what they are.
 */
export function inFolder(text: string, folder: string): string {
  if (text === STANDARD || /^(?:https?|git):/i.test(text)) return text;
  const path = resolve(folder, text);
  const below = relative('', path);
  return below.startsWith('..') ? path : below || '.';
}

/** The place of a store: `memory`, `file:PATH` or a URL. */
export function storeInFolder(text: string, folder: string): string {
  const path = /^file:(.+)$/s.exec(text)?.[1];
  return path === undefined ? text : `file:${inFolder(path, folder)}`;
}

/** Matches what is no URL with a password (RFC 3986 §3.2.1); for a JSON Schema, too. */
export const NO_PASSWORDS = '^(?![A-Za-z][A-Za-z0-9+.\\-]*://[^/?#@]*:[^/?#@]+@)';
