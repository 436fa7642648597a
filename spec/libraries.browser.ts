import * as regexppModule from '@eslint-community/regexpp';
import * as multipartModule from '@remix-run/multipart-parser';
import ajvModule from 'ajv/dist/core.js';
import vocabularies from 'ajv/dist/vocabularies/draft2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as eventSourceModule from 'eventsource-parser';
import * as saxesModule from 'saxes';

/** The same as libraries.ts for a browser, where all of them are in the bundle, but Liquid. */
export const ajvLibrary = () => ajvModule;

export const ajvVocabularies = () => vocabularies.default;

export const ajvFormats = () => fullFormats;

export const regexpp = () => regexppModule;

export const multipartParser = () => multipartModule;

export const eventSourceParser = () => eventSourceModule;

export const saxesLibrary = () => saxesModule;

/** There is none: bodies with a content coding are not read. */
export const zlib = () => ({});

type LiquidLibrary = typeof import('liquidjs');

let liquid: LiquidLibrary | undefined;

/** Undefined: it is not loaded. */
export const liquidLibrary = () => liquid;

/** Loads Liquid, which is a file of its own, for rules with templates. */
export async function loadLiquidLibrary(): Promise<void> {
  liquid ??= await import('liquidjs');
}
