/** The public entry point of the validating proxy: `openapi-paddock/proxy`. */
import '#supported-node';

export { REPORT_FORMATS, renderTerminal, SettingsError } from '#contract-tests';
export { type HarFile, openHarFile } from '#har';
export { DocumentError, type Problem } from '#spec';
export type { FindingsView } from './admin.ts';
export type { Enforced, ProxyOptions } from './create-proxy.ts';
export { createProxy, type Proxy } from './create-proxy.ts';
export { environmentProxy } from './forward/tunnel.ts';
export type { InvalidRequest, SeenExchange } from './seen.ts';
export type { Counts } from './way.ts';
