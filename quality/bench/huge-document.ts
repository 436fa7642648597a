import { readArguments } from '../arguments.ts';

const HELP = `npm run --silent bench -- huge-document [OPERATIONS] [BYTES] > huge.json

Writes an OpenAPI document of so many operations (default: 1000), and of so many bytes for each (default: 500): for bench --
documents, and to see where mock and suite end.
`;

const [operations = 1000, bytes = 500] = readArguments(HELP, {}).positionals.map(Number);

/** Each collection has five operations: list, create, read, replace, remove. */
const PER_COLLECTION = 5;

const padding = 'x'.repeat(Math.max(0, bytes - 250));
const json = (schema: object) => ({ 'application/json': { schema } });

function collection(number: number): string {
  const record = { $ref: `#/components/schemas/Thing${number}` };
  const done = (schema?: object) => ({ description: padding, ...(schema && { content: json(schema) }) });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const paths = {
    [`/things${number}`]: {
      get: { responses: { 200: done({ type: 'array', items: record }) } },
      post: { requestBody: { required: true, content: json(record) }, responses: { 201: done(record) } },
    },
    [`/things${number}/{id}`]: {
      parameters: [id],
      get: { responses: { 200: done(record) } },
      put: { requestBody: { required: true, content: json(record) }, responses: { 200: done(record) } },
      delete: { responses: { 204: done() } },
    },
  };
  return JSON.stringify(paths).slice(1, -1);
}

function schema(number: number): string {
  const id = { type: 'integer', readOnly: true };
  const record = { type: 'object', required: ['name'], properties: { id, name: { type: 'string' } } };
  return JSON.stringify({ [`Thing${number}`]: record }).slice(1, -1);
}

function write(part: (number: number) => string): void {
  const count = Math.ceil(operations / PER_COLLECTION);
  for (let number = 1; number <= count; number++)
    process.stdout.write(`${number > 1 ? ',\n' : ''}${part(number)}`);
}

process.stdout.write('{"openapi": "3.1.1", "info": {"title": "Huge", "version": "1"}, "paths": {\n');
write(collection);
process.stdout.write('}, "components": {"schemas": {\n');
write(schema);
process.stdout.write('}}}\n');
