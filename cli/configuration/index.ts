/** The public entry point of the configuration file: reading it, and its schema. */
export { checkFile } from './check-file.ts';
export type { Chosen } from './configuration.ts';
export { type Configuration, readConfiguration } from './configuration.ts';
export { ConfigurationError } from './find-configuration.ts';
export { nearest } from './nearest.ts';
export { isModule } from './read-file.ts';
export { configurationSchema } from './schema.ts';
export { schemaTypes } from './schema-types.ts';
export type { Form, Setting, Vocabulary } from './setting.ts';
export { scopesOf } from './setting.ts';
