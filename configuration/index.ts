/** The public entry point of the configuration file: reading it, and its schema. */
export type { Chosen } from './choose.ts';
export { type Configuration, readConfiguration } from './configuration.ts';
export { ConfigurationError } from './configuration-error.ts';

export { configurationSchema } from './schema.ts';
export type { Form, Setting, Vocabulary } from './setting.ts';
