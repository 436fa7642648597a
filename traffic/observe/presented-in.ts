import { isSecretHeader, type Operation } from '#spec';
import { type Presented, present } from '../../contract-tests/send/credentials.ts';
import { headerVariable, theKey, variableOf } from '../../contract-tests/send/keyed-text.ts';
import type { WireRequest } from '../../contract-tests/send/wire.ts';

/**
 * The documented credentials in the headers of a request, and other secret headers, so that a command to send it again
 * reads them from its environment.
 */
export function presentedIn({ security }: Operation, { headers }: WireRequest): Presented {
  const documented = security.flat().filter((one) => one.in === 'header');
  const found = headers.flatMap(([name, value]) => {
    for (const credential of documented) {
      if (credential.name !== name.toLowerCase()) continue;
      const [, secret] = FORMS[credential.kind].exec(value) ?? [];
      if (secret === undefined) continue;
      const key = credential.kind === 'basic' ? Buffer.from(secret, 'base64').toString() : secret;
      const variable = documented.length > 1 ? variableOf(credential.scheme) : undefined;
      const [[, shown] = []] = present(credential, theKey(key, variable)).headers;
      if (shown?.text === value) return [[name, shown] as const];
    }
    return isSecretHeader(name) ? [[name, headerVariable(name, value)] as const] : [];
  });
  return { headers: found, query: [] };
}

const FORMS = { bearer: /^Bearer (.+)$/i, basic: /^Basic (.+)$/i, apiKey: /^(.+)$/ } as const;
