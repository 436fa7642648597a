import { isSecretHeader } from '#spec';

/** Headers of requests that change with the client, the connection or the request, and not with what is asked for. */
const NOISE =
  /^(?::.*|accept|accept-.*|access-control-.*|authorization|baggage|cache-control|cf-.*|connection|content-.*|cookie|date|dnt|expect|forwarded|host|if-modified-since|if-none-match|if-unmodified-since|keep-alive|origin|paddock-.*|pragma|prefer|priority|proxy-.*|purpose|range|referer|request-id|save-data|sec-.*|sentry-trace|te|trace(?:parent|state)|transfer-encoding|upgrade.*|user-agent|via|x-amzn-.*|x-b3-.*|x-correlation-id|x-csrf.*|x-forwarded-.*|x-real-ip|x-request-(?:id|start)|x-requested-with|x-xsrf.*)$/;

export function isRequestHeader(name: string): boolean {
  return !NOISE.test(name.toLowerCase()) && !isSecretHeader(name);
}

/** What says something of the record or the list, and not of the server. */
const TELLING =
  /^(?:etag|retry-after|content-disposition|deprecation|sunset|link|.*(?:total|count|page|cursor|offset|rate-?limit).*)$/;

export function isResponseHeader(name: string, status: number): boolean {
  const lower = name.toLowerCase();
  return (
    TELLING.test(lower) ||
    (lower === 'location' && (status === 201 || status === 202 || (status >= 300 && status < 400)))
  );
}
