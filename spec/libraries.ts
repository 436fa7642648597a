import { createRequire } from 'node:module';

/**
 * Libraries that few documents need, each loaded synchronously on first use. A browser cannot do that, and uses
 * libraries.browser.ts instead (`imports` in package.json).
 */
let require: NodeJS.Require | undefined;

function load(name: string): unknown {
  require ??= createRequire(import.meta.url);
  return require(name);
}

/** Ajv without the meta-schemas, which are not used for validation. */
export const ajvLibrary = () => load('ajv/dist/core.js') as typeof import('ajv/dist/core.js');

export const ajvVocabularies = () =>
  (load('ajv/dist/vocabularies/draft2020.js') as typeof import('ajv/dist/vocabularies/draft2020.js')).default;

export const ajvFormats = () =>
  (load('ajv-formats/dist/formats.js') as typeof import('ajv-formats/dist/formats.js')).fullFormats;

export const fastCheck = () => (load('fast-check') as typeof import('fast-check')).default;

export const regexpp = () => load('@eslint-community/regexpp') as typeof import('@eslint-community/regexpp');

export const multipartParser = () =>
  load('@remix-run/multipart-parser') as typeof import('@remix-run/multipart-parser');

export const eventSourceParser = () => load('eventsource-parser') as typeof import('eventsource-parser');

/** Before Node 22.15 without zstd. */
export const zlib = () => load('node:zlib') as Partial<typeof import('node:zlib')>;

export const saxesLibrary = () => load('saxes') as typeof import('saxes');

export const liquidLibrary = () => load('liquidjs') as typeof import('liquidjs');

/** Only browsers must load it in advance; Node can load it synchronously. */
export async function loadLiquidLibrary(): Promise<void> {}
