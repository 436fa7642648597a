import { compileKeyCheck } from '../answer/authenticate.ts';
import type { MockRequest } from '../answer/exchange.ts';
import type { Refusal } from '../answer/refusal.ts';

/** Who may steer the mock: undefined, or the refusal. */
export type Access = (request: Pick<MockRequest, 'headers'>) => Refusal | undefined;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether an address to listen on can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') ? `[${host}]` : host);
}

/**
 * With a token: who knows it. Without: whoever is on this machine, if no one else can reach the mock. Pages of
 * strangers, open in a browser on this machine, are kept out by `Origin`; those whose own name was made to point
 * here (DNS rebinding) by `Host`.
 */
export function compileAccess(token: string | undefined, host: string): Access {
  if (token !== undefined) return withToken(token);
  if (!isLoopback(host)) {
    const message = `The mock listens on ${host}, where others can reach it: it can be steered with a token only (--admin-token)`;
    return () => ({ refuse: 'forbidden', message });
  }
  return ({ headers }) => {
    const origin = [headers.origin ?? []].flat()[0];
    if (!LOOPBACK.test(hostnameOf(`http://${headers.host ?? ''}`))) {
      return refuseStranger(`the header Host names ${headers.host}, which is not this machine`);
    }
    if (origin !== undefined && !LOOPBACK.test(hostnameOf(origin)))
      return refuseStranger(`the header Origin names ${origin}, which is not this machine`);
    // Images, scripts and the like of a page are asked for without Origin.
    return origin === undefined &&
      headers['sec-fetch-site'] === 'cross-site' &&
      headers['sec-fetch-mode'] !== 'navigate'
      ? refuseStranger('the page of a stranger asks (Sec-Fetch-Site)')
      : undefined;
  };
}

function withToken(token: string): Access {
  const isToken = compileKeyCheck([token]);
  const refusal: Refusal = {
    refuse: 'unauthorized',
    message: 'The mock can be steered with its token: Authorization: Bearer <token>',
    headers: { 'WWW-Authenticate': 'Bearer' },
  };
  return ({ headers }) => {
    const [, sent] = /^bearer +([^ ].*)$/i.exec(String(headers.authorization ?? '')) ?? [];
    return sent !== undefined && isToken(sent) ? undefined : refusal;
  };
}

function refuseStranger(why: string): Refusal {
  return {
    refuse: 'forbidden',
    message: `Without --admin-token the mock is steered from its own machine only: ${why}`,
  };
}

function hostnameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}
