/**
 * The entry point of `spec` for those who make test inputs of a contract. Beside `index.ts`, so that the start of a mock
 * does not load it.
 */
export { parameterExamples } from './parameter.ts';
export { type BrokenValue, breakEachKeyword, breakOneKeyword } from './schema/break-each-keyword.ts';
export { discriminatedValues } from './schema/discriminated-values.ts';
export { type ExploreOptions, explore } from './schema/explore.ts';
