/** The public entry point for configuration files in TypeScript: `openapi-paddock/config`. */
import type { CredentialSource, Hooks, OwnLaw } from '#user-code';
import type { PaddockConfig } from './paddock-config.ts';

export type * from '#user-code';
export type { PaddockConfig, PaddockTarget } from './paddock-config.ts';

/** The code of a file for `paddock check`. @template Id the names of operations */
export interface CheckCode<Id extends string = string> extends Hooks<Id> {
  /** Where the credential of a security scheme comes from, by its name. */
  readonly credentials?: Readonly<Record<string, CredentialSource>> | undefined;
  /** Laws of one's own, beside those of Paddock. */
  readonly laws?: readonly OwnLaw[] | undefined;
}

/** What a file exports that has code. @template Operations `operations` of openapi-typescript, by operationId */
export interface PaddockCode<Operations = Readonly<Record<string, unknown>>> {
  readonly check?: CheckCode<keyof Operations & string> | null | undefined;
}

/**
 * The same options: an editor knows their names and types where they are written.
 * @template Operations `operations` of openapi-typescript: names of operations are checked by it
 * @example
 * export default defineConfig({ document: 'openapi.yaml', mock: { port: 4010 } });
 */
export function defineConfig<Operations = Readonly<Record<string, unknown>>>(
  config: PaddockConfig & PaddockCode<Operations>,
): PaddockConfig & PaddockCode<Operations> {
  return config;
}
