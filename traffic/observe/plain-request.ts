import type { Operation } from '#spec';
import type { WireRequest } from '../../contract-tests/send/wire.ts';

/**
 * Headers that connections, browsers, proxies and tracing add: they do not affect the service, or curl sends its own. (RFC
 * 9110 §7.6.1, Fetch §2.2.2, W3C Trace Context)
 */
const NOISE =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via|forwarded|x-forwarded-.*|x-real-ip|x-envoy-.*|x-amzn-trace-id|x-b3-.*|b3|traceparent|tracestate|cf-.*|cdn-loop|content-length|expect|accept-encoding|accept-language|cache-control|pragma|dnt|origin|referer|priority|sec-.*|upgrade-insecure-requests|user-agent|postman-token)$/i;

/**
 * A request with its relevant headers, for a command that sends it again: documented ones stay, whatever their names are.
 * @param kept the name of a further header to keep
 */
export function plainRequest(request: WireRequest, { parameters }: Operation, kept?: string): WireRequest {
  const documented = new Set(
    parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase()),
  );
  if (kept !== undefined) documented.add(kept);
  // A connection may name further headers of its own.
  const ofConnection = new Set(
    request.headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase())),
  );
  // Some clients set a media type on every request.
  const hasBody = request.body !== undefined && request.body.length > 0;
  if (!hasBody) ofConnection.add('content-type');
  const matters = (name: string) => documented.has(name) || (!NOISE.test(name) && !ofConnection.has(name));
  return {
    ...request,
    chunked: false,
    headers: request.headers.filter(
      ([name, value]) => matters(name.toLowerCase()) && !(/^accept$/i.test(name) && value === '*/*'),
    ),
  };
}
