/** What a proxy in front of a service has in common with the suite (`#target`). */
import { proxyEnv, type Variables } from '#forwarder';
import { isSecretName, maskUrl, namesLoopback, type Operation } from '#spec';
import type { TlsSettings } from './send/client.ts';
import { parseBase, readTls } from './settings/base-url.ts';

/** Where a service is, and how it is reached. */
export interface Target {
  /** Its base URL, without a slash at its end. */
  readonly base: URL;
  readonly tls: TlsSettings;
  /** The variables that name HTTP proxies, where Node was told to obey them; undefined: no proxy is asked. */
  readonly proxyEnv: Variables | undefined;
}

/** How a target is reached: the options of a run that have these names. */
export interface TargetOptions {
  /** Base URL of the target (http or https). */
  readonly target: string;
  /** Paths of a client certificate and its private key, PEM, in one file or in two. Default: none. */
  readonly clientCert?: string | readonly string[] | undefined;
  /** Do not verify the certificate of the target. Default: false. */
  readonly insecure?: boolean | undefined;
}

/**
 * Reads what a run of the suite is told of its target.
 * @throws SettingsError for a URL, a certificate or a key that cannot be used
 */
export function readTarget({ target, clientCert, insecure }: TargetOptions): Target {
  const base = parseBase(target);
  const tls = readTls({ clientCert, insecure }, base);
  return { base, tls, proxyEnv: namesLoopback(base.hostname) ? undefined : proxyEnv };
}

export { MASK } from './report/redact.ts';
export { createClient, explainWireError, WireError } from './send/client.ts';
export { type Keys, missingSchemes, NO_CREDENTIAL, needsKey } from './send/credentials.ts';
export { planRequest, type RequestInput, requiredQuery } from './send/plan-request.ts';
export { decodeResponse } from './send/response.ts';
export { headerOf, MAX_BODY, type WireResponse } from './send/wire.ts';
export { baseUrlHint } from './settings/base-url.ts';
export { withSchemes } from './settings/for-document.ts';
export { parseBase };

/** Compiles the redaction of request targets: the query parameters that are credentials, or are named so. */
export function compileRedactTarget(operations: readonly Operation[]): (target: string) => string {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const names = new Set(credentials.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])));
  return (target) => maskUrl(target, '***', (name) => names.has(name) || isSecretName(name));
}

export { SettingsError } from './settings/check-options.ts';
