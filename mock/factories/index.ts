/** The public entry point of factories: values of a document's schemas and responses for unit tests, without a server. */
import '#supported-node';

export type { BodyAt, OperationName, Overrides, SchemaName, SchemaOf, StatusOf } from './create-factories.ts';
export { createFactories, type Factories, type FactoryOptions } from './create-factories.ts';
export type { MakeOptions } from './make.ts';
export { FactoryError, type FactoryProblem } from './members.ts';
export type { MadeResponse, RespondOptions } from './respond.ts';
