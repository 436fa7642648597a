import { type Contract, readContract } from '#spec';
import type { ObserveOptions, Observer } from '../../traffic/observe/observed.ts';
import { observe } from '../../traffic/observe/observer.ts';
import { createReplay } from '../../traffic/observe/replay.ts';

/** An exchange of an independent client. Members that are left out are ordinary. */
export interface Sent {
  /** Milliseconds from the start of the traffic. Default: a second after the previous exchange. */
  readonly at?: number;
  /** `POST /boats`; for another origin: `GET https://cdn.example/boats`. */
  readonly request: string;
  /** Bearer token; null: none. Default: `ann-0123456789`. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The request body is unknown. */
  readonly bodyMissing?: boolean;
  /** 0: no response. */
  readonly status: number;
  readonly json?: unknown;
  /** A page (`text/html`) instead of JSON. */
  readonly page?: string;
  readonly answer?: Readonly<Record<string, string>>;
  /** The duration until the response in milliseconds. Default: 20. */
  readonly took?: number;
  /** The response body is incomplete. */
  readonly cut?: boolean;
  /** It must not be judged. */
  readonly isSkipped?: boolean;
}

const BASE = 'https://boats.example/v1';

/** Boats of several kinds, with a name that may change and an optional note. */
const BOATS: Promise<Contract> = readContract(
  {
    openapi: '3.1.0',
    info: { title: 'Boats', version: '1' },
    servers: [{ url: BASE }],
    security: [{ token: [] }],
    paths: {
      '/piers': { post: { responses: { 200: ref('Gone') } } },
      '/boats': {
        get: {
          operationId: 'listBoats',
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
            {
              name: 'kind',
              in: 'query',
              description: 'Only boats of this kind.',
              schema: { type: 'string' },
            },
          ],
          responses: {
            200: json({ type: 'array', items: ref('Boat') }),
            400: json(ref('Problem')),
            401: json(ref('Problem')),
          },
        },
        post: {
          operationId: 'addBoat',
          requestBody: json(ref('NewBoat')),
          responses: { 201: json(ref('Boat')), 400: json(ref('Problem')), 401: json(ref('Problem')) },
        },
      },
      '/boats/{id}': {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z0-9]+$' } },
        ],
        get: {
          operationId: 'getBoat',
          responses: { 200: json(ref('Boat')), 401: json(ref('Problem')), 404: json(ref('Problem')) },
        },
        put: {
          operationId: 'replaceBoat',
          requestBody: json(ref('NewBoat')),
          responses: { 200: json(ref('Boat')), 400: json(ref('Problem')), 404: json(ref('Problem')) },
        },
        delete: {
          operationId: 'removeBoat',
          responses: { 204: { description: 'gone' }, 404: json(ref('Problem')) },
        },
      },
      '/boats/{id}/launch': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        post: { operationId: 'launchBoat', responses: { 204: { description: 'afloat' } } },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        NewBoat: {
          type: 'object',
          required: ['name', 'kind'],
          properties: {
            name: { type: 'string' },
            kind: { type: 'string', enum: ['dinghy', 'yawl'] },
            built: { type: 'string', format: 'date-time' },
            note: { type: 'string' },
          },
        },
        Boat: {
          allOf: [
            ref('NewBoat'),
            { type: 'object', required: ['id'], properties: { id: { type: 'string', readOnly: true } } },
          ],
        },
        Problem: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
      },
    },
  },
  'boats.yaml',
);

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function json(schema: object) {
  return { description: '', content: { 'application/json': { schema } } };
}

/** Passes traffic to an observer as if it were recorded. */
export async function observeTraffic(
  traffic: readonly Sent[],
  options: ObserveOptions = {},
): Promise<Observer> {
  const observer = observe(await BOATS, options);
  const replay = createReplay(observer);
  let now = 0;
  for (const sent of traffic) {
    now = sent.at ?? now + 1000;
    const [method = '', path = ''] = sent.request.split(' ');
    const { key = 'ann-0123456789', status, took = 20, cut = false } = sent;
    const url = new URL(/^https?:/.test(path) ? path : BASE + path);
    const headers = Object.entries({
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(sent.body !== undefined && { 'Content-Type': 'application/json' }),
      ...sent.headers,
    });
    const body = sent.body === undefined ? undefined : Buffer.from(JSON.stringify(sent.body));
    const bodyMissing = sent.bodyMissing === true;
    const text = sent.page ?? (sent.json === undefined ? '' : JSON.stringify(sent.json));
    const type = sent.page === undefined ? 'application/json' : 'text/html';
    const answer = Object.entries({ ...(text !== '' && { 'content-type': type }), ...sent.answer });
    const { isSkipped = false } = sent;
    const startedAt = 1_900_000_000_000 + now;
    const request = { method, url, headers, body, bodyMissing, startedAt, isSkipped };
    replay.add(
      request,
      status === 0 ? undefined : { status, headers: answer, body: Buffer.from(text), cut, ms: took },
    );
  }
  replay.finish();
  return observer;
}
