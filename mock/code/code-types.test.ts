import { expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { SHIPPED } from '../testing/serve.ts';
import type { OperationCode } from './code.ts';

/** As openapi-typescript writes them. `npm run types` refuses what must not compile. */
interface Pet {
  readonly id: number;
  readonly name: string;
}

interface paths {
  '/pets': { parameters: object; get: operations['listPets']; put?: never; post: operations['createPet'] };
  '/pets/{petId}': { parameters: object; get: operations['getPet']; put?: never };
}

interface operations {
  listPets: {
    parameters: { query?: { limit?: number }; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: { headers: object; content: { 'application/json': Pet[] } };
      default: { headers: object; content: { 'application/json': { message: string } } };
    };
  };
  createPet: {
    parameters: { query?: never; header: { 'Idempotency-Key': string }; path?: never; cookie?: never };
    requestBody: { content: { 'application/json': { name: string } } };
    responses: { 201: { headers: object; content: { 'application/json': Pet } } };
  };
  getPet: {
    parameters: { query?: never; header?: never; path: { petId: number }; cookie?: never };
    requestBody?: never;
    responses: {
      200: { headers: object; content: { 'application/json': Pet } };
      204: { headers: object; content?: never };
    };
  };
}

type Code<Id extends keyof operations> = OperationCode<paths, operations[Id]>;
const started = (given: Parameters<typeof createMock<paths, operations>>[0]['operations']) => given;

test('the types of a document are those of its code', async () => {
  const getPet: Code<'getPet'> = async ({ request, records, next }) => {
    const id: number = request.path.petId;
    // @ts-expect-error: the path has another parameter
    request.path.id;
    const pet = await records.find('/pets', id);
    const name: string | undefined = pet?.name;
    // @ts-expect-error: a pet has no such member
    pet?.nmae;
    const answer = await next();
    if (answer.status === 200) return { ...answer, body: { ...answer.body, name: name ?? answer.body.name } };
    return { status: 204 };
  };
  const createPet: Code<'createPet'> = async ({ request, records }) => {
    const key: string = request.headers['idempotency-key'];
    const { name } = request.body;
    return { status: 201, body: await records.add('/pets', { name: `${name} ${key}` }) };
  };
  // @ts-expect-error: a pet has a name
  const nameless: Code<'getPet'> = () => ({ id: 1 });
  // @ts-expect-error: the document has no such status
  const refusing: Code<'createPet'> = () => ({ status: 409 });
  const others: Code<'listPets'>[] = [
    ({ request: { query } }) => (query.limit === 1 ? [] : undefined),
    () => ({ status: 503, body: { message: 'closed' } }),
    () => {},
  ];
  started({ getPet, createPet, 'GET /pets': () => [] });
  // @ts-expect-error: the document has no such operation
  started({ gotPet: () => undefined });
  // @ts-expect-error: the document has no such route
  started({ 'PUT /pets': () => undefined });
  expect([nameless, refusing, ...others]).toHaveLength(5);

  const operations = { getPet: () => ({ status: 204 as const }) };
  const mock = await createMock<paths, operations>({ document: SHIPPED, port: false, operations });
  expect((await mock.fetch('/pets/1', { headers: { authorization: 'Bearer paddock-dev-key' } })).status).toBe(
    204,
  );
  await mock.close();
});
