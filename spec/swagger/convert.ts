import { addWarning, child, children, type Document, rawChild, type Spot } from '../document/spot.ts';
import { listAt, textAt } from '../document/typed-member.ts';
import { isRecord } from '../json/json-type.ts';
import { convertedFile, type Origins } from './converted.ts';
import { convertParameters } from './parameters.ts';
import { convertSchema } from './schema.ts';

type Members = Record<string, unknown>;

/**
 * Reads a Swagger 2.0 document as OpenAPI 3.0. Schemas stay under `definitions`, so that every reference to them leads
 * to the same place; parameters and responses are written out where they are used. Our own converter, since those that
 * are published lose where each part stood, and integers above 2^53.
 */
export function convertSwagger(document: Document): Document {
  const { root } = document;
  addWarning(rawChild(root, 'swagger') as Spot, 'this is Swagger 2.0, which is read as OpenAPI 3.0');
  const origins: Origins = new Map();
  const value: Members = {
    ...(root.value as Members),
    openapi: '3.0.4',
    servers: serversOf(root),
    paths: recordOf(child(root, 'paths'), (item) => convertPath(item, root, origins)),
    definitions: recordOf(rawChild(root, 'definitions'), (schema) => convertSchema(schema.value, schema)),
    components: { securitySchemes: recordOf(child(root, 'securityDefinitions'), convertScheme) },
  };
  for (const key of ['swagger', 'host', 'basePath', 'schemes']) delete value[key];
  origins.set((value.components as Members).securitySchemes, ['securityDefinitions']);
  origins.set(value.servers, [rawChild(root, 'host') ? 'host' : 'basePath']);
  return document.withFiles(new Map([[root.file, convertedFile(root.file, deepFreeze(value), origins)]]));
}

function recordOf(map: Spot | undefined, convert: (member: Spot) => unknown): unknown {
  if (!isRecord(map?.value)) return map?.value;
  return Object.fromEntries(
    children(map).map(([key, member]) => [key, isRecord(member.value) ? convert(member) : member.value]),
  );
}

function serversOf(root: Spot): Members[] {
  const [host, basePath = ''] = [textAt(root, 'host'), textAt(root, 'basePath')];
  if (host === undefined) return basePath === '' ? [] : [{ url: basePath }];
  const schemes = listAt(root, 'schemes').map(({ value }) => String(value));
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => ({
    url: `${scheme}://${host}${basePath}`,
  }));
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

function convertPath(item: Spot, root: Spot, origins: Origins): Members {
  const shared = listAt(item, 'parameters');
  const operations = METHODS.flatMap((method) => {
    const operation = child(item, method);
    if (!operation) return [];
    const isUsable = isRecord(operation.value);
    return [[method, isUsable ? convertOperation(operation, shared, root, origins) : operation.value]];
  });
  const extensions = Object.entries(item.value as Members).filter(([key]) => key.startsWith('x-'));
  return Object.fromEntries([...extensions, ...operations]);
}

function convertOperation(operation: Spot, shared: readonly Spot[], root: Spot, origins: Origins): Members {
  const typesIn = (key: string) => {
    const owner = rawChild(operation, key) ? operation : root;
    return listAt(owner, key).map(({ value }) => String(value));
  };
  const produces = typesIn('produces');
  const { consumes, produces: _, ...kept } = operation.value as Members;
  const responses = child(operation, 'responses');
  return {
    ...kept,
    ...convertParameters([...shared, ...listAt(operation, 'parameters')], typesIn('consumes'), origins),
    ...(responses && { responses: recordOf(responses, (each) => convertResponse(each, produces, origins)) }),
  };
}

function convertResponse(response: Spot, produces: readonly string[], origins: Origins): Members {
  const { schema, examples, headers, ...kept } = response.value as Members;
  const samples = isRecord(examples) ? examples : {};
  const types = produces.length > 0 ? produces : ['application/json'];
  const content = [...new Set([...(schema === undefined ? [] : types), ...Object.keys(samples)])].map(
    (type) => {
      const media = {
        ...(schema !== undefined && { schema: convertSchema(schema, response) }),
        ...(Object.hasOwn(samples, type) && { example: samples[type] }),
      };
      origins.set(media, response.path).set(media.schema, [...response.path, 'schema']);
      return [type, media];
    },
  );
  return {
    ...kept,
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
    headers:
      recordOf(child(response, 'headers'), (header) => ({ schema: convertSchema(header.value, header) })) ??
      {},
  };
}

function convertScheme({ value }: Spot): unknown {
  return (value as Members).type === 'basic'
    ? { ...(value as Members), type: 'http', scheme: 'basic' }
    : value;
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
