import { readFileSync } from 'node:fs';

/** Colours and fonts as custom properties, for a page that cannot load a style sheet. */
export function palette(): string {
  return readFileSync(new URL('./palette.css', import.meta.url), 'utf8');
}

/** The logo as a data URL. */
export function markUrl(): string {
  const svg = readFileSync(new URL('./mark.svg', import.meta.url), 'base64');
  return `data:image/svg+xml;base64,${svg}`;
}
