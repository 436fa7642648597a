/** The public entry point for configuration files in TypeScript: `openapi-paddock/config`. */
import type { OperationsCode, SeedCode } from '#mock';
import type { CredentialSource, Hooks, OwnLaw } from '#user-code';
import type { PaddockOptions } from './paddock-config.ts';

export type * from '#user-code';
export type { PaddockOptions, PaddockTarget } from './paddock-config.ts';

/**
 * The default export of `paddock.config.ts`: options, and code. Absent members have their default.
 * @typeParam P the `paths`, and `O` the `operations`, that openapi-typescript generates from the document; with them code
 * has types
 */
export interface PaddockConfig<P = unknown, O = unknown> extends Omit<PaddockOptions, 'check' | 'mock'> {
  /** Serve a stateful mock of an OpenAPI document. */
  readonly mock?: MockConfig<P, O> | null | undefined;
  /** Check a running service against its OpenAPI document. */
  readonly check?: CheckConfig<O> | null | undefined;
}

/** The options of `paddock mock`, and code for it. */
export interface MockConfig<P = unknown, O = unknown>
  extends Omit<NonNullable<PaddockOptions['mock']>, 'seed'> {
  /** Seed of the records; the same seed gives the same bytes on every machine and day. Or a function that returns records. */
  readonly seed?: number | SeedCode | undefined;
  /** Functions that respond to operations, by operationId or `GET /things/{thingId}`. */
  readonly operations?: OperationsCode<P, O> | undefined;
}

/** The options of `paddock check`, and code for it. @typeParam O the `operations` of openapi-typescript */
export type CheckConfig<O = unknown> = NonNullable<PaddockOptions['check']> & CheckCode<O>;

/** Code for `paddock check`. @typeParam O the `operations` of openapi-typescript */
export interface CheckCode<O = unknown> extends Hooks<O> {
  /** The source of a security scheme's credential, by the scheme's name. */
  readonly credentials?: Readonly<Record<string, CredentialSource>> | undefined;
  /** Your own rules, beside those of Paddock. */
  readonly laws?: readonly OwnLaw[] | undefined;
}

/**
 * Returns the configuration unchanged; gives editors its type.
 * @example
 * export default defineConfig({ document: 'openapi.yaml', mock: { port: 4010 } });
 */
export function defineConfig<P = unknown, O = unknown>(config: PaddockConfig<P, O>): PaddockConfig<P, O> {
  return config;
}
