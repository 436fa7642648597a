import { type DocumentedResponse, type Operation, responseFor, Shape, sample } from '#spec';
import type { SeedValues } from '../seed/values.ts';
import type { Reply } from './exchange.ts';
import { keptWith } from './kept-with.ts';
import type { Finish } from './reply.ts';

/** What belongs to the body and the connection is not for a document to say (OpenAPI 3.1 §4.8.17, RFC 9110 §7.6.1). */
const NOT_DOCUMENTED = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'trailer', 'upgrade', 'date'],
]);

const EXPOSED = 'Access-Control-Expose-Headers';

type Headers = Reply['headers'];

/** Adds the headers that the document demands of an answer, by example or sample, where nothing better is known. */
export function withDocumentedHeaders(finish: Finish, operation: Operation, seeds: SeedValues): Finish {
  const { responses, id } = operation;
  if (responses.every((response) => demandedBy(response).length === 0)) return finish;
  const completers = new Map<number, (headers: Headers) => Headers>();

  function completerOf(status: number): (headers: Headers) => Headers {
    const known = completers.get(status);
    if (known) return known;
    const response = responseFor(responses, status);
    const made = compileComplete((response ? demandedBy(response) : []).map(toPair));
    completers.set(status, made);
    return made;
  }

  function toPair({ name, schema, examples }: DocumentedHeader): Pair {
    const [example] = examples.values();
    const value = example ?? (schema ? sample(new Shape([schema]), { key: seeds.keyOf(id, name) }) : 'x');
    return [name, headerText(value)];
  }

  return (answer) => {
    const reply = finish(answer);
    const headers = completerOf(reply.status)(reply.headers);
    return headers === reply.headers ? reply : { ...reply, headers, lasting: false };
  };
}

type DocumentedHeader = DocumentedResponse['headers'][number];
type Pair = readonly [name: string, value: string];

function demandedBy({ headers }: DocumentedResponse): DocumentedHeader[] {
  return headers.filter(({ name, required }) => required && !NOT_DOCUMENTED.has(name));
}

/** Most answers of an operation share one object of headers: what it becomes is kept with it. */
function compileComplete(demanded: readonly Pair[]): (headers: Headers) => Headers {
  return keptWith((headers: Headers) => complete(headers, demanded));
}

function complete(headers: Headers, demanded: readonly Pair[]): Headers {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const missing = demanded.filter(([name]) => !given.has(name));
  if (missing.length === 0) return headers;
  // Pages of another origin see no header that is not named here (Fetch §4.10).
  const exposed = [headers[EXPOSED], ...missing.map(([name]) => name)].join(', ');
  return { ...Object.fromEntries(missing), ...headers, [EXPOSED]: exposed };
}

/** In the style `simple` (RFC 6570 §3.2.2); what no header can carry becomes a question mark (RFC 9110 §5.5). */
function headerText(value: unknown): string {
  const isCompound = typeof value === 'object' && value !== null && !Array.isArray(value);
  const text = String(isCompound ? Object.entries(value).flat() : value);
  return text.replace(/[^\x20-\x7e]/g, '?');
}
