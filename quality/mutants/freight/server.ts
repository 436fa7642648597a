import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import type { Target } from '../suspect.ts';
import { actsOf } from './acts.ts';
import { type Ask, Freight, KEY, type Reply, type Row } from './service.ts';

const DOCUMENT = new URL('../../../fixtures/specs/freight.yaml', import.meta.url);

interface Route {
  readonly method: string;
  readonly names: readonly string[];
  readonly pattern: RegExp;
  readonly id: string;
  readonly isOpen: boolean;
  readonly types: readonly string[];
  readonly accepts: readonly string[];
  readonly parameters: readonly { at: Row; isValid: ValidateFunction }[];
  readonly body?: ValidateFunction | undefined;
}

function routesOf({ document }: Freight): Route[] {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'doc:', components: document.components });
  const within = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"doc:#'));
  const resolve = (of: Row): Row =>
    of.$ref ? document.components[of.$ref.split('/')[2]][of.$ref.split('/')[3]] : of;
  return Object.entries(document.paths as Row).flatMap(([path, item]) =>
    Object.entries(item as Row).flatMap(([method, operation]) => {
      if (method === 'parameters') return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
      const content = operation.requestBody?.content ?? {};
      const [schema] = Object.values(content as Row).map((media) => media.schema);
      const success = Object.entries(operation.responses as Row).find(([status]) => status.startsWith('2'));
      return {
        method: method.toUpperCase(),
        id: operation.operationId,
        isOpen: false,
        names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
        types: Object.keys(content),
        accepts: Object.keys(resolve(success?.[1] ?? {}).content ?? {}),
        parameters: parameters.map((at) => ({ at, isValid: ajv.compile(within(at.schema) as Row) })),
        ...(schema &&
          /json/.test(Object.keys(content)[0] ?? '') && { body: ajv.compile(within(schema) as Row) }),
      };
    }),
  );
}

/** A parameter converted by its schema. */
function parameterValue({ schema: { type, $ref } }: Row, text: string): unknown {
  if (type === 'array') return text.split(',');
  if (type === 'boolean') return { true: true, false: false }[text] ?? text;
  return $ref === undefined && (type === 'integer' || type === 'number') && text.trim() !== ''
    ? Number(text)
    : text;
}

/** Starts the service on a free loopback port. */
export async function startFreight(
  fault: (freight: Freight) => void,
  schemas: (document: Row) => void = () => {},
): Promise<Target> {
  const document = parse(readFileSync(DOCUMENT, 'utf8'), { merge: true, maxAliasCount: -1 });
  // Copies what YAML aliases share, so that a fault changes only one place.
  const copy = JSON.parse(JSON.stringify(document));
  schemas(copy);
  const freight = new Freight(copy, actsOf);
  fault(freight);
  const routes = routesOf(freight);

  const answer = (request: IncomingMessage, bytes: Buffer): Reply => {
    const url = new URL(request.url ?? '', 'http://freight');
    const path = url.pathname.replace(/^\/v2/, '');
    const here = routes.filter(({ pattern }) => pattern.test(path));
    const route = here.find(({ method }) => method === request.method);
    if (!route) return freight.refuse(here.length > 0 ? 405 : 404, 'There is nothing here');
    const { headers } = request;
    const secret = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1];
    if (secret === undefined || !freight.isKey(secret))
      return { ...freight.refuse(401, 'A key is needed'), headers: { 'WWW-Authenticate': 'Bearer' } };
    const [, ...values] = [...(route.pattern.exec(path) ?? [])].map(decodeURIComponent);
    const params = Object.fromEntries(route.names.map((name, index) => [name, values[index] ?? '']));
    const query: Row = {};
    for (const { at, isValid } of route.parameters) {
      const text =
        at.in === 'query'
          ? url.searchParams.get(at.name)
          : at.in === 'header'
            ? headers[at.name.toLowerCase()]
            : null;
      if (text === null || text === undefined) {
        if (at.required && at.in === 'header') return freight.refuse(400, `${at.name} is missing`);
        continue;
      }
      const value = parameterValue(at, `${text}`);
      if (!isValid(value)) return freight.refuse(400, `${at.name} is invalid`);
      if (at.in === 'query') query[at.name] = value;
    }
    const accept = headers.accept ?? '*/*';
    const isAccepted = route.accepts.some((type) =>
      accept.split(',').some((range) => {
        const [wanted = ''] = range.trim().split(';');
        return wanted === '*/*' || wanted === type || wanted === type.replace(/\/.*/, '/*');
      }),
    );
    if (request.method === 'GET' && !isAccepted && route.accepts.length > 0)
      return freight.refuse(406, 'Not available');
    let body: unknown = bytes;
    if (route.types.length > 0) {
      const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!route.types.includes(type)) return freight.refuse(415, `Send ${route.types.join(' or ')}`);
      if (route.body) {
        try {
          body = JSON.parse(bytes.toString());
        } catch {
          return freight.refuse(400, 'The body is no JSON');
        }
        if (!route.body(body)) {
          const errors = (route.body.errors ?? []).map((error) => ({
            pointer: freight.pointerOf(error),
            detail: error.message,
          }));
          return freight.refuse(400, 'The body is invalid', errors);
        }
      }
    }
    const ask: Ask = {
      operation: route.id,
      params,
      query,
      body: body as Row,
      headers: headers as Ask['headers'],
    };
    return freight.act[route.id]?.(ask) ?? freight.refuse(500, 'Nothing is done');
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, headers = {}, type = 'application/json', body } = answer(request, Buffer.concat(chunks));
    const bytes =
      body === undefined
        ? ''
        : typeof body === 'string' || Buffer.isBuffer(body)
          ? body
          : JSON.stringify(body);
    response.writeHead(status, { ...(body !== undefined && { 'Content-Type': type }), ...headers });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v2`,
    apiKey: KEY,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
