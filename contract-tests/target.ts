/** What a proxy for a service shares with the suite (`#target`). */
import { proxyEnv, type Variables } from '#forwarder';
import { isSecretName, maskUrl, namesLoopback, type Operation } from '#spec';
import type { TlsSettings } from './send/client.ts';
import { parseBase, readTls } from './settings/base-url.ts';

/** A service, and how to reach it. */
export interface Target {
  /** Its base URL, without a trailing slash. */
  readonly base: URL;
  readonly tls: TlsSettings;
  /** The variables that name HTTP proxies, if Node is told to use them; undefined: no proxy is used. */
  readonly proxyEnv: Variables | undefined;
}

/** How to reach a target: the options of a run with the same names. */
export interface TargetOptions {
  /** Base URL of the target (http or https). */
  readonly target: string;
  /** Paths of a client certificate and its private key, PEM, in one file or two. Default: none. */
  readonly clientCert?: string | readonly string[] | undefined;
  /** Whether to skip verifying the certificate of the target. Default: false. */
  readonly insecure?: boolean | undefined;
}

/**
 * Resolves the target options of a run.
 * @throws SettingsError if a URL, a certificate or a key cannot be used
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

/** Compiles the redaction of request targets: it masks query parameters that are credentials, or have secret names. */
export function compileRedactTarget(operations: readonly Operation[]): (target: string) => string {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const names = new Set(credentials.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])));
  return (target) => maskUrl(target, '***', (name) => names.has(name) || isSecretName(name));
}

export { SettingsError } from './settings/check-options.ts';
