import { readFileSync } from 'node:fs';

/** Colours and letters as custom properties, for a page that can load no style sheet. */
export function palette(): string {
  return readFileSync(new URL('./palette.css', import.meta.url), 'utf8');
}

/** The mark, as the address of a picture that is in the page itself. */
export function markUrl(): string {
  const svg = readFileSync(new URL('./mark.svg', import.meta.url), 'base64');
  return `data:image/svg+xml;base64,${svg}`;
}
