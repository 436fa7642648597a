import * as regexppModule from '@eslint-community/regexpp';
import * as multipartModule from '@remix-run/multipart-parser';
import ajvModule from 'ajv/dist/core.js';
import vocabularies from 'ajv/dist/vocabularies/draft2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as eventSourceModule from 'eventsource-parser';
import * as saxesModule from 'saxes';

/** The browser version of libraries.ts: all libraries except Liquid are part of the bundle. */
export const ajvLibrary = () => ajvModule;

export const ajvVocabularies = () => vocabularies.default;

export const ajvFormats = () => fullFormats;

export const regexpp = () => regexppModule;

export const multipartParser = () => multipartModule;

export const eventSourceParser = () => eventSourceModule;

export const saxesLibrary = () => saxesModule;

/** Browsers have no zlib, so bodies with a content coding are not read. */
export const zlib = () => ({});

type LiquidLibrary = typeof import('liquidjs');

let liquid: LiquidLibrary | undefined;

/** Undefined until it is loaded. */
export const liquidLibrary = () => liquid;

/** Loads Liquid, a separate file, for rules with templates. */
export async function loadLiquidLibrary(): Promise<void> {
  liquid ??= await import('liquidjs');
}
