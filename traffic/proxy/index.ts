/** The public entry point of the validating proxy: `openapi-paddock/proxy`. */
import '#supported-node';

export { type HarFile, openHarFile } from '#har';
export type { FindingsView } from './admin.ts';
export type { Enforced, ProxyOptions } from './create-proxy.ts';
export { createProxy, type Proxy } from './create-proxy.ts';
export type { InvalidRequest, SeenExchange } from './seen.ts';
export type { Counts } from './way.ts';
