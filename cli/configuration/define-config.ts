/** The public entry point for configuration files in TypeScript: `openapi-paddock/config`. */
import type { PaddockConfig } from './paddock-config.ts';

export type { PaddockConfig, PaddockTarget } from './paddock-config.ts';

/**
 * The same options: an editor knows their names and types where they are written.
 * @example
 * export default defineConfig({ document: 'openapi.yaml', mock: { port: 4010 } });
 */
export function defineConfig(config: PaddockConfig): PaddockConfig {
  return config;
}
