import type { LoggedRequest, OperationView } from '../wire.ts';
import { type ClientRequest, credentialParts } from './client-request.ts';

/** What a request needs no more, or curl and `fetch` send by themselves. */
const LEFT_OUT =
  /^(?:host|connection|content-length|accept-encoding|accept-language|cache-control|dnt|origin|paddock-session|pragma|referer|sec-.*|te|transfer-encoding|upgrade-insecure-requests|user-agent)$/;

const REDACTED = '***';

/** The placeholder of a body that the mock did not keep. */
const NOT_KEPT = '(too long to be kept)';

/**
 * A logged request to be sent again. What was redacted is filled in with `key`, where the operation says that it is the key:
 * the key itself, or the name by which the environment has it.
 */
export function sentAgain(
  { method, target, headers, body }: LoggedRequest,
  operation: OperationView | undefined,
  key: string,
  urlOf: (target: string) => string,
): ClientRequest {
  const credentials = operation?.security ?? [];
  const kept = Object.entries(headers).filter(
    ([name, value]) => !LEFT_OUT.test(name) && !(name === 'accept' && value === '*/*'),
  );
  const parts = kept.map(([name, value]): Pick<ClientRequest, 'headers' | 'basic' | 'cookies'> => {
    const hidden = credentials.filter((one) =>
      one.in === 'cookie' ? name === 'cookie' : one.in === 'header' && one.name === name,
    );
    return value === REDACTED && hidden.length > 0
      ? credentialParts(hidden, key)
      : { headers: [[name, value]], cookies: [] };
  });
  const basic = parts.find((one) => one.basic)?.basic;
  return {
    method,
    url: urlOf(target.replace(/(?<=[?&][^=&]*=)\*\*\*(?=&|$)/g, key)),
    headers: parts.flatMap((one) => one.headers),
    ...(basic && { basic }),
    cookies: parts.flatMap((one) => one.cookies),
    body: body === NOT_KEPT ? undefined : body,
  };
}
