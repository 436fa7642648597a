import * as regexppModule from '@eslint-community/regexpp';
import * as multipartModule from '@remix-run/multipart-parser';
import * as ajvModule from 'ajv/dist/2020.js';
import formatsModule from 'ajv-formats';
import fastCheckModule from 'fast-check';

/** The same as libraries.ts for a browser, where all of them are in the bundle. */
export const ajvLibrary = () => ajvModule;

export const ajvFormats = () => ({ default: formatsModule });

export const fastCheck = () => fastCheckModule;

export const regexpp = () => regexppModule;

export const multipartParser = () => multipartModule;
