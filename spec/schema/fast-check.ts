import { createRequire } from 'node:module';

type FastCheck = typeof import('fast-check').default;

/** The library is large and seldom needed: it is loaded at its first use. */
export function fastCheck(): FastCheck {
  const loaded = createRequire(import.meta.url)('fast-check') as { default: FastCheck };
  return loaded.default;
}
