import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Contract, readContract } from '#spec';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Halves, version: '1' }
servers: [{ url: /v1 }]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
        - { name: status, in: query, schema: { type: string } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } }
    post:
      operationId: createPet
      tags: [pets, writes]
      security: [{ key: [] }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewPet' } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
  /pets/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getPet
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '404': { description: none, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
    delete:
      operationId: deletePet
      responses: { '204': { description: gone }, '404': { description: none } }
  /pets/{petId}/toys:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: listToys
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Toy' } } } } }
        '404': { description: none, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
    post:
      operationId: createToy
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Toy' } } } }
        '404': { description: none, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    NewPet: { type: object, required: [name], properties: { name: { type: string }, status: { type: string } } }
    Pet: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string }, status: { type: string } } }
    Toy: { type: object, required: [id, name, petId], properties: { id: { type: integer }, name: { type: string }, petId: { type: integer } } }
    Error: { type: object, required: [message], properties: { message: { type: string } } }
`;

/** A document with pets, and toys of pets. */
export function readHalves(): Promise<Contract> {
  return readContract(DOCUMENT, 'halves.yaml', { strictDocument: true, presumeResponses: true });
}

/** A request as a service has received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Service {
  /** With the path prefix `/api`. */
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** Responds to a request. Undefined: the service does not support it. */
export type Respond = (request: Received, response: ServerResponse, socket: Socket) => unknown;

/** A handwritten service on a free port; requests that `respond` ignores get the 404 of an unknown path. */
export async function startService(respond: Respond = () => undefined): Promise<Service> {
  const received: Received[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
    const { method = '', url = '', headers, socket } = incoming;
    const request = { method, url, headers, body: Buffer.concat(parts) };
    received.push(request);
    if (respond(request, outgoing, socket) === undefined)
      json(outgoing, 404, { message: `Cannot ${method} ${url}`, at: new Date().toISOString() });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}/api`, received, close };
}

/** Responds with JSON. */
export function json(outgoing: ServerResponse, status: number, value: unknown): true {
  outgoing.writeHead(status, { 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() });
  outgoing.end(JSON.stringify(value));
  return true;
}

/** A service that lists and reads pets, but does not create any. */
export function halfOf(pets: Map<number, object>): Respond {
  return ({ method, url }, outgoing) => {
    const [path] = url.split('?');
    if (method === 'GET' && path === '/api/pets') return json(outgoing, 200, [...pets.values()]);
    const [, id] = /^\/api\/pets\/(\d+)$/.exec(path ?? '') ?? [];
    if (method !== 'GET' || id === undefined) return undefined;
    const pet = pets.get(Number(id));
    return pet ? json(outgoing, 200, pet) : json(outgoing, 404, { message: `There is no pet ${id}` });
  };
}
