import { type DocumentedResponse, type Operation, responseFor, Shape, sample } from '#spec';
import type { SeedValues } from '../seed/values.ts';
import type { Reply } from './exchange.ts';
import type { Finish } from './reply.ts';

/** What belongs to the body and the connection is not for a document to say (OpenAPI 3.1 §4.8.17, RFC 9110 §7.6.1). */
const NOT_DOCUMENTED = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'trailer', 'upgrade', 'date'],
]);

const EXPOSED = 'Access-Control-Expose-Headers';

/** Adds the headers that the document demands of an answer, by example or sample, where nothing better is known. */
export function withDocumentedHeaders(finish: Finish, operation: Operation, seeds: SeedValues): Finish {
  const { responses, id } = operation;
  if (responses.every((response) => demandedBy(response).length === 0)) return finish;
  const byStatus = new Map<number, readonly [name: string, value: string][]>();

  function demandedOf(status: number): readonly [string, string][] {
    const known = byStatus.get(status);
    if (known) return known;
    const response = responseFor(responses, status);
    const made = (response ? demandedBy(response) : []).map(
      ({ name, schema, examples }): [string, string] => {
        const [example] = examples.values();
        const value = example ?? (schema ? sample(new Shape([schema]), { key: seeds.keyOf(id, name) }) : 'x');
        return [name, headerText(value)];
      },
    );
    byStatus.set(status, made);
    return made;
  }

  return (answer) => {
    const reply = finish(answer);
    return complete(reply, demandedOf(reply.status));
  };
}

function demandedBy({ headers }: DocumentedResponse): DocumentedResponse['headers'] {
  return headers.filter(({ name, required }) => required && !NOT_DOCUMENTED.has(name));
}

function complete(reply: Reply, demanded: readonly [name: string, value: string][]): Reply {
  const given = new Set(Object.keys(reply.headers).map((name) => name.toLowerCase()));
  const missing = demanded.filter(([name]) => !given.has(name));
  if (missing.length === 0) return reply;
  // Pages of another origin see no header that is not named here (Fetch §4.10).
  const exposed = [reply.headers[EXPOSED], ...missing.map(([name]) => name)].join(', ');
  const headers = { ...Object.fromEntries(missing), ...reply.headers, [EXPOSED]: exposed };
  return { ...reply, headers, lasting: false };
}

/** In the style `simple` (RFC 6570 §3.2.2); what no header can carry becomes a question mark (RFC 9110 §5.5). */
function headerText(value: unknown): string {
  const isCompound = typeof value === 'object' && value !== null && !Array.isArray(value);
  const text = String(isCompound ? Object.entries(value).flat() : value);
  return text.replace(/[^\x20-\x7e]/g, '?');
}
