/** The public entry point of the configuration file: reading it, and its schema. */
export { checkFile } from './check-file.ts';
export {
  type Chosen,
  type Configuration,
  type ConfiguredCode,
  type JudgedTarget,
  readConfiguration,
} from './configuration.ts';
export { ConfigurationError } from './find-configuration.ts';
export { isModule } from './read-file.ts';
export { configurationSchema, configurationTypes } from './schema.ts';
export { type Form, type Member, type Setting, scopesOf, type Vocabulary } from './setting.ts';
