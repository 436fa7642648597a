/**
 * The entry point of `spec` for generating test input. Separate from `index.ts`, so that starting a mock does not load
 * it.
 */
export { parameterExamples } from './parameter.ts';
export { type BrokenValue, breakEachKeyword, breakOneKeyword } from './schema/break-each-keyword.ts';
export { discriminatedValues } from './schema/discriminated-values.ts';
export { type ExploreOptions, explore } from './schema/explore.ts';
