/**
 * The entry point of `spec` for what few ask of a document as a whole: one file made of several, and what has changed in
 * another version. Beside `index.ts`, so that the start of a mock does not load it.
 */
export { compareContracts } from './compare-contracts.ts';
export { bundle } from './document/bundle.ts';
