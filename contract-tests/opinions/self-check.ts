import { type Contract, explicitStatuses, type Operation, responseFor, sample, stringifyJson } from '#spec';
import { breakEachKeyword } from '#test-values';
import { presentKey } from '../send/credentials.ts';
import type { WireRequest } from '../send/wire.ts';
import type { Played } from './playback.ts';
import type { PrismProxy } from './prism-proxy.ts';

/** What Prism can see, found out with bodies that are known to be valid and invalid. */
export interface Sight {
  /** It accepts every invalid body. */
  readonly isBlind: boolean;
  /** It rejects a valid body of that operation and status, so its violations of bodies there do not count. */
  readonly isMistaken: (operationId: string, status: number) => boolean;
  readonly notes: readonly string[];
}

/** So many invalid bodies of one response at most. */
const MOST_BROKEN = 24;
const SAMPLES = 6;

interface Probe {
  readonly operation: Operation;
  readonly status: number;
  /** Several, since a schema may have several forms. */
  readonly valid: readonly Played[];
  readonly invalid: readonly { readonly keyword: string; readonly response: Played }[];
}

/** Some versions of Prism do not look into `allOf`, for example: where Prism cannot see, its silence says nothing. */
export async function selfCheck(contract: Contract, prism: PrismProxy): Promise<Sight> {
  const mistaken = new Set<string>();
  const seen = new Map<string, boolean>();
  const unseen: string[] = [];
  for (const { operation, status, valid, invalid } of probesOf(contract)) {
    const rejects = async (response: Played) => {
      const violations = await prism.validate(requestOf(operation), BASE, response);
      return violations?.some(({ part, isBody }) => part === 'response' && isBody) ?? false;
    };
    const cell = `${operation.id} ${status}`;
    for (const response of valid) if (await rejects(response)) mistaken.add(cell);
    let seesAny = invalid.length === 0;
    for (const { keyword, response } of invalid) {
      const isSeen = await rejects(response);
      seesAny ||= isSeen;
      seen.set(keyword, isSeen || (seen.get(keyword) ?? false));
    }
    if (!seesAny) unseen.push(cell);
  }
  const blindTo = [...seen].filter(([, isSeen]) => !isSeen).map(([keyword]) => keyword);
  const note = (text: string, of: readonly string[]) =>
    of.length > 0 ? [`it ${text} ${of.join(', ')}`] : [];
  return {
    isBlind: seen.size > 0 && blindTo.length === seen.size,
    isMistaken: (operationId, status) => mistaken.has(`${operationId} ${status}`),
    notes: [
      ...note('sees no broken body at all in', unseen),
      ...note('does not see when a body breaks', blindTo),
      ...note('finds fault with a good body of', [...mistaken]),
    ],
  };
}

const BASE = new URL('http://127.0.0.1/');

/** Prism demands that a credential is there and does not compare it. */
function requestOf(operation: Operation): WireRequest {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(parameter ? sample(parameter.shape, { key: name }) : name));
  });
  const { headers, query } = presentKey(operation, { apiKey: 'any', credentials: {} });
  const url = new URL(path, BASE);
  for (const [name, { text }] of query) url.searchParams.append(name, text);
  const all = [['Accept', '*/*'] as const, ...headers.map(([name, { text }]) => [name, text] as const)];
  return { method: operation.method, url, headers: all, body: undefined, chunked: false };
}

function probesOf({ operations, validators }: Contract): Probe[] {
  return operations.flatMap((operation) =>
    explicitStatuses(operation.responses).flatMap((status) => {
      const media = responseFor(operation.responses, status)?.content.find(({ isJson }) => isJson);
      if (!media?.schema || !media.shape) return [];
      const validate = validators.compile(media.schema, 'response');
      const { shape } = media;
      const values = Array.from({ length: SAMPLES }, (_, index) =>
        sample(shape, { key: `${operation.id} ${status} ${index}`, direction: 'response' }),
      ).filter((value) => validate(value).length === 0);
      if (values.length === 0) return [];
      const type = media.type.includes('*') ? 'application/json' : media.type;
      const respond = (value: unknown): Played => ({
        status,
        headers: [['Content-Type', type]],
        body: Buffer.from(stringifyJson(value)),
      });
      const broken = breakEachKeyword(shape, values[0], validate).slice(0, MOST_BROKEN);
      const invalid = broken.map(({ keyword, value }) => ({ keyword, response: respond(value) }));
      return [{ operation, status, valid: values.map(respond), invalid }];
    }),
  );
}
