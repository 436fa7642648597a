/** The public entry point of the configuration file: reading it, and its schema. */
export { checkFile } from './check-file.ts';
export type { Chosen } from './choose.ts';
export { type Configuration, readConfiguration } from './configuration.ts';
export { ConfigurationError } from './configuration-error.ts';
export { isModule } from './load-module.ts';
export { nearest } from './nearest.ts';
export { configurationSchema } from './schema.ts';
export { schemaTypes } from './schema-types.ts';
export { scopesOf } from './scope.ts';
export type { Form, Setting, Vocabulary } from './setting.ts';
