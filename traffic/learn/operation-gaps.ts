import { STATUS_CODES } from 'node:http';
import { jsonPath, mediaTypeFor, type Operation, responseFor, type Spot } from '#spec';
import { expectBodies, parametersOf, responseObject, SEEN } from './learn-document.ts';
import { learnedRequest, type OperationTally, type PathTally } from './operation-tally.ts';
import type { OverlayChange } from './overlay-change.ts';
import { Schemas } from './schemas.ts';

/** Makes a change, once the schemas of all changes are known. */
type Make = (schemas: Schemas) => OverlayChange;

interface Context {
  readonly operation: Operation;
  readonly learned: OperationTally;
  readonly schemas: Schemas;
  readonly root: Spot;
  /** `GET /pets`. */
  readonly name: string;
  /** JSONPath of the operation. */
  readonly at: string;
}

/**
 * Statuses, media types and parameters that documented operations lack.
 * @param taken component names of the document
 * @param unreachable receives operations in other files
 */
export function operationGaps(
  seen: ReadonlyMap<Operation, PathTally>,
  root: Spot,
  { minimum, taken }: { readonly minimum: number; readonly taken: readonly string[] },
  unreachable: Set<string>,
): { readonly changes: OverlayChange[]; readonly components: Schemas['components'] } {
  const schemas = new Schemas(minimum, taken);
  const wanted: Make[] = [];
  for (const [operation, tally] of seen) {
    const learned = tally.operations.get(operation.method);
    if (!learned) continue;
    const name = `${operation.method} ${operation.path}`;
    if (operation.spot.file !== root.file) {
      unreachable.add(name);
      continue;
    }
    const at = jsonPath(operation.spot.path, root.value);
    const context: Context = { operation, learned, schemas, root, name, at };
    wanted.push(...responseGaps(context), ...parameterGaps(context), ...bodyGap(context));
  }
  schemas.settle();
  return { changes: wanted.map((make) => make(schemas)), components: schemas.components };
}

function responseGaps({ operation, learned, schemas, root, name, at }: Context): Make[] {
  return [...learned.responses].flatMap(([status, message]): Make[] => {
    const documented = responseFor(operation.responses, status);
    const isCovered = documented && (documented.key !== 'default' || status >= 400);
    const types = [...message.content].filter(
      ([type]) => !documented || !mediaTypeFor(documented.content, type),
    );
    if (isCovered && types.length === 0) return [];
    const part = { ...message, content: new Map(isCovered ? types : message.content) };
    expectBodies(schemas, part, status < 400 ? 'response' : 'error', nameOf(operation));
    const text = isCovered
      ? `${types.map(([type]) => type)} of status ${status}`
      : `status ${status} ${STATUS_CODES[status] ?? ''}`.trim();
    const change = {
      key: `${at} ${text}`,
      text: `${name}: ${text}`,
      kind: 'adds',
      seen: message.seen,
    } as const;
    return [
      () => {
        const object = responseObject(status, part, schemas);
        if (isCovered && documented.spot.file === root.file) {
          const target = jsonPath(documented.spot.path, root.value);
          return { ...change, target, update: { content: object.content } };
        }
        return { ...change, target: at, update: { responses: { [String(status)]: object } } };
      },
    ];
  });
}

function parameterGaps({ operation, learned, name, at }: Context): Make[] {
  const keys = new Set(
    [...operation.parameters, ...operation.security.flat()].map(
      (parameter) => `${parameter.in} ${parameter.name.toLowerCase()}`,
    ),
  );
  return parametersOf(learnedRequest(learned), name, () => true).flatMap((parameter): Make[] => {
    const key = `${parameter.in} ${String(parameter.name).toLowerCase()}`;
    // A name such as `filter[name]` may be a member of an object.
    const isMember = operation.parameters.some(
      (one) => one.in === 'query' && String(parameter.name).startsWith(`${one.name}[`),
    );
    if (keys.has(key) || isMember || parameter.in !== 'query') return [];
    const { required: _, ...optional } = parameter;
    return [
      () => ({
        target: at,
        update: { parameters: [optional] },
        key: `${at} ${key}`,
        text: `${name}: query parameter ${parameter.name}`,
        kind: 'adds',
        seen: Number(parameter[SEEN]),
      }),
    ];
  });
}

function bodyGap({ operation, learned, schemas, name, at }: Context): Make[] {
  const request = learnedRequest(learned);
  const bodies = [...request.content].filter(([type]) => !mediaTypeFor(operation.body?.content ?? [], type));
  if (bodies.length === 0 || operation.method === 'GET') return [];
  const part = { ...request, content: new Map(bodies) };
  expectBodies(schemas, part, 'request', nameOf(operation));
  const types = bodies.map(([type]) => type).join(', ');
  return [
    () => ({
      target: at,
      update: { requestBody: { content: responseObject(0, part, schemas).content } },
      key: `${at} ${types}`,
      text: `${name}: request body ${types}`,
      kind: 'adds',
      seen: bodies[0]?.[1].seen ?? 0,
    }),
  ];
}

/** A name for the operation's records. */
function nameOf({ path }: Operation): string {
  const word = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? 'Root';
  return word.replace(/(?:^|[^A-Za-z\d]+)([A-Za-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
