import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, isRecord, type Spot, sample, stringifyJson } from '#spec';
import type { WireResponse } from '../send/wire.ts';

/** A response as it was received once, or as it is generated to try a judge. */
export type Played = Pick<WireResponse, 'status' | 'headers' | 'body'>;

/**
 * A server on loopback that plays responses of a run back, beside a copy of the document. Judges see what the suite
 * has seen and the target gets no further request: no write is repeated, no record is created for an opinion.
 */
export interface Playback {
  readonly url: string;
  /** A folder of its own, for the judge's files as well. */
  readonly folder: string;
  /** The document as one JSON file. */
  readonly document: string;
  /** Gives the value of the header {@link EXCHANGE} that asks for the response; the response repeats it. */
  add(response: Played): string;
  close(): Promise<void>;
}

export const EXCHANGE = 'paddock-exchange';

/** They belong to a connection or are set with the body (RFC 9110 §7.6.1). */
const LEFT_OUT = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export async function startPlayback(contract: Contract): Promise<Playback> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const document = join(folder, 'document.json');
  await writeFile(document, bundleDocument(contract));
  const responses: Played[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const id = String(request.headers[EXCHANGE]);
    play(responses[Number(id)], id, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    folder,
    document,
    add: (response) => String(responses.push(response) - 1),
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function play(played: Played | undefined, id: string, response: ServerResponse): void {
  try {
    if (!played) throw new Error('not recorded');
    const kept = played.headers.filter(([name]) => !isLeftOut(name.toLowerCase(), played.status));
    response.writeHead(played.status, [...kept.flat(), EXCHANGE, id]);
    response.end(played.body);
  } catch {
    // Not a response that Node can write.
    response.destroy();
  }
}

/** A judge must follow no redirect. */
function isLeftOut(name: string, status: number): boolean {
  return LEFT_OUT.has(name) || (name === 'location' && status >= 300 && status < 400);
}

/**
 * Bundles a document into one JSON text for judges. Left out are `default` responses: with them judges accept every
 * status that is not documented, and Dredd takes them for a second 200. References to other files are replaced by
 * what they name, and a required parameter gets an example, since Dredd demands one; nobody looks at its value.
 */
export function bundleDocument(contract: Contract): string {
  const parameters = contract.operations.flatMap((operation) => operation.parameters);
  const examples = new Map(parameters.map(({ name, shape }) => [name, sample(shape, { key: name })]));
  return stringifyJson(bundle(contract.document.root, examples, []));
}

/** @param inside values of references that are being written out */
function bundle(spot: Spot, examples: ReadonlyMap<string, unknown>, inside: readonly unknown[]): unknown {
  const { value, path } = spot;
  const member = ([name, content]: [string, unknown]) =>
    bundle({ ...spot, path: [...path, name], value: content }, examples, inside);
  if (Array.isArray(value)) return value.map((item, index) => member([String(index), item]));
  if (!isRecord(value)) return value;
  const { $ref, summary: _, description: __, ...siblings } = value;
  const named = typeof $ref === 'string' ? spot.document.resolve(spot) : undefined;
  if (named?.file === spot.document.root.file)
    return { ...value, $ref: `#${String($ref).split('#')[1] ?? ''}` };
  if (named) {
    // No finite document says the same as a reference that leads back to itself.
    if (inside.includes(named.value)) return {};
    const written = bundle({ ...named, path }, examples, [...inside, named.value]);
    return Object.keys(siblings).length === 0 ? written : { ...siblings, allOf: [written] };
  }
  const members = isResponses(spot) ? withoutDefault(value) : Object.entries(value);
  const bundled = Object.fromEntries(members.map((entry) => [entry[0], member(entry)]));
  return lacksExample(value) ? { ...bundled, example: examples.get(String(value.name)) } : bundled;
}

/** A Responses Object; by its keys it differs from the named responses of `components`. */
function isResponses({ path, value }: Spot): boolean {
  return (
    path.at(-1) === 'responses' &&
    path.at(-2) !== 'components' &&
    Object.keys(Object(value)).every((key) => /^(?:[1-5](?:\d\d|XX)|default|x-.*)$/.test(key))
  );
}

/** A `default` that stands alone is what is documented. */
function withoutDefault(responses: Record<string, unknown>): [string, unknown][] {
  const others = Object.entries(responses).filter(([key]) => key !== 'default');
  return others.some(([key]) => /^\d/.test(key)) ? others : Object.entries(responses);
}

function lacksExample(value: Record<string, unknown>): boolean {
  return (
    typeof value.name === 'string' &&
    (value.in === 'path' || value.in === 'query') &&
    value.required === true &&
    !('example' in value || 'examples' in value)
  );
}
