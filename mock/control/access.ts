import { isLoopback } from '#spec';
import { compileKeyCheck } from '../http/authenticate.ts';
import type { MockRequest } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';

/** Undefined: the client may use the control API. */
export type Access = (request: Pick<MockRequest, 'headers'>) => Refusal | undefined;

/**
 * With a token, only clients that send it have access; without one, only clients on this machine, if the mock listens on
 * loopback only. Pages of a foreign origin in a browser on this machine are refused by `Origin`, and after DNS rebinding by
 * `Host`.
 */
export function compileAccess(token: string | undefined, host: string): Access {
  if (token !== undefined) return withToken(token);
  if (!isLoopback(host)) {
    const message = `The mock listens on ${host}, where others can reach it: its control API requires a token (--admin-token)`;
    return () => ({ refuse: 'forbidden', message });
  }
  return ({ headers }) => {
    const origin = [headers.origin ?? []].flat()[0];
    if (!isLoopback(hostnameOf(`http://${headers.host ?? ''}`)))
      return refuseForeign(`the header Host names ${headers.host}, which is not this machine`);
    if (origin !== undefined && !isLoopback(hostnameOf(origin)))
      return refuseForeign(`the header Origin names ${origin}, which is not this machine`);
    // Browsers request images, scripts and the like without `Origin`.
    return origin === undefined &&
      headers['sec-fetch-site'] === 'cross-site' &&
      headers['sec-fetch-mode'] !== 'navigate'
      ? refuseForeign('the request comes from a page of a foreign origin (Sec-Fetch-Site)')
      : undefined;
  };
}

function withToken(token: string): Access {
  const isToken = compileKeyCheck([token]);
  const refusal: Refusal = {
    refuse: 'unauthorized',
    message: 'The control API requires its token: Authorization: Bearer <token>',
    headers: { 'WWW-Authenticate': 'Bearer realm="control"' },
  };
  return ({ headers }) => {
    const [, sent] = /^bearer +([^ ].*)$/i.exec(String(headers.authorization ?? '')) ?? [];
    return sent !== undefined && isToken(sent) ? undefined : refusal;
  };
}

function refuseForeign(why: string): Refusal {
  return {
    refuse: 'forbidden',
    message: `Without --admin-token the control API can be used from this machine only: ${why}`,
  };
}

function hostnameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}
