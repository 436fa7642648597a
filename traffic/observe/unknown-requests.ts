/** The requests that have no operation in the document, by method and URL without query. */
export interface UnknownRequests {
  add(method: string, url: URL): void;
  /** The most frequent first. */
  readonly all: readonly { readonly request: string; readonly times: number }[];
}

const MOST = 200;

export function countUnknown(): UnknownRequests {
  const times = new Map<string, number>();
  return {
    add(method, { origin, pathname }) {
      const request = `${method} ${origin}${withoutSecrets(pathname)}`;
      if (times.has(request) || times.size < MOST) times.set(request, (times.get(request) ?? 0) + 1);
    },
    get all() {
      return [...times]
        .map(([request, count]) => ({ request, times: count }))
        .sort((one, other) => other.times - one.times);
    },
  };
}

/** A long segment with digits, or one with an address, may be a token or name somebody. */
function withoutSecrets(path: string): string {
  const segments = path.split('/').map((text) => (isPrivate(text) ? '…' : text));
  const [shown, hidden] = [segments.slice(0, 8), segments.slice(8)];
  return [...shown, ...(hidden.length > 0 ? ['…'] : [])].join('/').slice(0, 200);
}

function isPrivate(segment: string): boolean {
  return /@|%40/.test(segment) || segment.length > 40 || (segment.length >= 12 && /\d/.test(segment));
}
