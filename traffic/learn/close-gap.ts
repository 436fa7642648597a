import { STATUS_CODES } from 'node:http';
import { compileFindOperation, type Found, readInput } from '#observe';
import {
  type Contract,
  isEqual,
  isJsonType,
  isRecord,
  mediaTypeFor,
  memberShape,
  type Operation,
  pathForm,
  pathParameters,
  type RequestViolation,
  rawChild,
  responseFor,
  type Shape,
  type Spot,
} from '#spec';
import { headerOf, type RecordedExchange, type RecordedResponse } from '../har/recorded-exchange.ts';
import { asVersion30 } from './as-version-30.ts';
import { expectBodies, learnParts, parametersOf, responseObject, SEEN } from './learn-document.ts';
import { createLearner, type LearnedPath, whyNot } from './learn-traffic.ts';
import { Loosening } from './loosen.ts';
import { learnedRequest, PathTally, parseBody } from './operation-tally.ts';
import { jsonPath, type OverlayChange } from './overlay-action.ts';
import type { TemplateSegment } from './path-tree.ts';
import { Schemas } from './schemas.ts';
import { createTextTally, noteText } from './text-tally.ts';
import { createTally, noteValue, type ValueTally } from './value-tally.ts';

/** What one reading of the traffic shows of the gap between it and the document. */
export interface Gap {
  add(exchange: RecordedExchange): void;
  changes(minimum: number): OverlayChange[];
  /** Base URLs that have answered as the service does. */
  readonly proven: ReadonlySet<string>;
  readonly matched: number;
  readonly elsewhere: number;
  /** Places in other files, which no overlay changes. */
  readonly unreachable: ReadonlySet<string>;
}

/** A server that no recording has: paths that the document lacks are learned as those of one service. */
const SERVICE = 'http://service.invalid';

/** @param proven base URLs that are known to be the service's; undefined: none yet, and nothing is learned beyond operations */
export function findGap(
  contract: Contract,
  baseUrls: readonly URL[] | undefined,
  proven: ReadonlySet<string> | undefined,
): Gap {
  const { root } = contract.document;
  const is30 = isRecord(root.value) && String(root.value.openapi).startsWith('3.0');
  const find = compileFindOperation(contract, baseUrls);
  const seen = new Map<Operation, PathTally>();
  const loosening = new Loosening(root);
  const members = new Map<
    string,
    { readonly owner: Spot; readonly name: string; readonly values: ValueTally; readonly where: string }
  >();
  const bases = new Set<string>();
  const unknown = createLearner({ baseUrls: [SERVICE] });
  const methods = compileMethodGaps(contract);
  let matched = 0;
  let elsewhere = 0;

  function add(exchange: RecordedExchange): void {
    const { request, response } = exchange;
    if (!response || whyNot(exchange, undefined)) return;
    const found = find(request.method, request.url);
    if ('why' in found) {
      if (found.base === undefined || !proven?.has(found.base)) {
        elsewhere += 1;
        return;
      }
      const path = request.url.pathname.slice(new URL(found.base).pathname.replace(/\/$/, '').length);
      const url = new URL(`${SERVICE}${path}${request.url.search}`);
      const moved = { ...exchange, request: { ...request, url }, response };
      if (found.why === 'unknownPaths') unknown.add(moved);
      else methods.add(path, moved);
      return;
    }
    matched += 1;
    if (response.status !== 404) bases.add(found.base);
    const tally = seen.get(found.operation) ?? new PathTally();
    seen.set(found.operation, tally);
    tally.add({ ...exchange, response });
    compareRequest(found, exchange, response);
    compareResponse(found.operation, response);
  }

  function compareRequest(
    found: Found,
    { request, startedAt }: RecordedExchange,
    { status, body: answered }: RecordedResponse,
  ): void {
    // What was refused need not be as documented.
    if (status >= 400 && status < 500) return;
    const { operation } = found;
    const { read } = readInput(contract, found, { ...request, startedAt }, false);
    for (const violation of read.violations) {
      const { in: place, name, keyword, kind } = violation;
      const where = `${operation.method} ${operation.path}: ${place === 'body' ? 'request body' : `${place} ${name}`}`;
      if (kind === 'media type' || kind === 'syntax') continue;
      if (keyword === 'required' && isOfOwner(violation)) required.add(`${operation.id}\n${place}\n${name}`);
      else loosening.add(violation, where, request);
    }
    const { body } = read;
    const type = headerOf(request.headers, 'content-type');
    const media = type === undefined ? undefined : mediaTypeFor(operation.body?.content ?? [], type);
    if (media?.shape && isJsonType(type ?? ''))
      findMembers(
        media.shape,
        kept(body, parseBody(answered)),
        `${operation.method} ${operation.path}: request body`,
        0,
      );
  }

  /** Operation, place and name of what is no longer required. */
  const required = new Set<string>();

  function compareResponse(operation: Operation, response: RecordedResponse): void {
    const documented = responseFor(operation.responses, response.status);
    const type = headerOf(response.headers, 'content-type') ?? '';
    if (!documented) return;
    const media = mediaTypeFor(documented.content, type);
    if (!media?.schema || !isJsonType(type) || response.bodyMissing || response.body.length === 0) return;
    const value = parseBody(response.body);
    if (value === undefined) return;
    const where = `${operation.method} ${operation.path}: response ${response.status}`;
    for (const violation of contract.validators.compile(media.schema, 'response')(value))
      loosening.add(violation, where, response);
    if (media.shape) findMembers(media.shape, value, where, 0);
    for (const header of documented.headers)
      if (header.required && headerOf(response.headers, header.name) === undefined)
        optionalHeaders.set(header.spot, `${where}: header ${header.name}`);
  }

  const optionalHeaders = new Map<Spot, string>();

  /** Members that the schema neither names nor refuses. */
  function findMembers(shape: Shape, value: unknown, where: string, depth: number): void {
    if (depth > 12) return;
    if (Array.isArray(value)) {
      const { items } = shape;
      if (items) for (const item of value) findMembers(items, item, where, depth + 1);
    } else if (isRecord(value))
      for (const [name, member] of Object.entries(value)) {
        const inner = memberShape(shape, name);
        if (inner) findMembers(inner, member, where, depth + 1);
        else noteMember(shape, name, member, where);
      }
  }

  function noteMember(shape: Shape, name: string, member: unknown, where: string): void {
    if (
      shape.properties.size === 0 ||
      shape.additional ||
      shape.alternatives.length > 0 ||
      shape.patterns.length > 0
    )
      return;
    const owner = shape.parts.find((part) => rawChild(part, 'properties'));
    if (!owner || shape.all('additionalProperties').some(({ value }) => value === false)) return;
    if (owner.file !== root.file) {
      loosening.unreachable.add(`${where}: member "${name}"`);
      return;
    }
    const key = `${owner.path.join('/')}\n${name}`;
    const known = members.get(key) ?? { owner, name, values: createTally(), where };
    members.set(key, known);
    noteValue(known.values, member);
  }

  function changes(minimum: number): OverlayChange[] {
    const components = rawChild(root, 'components');
    const schemas = components && rawChild(components, 'schemas');
    const taken = Object.keys((schemas?.value as object | undefined) ?? {});
    const ids = contract.operations.map(({ id }) => id);
    const own = ofOperations(minimum, taken);
    const paths = ofPaths(minimum, [...taken, ...own.taken], ids);
    const added = [...own.changes, ...paths].map((change) =>
      is30 && 'update' in change ? { ...change, update: asVersion30(change.update) } : change,
    );
    return [...added, ...ofMembers(), ...loosening.changes(is30), ...ofRequired()].filter(
      ({ seen: times }) => times >= minimum,
    );
  }

  /** Statuses, media types and parameters that operations of the document lack. */
  function ofOperations(minimum: number, taken: readonly string[]) {
    const schemas = new Schemas(minimum, taken);
    const wanted: (() => OverlayChange[])[] = [];
    for (const [operation, tally] of seen) {
      const learned = tally.operations.get(operation.method);
      if (!learned) continue;
      const name = `${operation.method} ${operation.path}`;
      if (operation.spot.file !== root.file) {
        loosening.unreachable.add(name);
        continue;
      }
      const at = jsonPath(operation.spot.path, root.value);
      for (const [status, message] of learned.responses) {
        const documented = responseFor(operation.responses, status);
        const isCovered = documented && (documented.key !== 'default' || status >= 400);
        const types = [...message.content].filter(
          ([type]) => !documented || !mediaTypeFor(documented.content, type),
        );
        if (isCovered && types.length === 0) continue;
        const part = { ...message, content: new Map(isCovered ? types : message.content) };
        expectBodies(schemas, part, status < 400 ? 'response' : 'error', nameOf(operation));
        wanted.push(() => {
          const object = responseObject(status, part, schemas);
          const text = isCovered
            ? `${types.map(([type]) => type)} of status ${status}`
            : `status ${status} ${STATUS_CODES[status] ?? ''}`.trim();
          const isOwn = isCovered && documented.spot.file === root.file;
          const change = {
            key: `${at} ${text}`,
            text: `${name}: ${text}`,
            kind: 'adds',
            seen: message.seen,
          } as const;
          if (isOwn)
            return [
              {
                ...change,
                target: jsonPath(documented.spot.path, root.value),
                update: { content: object.content },
              },
            ];
          return [{ ...change, target: at, update: { responses: { [String(status)]: object } } }];
        });
      }
      const request = learnedRequest(learned);
      const known = new Set(operation.parameters.map((one) => `${one.in} ${one.name.toLowerCase()}`));
      const secret = new Set(operation.security.flat().map((one) => `${one.in} ${one.name.toLowerCase()}`));
      for (const parameter of parametersOf(request, name, () => true)) {
        const times = Number(parameter[SEEN]);
        const key = `${parameter.in} ${String(parameter.name).toLowerCase()}`;
        // A text such as `filter[name]` may be a member of an object.
        const isMember = operation.parameters.some(
          (one) => one.in === 'query' && String(parameter.name).startsWith(`${one.name}[`),
        );
        if (known.has(key) || secret.has(key) || isMember || parameter.in !== 'query') continue;
        const { required: _, ...optional } = parameter;
        wanted.push(() => [
          {
            target: at,
            update: { parameters: [optional] },
            key: `${at} ${key}`,
            text: `${name}: query parameter ${parameter.name}`,
            kind: 'adds',
            seen: times,
          },
        ]);
      }
      const bodies = [...request.content].filter(
        ([type]) => !mediaTypeFor(operation.body?.content ?? [], type),
      );
      if (bodies.length > 0 && operation.method !== 'GET') {
        const part = { ...request, content: new Map(bodies) };
        expectBodies(schemas, part, 'request', nameOf(operation));
        wanted.push(() => {
          const { content } = responseObject(0, part, schemas);
          const types = bodies.map(([type]) => type).join(', ');
          return [
            {
              target: at,
              update: { requestBody: { content } },
              key: `${at} ${types}`,
              text: `${name}: request body ${types}`,
              kind: 'adds',
              seen: bodies[0]?.[1].seen ?? 0,
            },
          ];
        });
      }
    }
    schemas.settle();
    const found = wanted.flatMap((make) => make());
    const names = Object.keys(schemas.components);
    return { changes: [...componentsChange({ schemas: schemas.components }), ...found], taken: names };
  }

  /** Paths, and methods of paths, that the document lacks. */
  function ofPaths(minimum: number, taken: readonly string[], takenIds: readonly string[]): OverlayChange[] {
    const traffic = unknown.result();
    const all = [...traffic.paths, ...methods.all()];
    if (all.length === 0) return [];
    const parts = learnParts({ ...traffic, paths: all }, { minimum, taken, takenIds });
    const items = rawChild(root, 'paths');
    const added = Object.entries(parts.paths).flatMap(([learned, item]) => {
      const path =
        contract.operations.find((one) => pathForm(one.path) === pathForm(learned))?.path ?? learned;
      const known = items && rawChild(items, path);
      const names = pathParameters(path);
      return Object.entries(item).map(([method, operation]): OverlayChange => {
        const renamed = withNames(
          operation,
          names,
          known !== undefined && rawChild(known, 'parameters') !== undefined,
        );
        const secured = { ...renamed, security: undefined };
        const text = `${method.toUpperCase()} ${path}`;
        return {
          target: '$.paths',
          update: { [path]: { [method]: JSON.parse(JSON.stringify(secured, bigints)) } },
          key: text,
          text,
          kind: 'adds',
          seen: Number(operation[SEEN]),
        };
      });
    });
    return [...componentsChange({ schemas: parts.components }), ...added];
  }

  function componentsChange(components: { readonly schemas: object }): OverlayChange[] {
    const names = Object.keys(components.schemas);
    if (names.length === 0) return [];
    const text = `schemas ${names.join(', ')} of what is added`;
    return [
      {
        target: '$',
        update: { components },
        key: `components ${names.join()}`,
        text,
        kind: 'adds',
        seen: Number.POSITIVE_INFINITY,
      },
    ];
  }

  function ofMembers(): OverlayChange[] {
    const groups = [...members.values()];
    const schemas = new Schemas(1, []);
    return groups.map(({ owner, name, values, where }) => {
      const target = jsonPath(owner.path, root.value);
      const schema = schemas.schemaOf(values, name);
      const update = { properties: { [name]: is30 ? asVersion30(schema) : schema } };
      return {
        target,
        update,
        key: `${target} ${name}`,
        text: `${where}: member "${name}"`,
        kind: 'adds',
        seen: values.count,
      };
    });
  }

  function ofRequired(): OverlayChange[] {
    const changes = [...required].flatMap((key): OverlayChange[] => {
      const [id, place, name] = key.split('\n');
      const operation = contract.operations.find((one) => one.id === id);
      const owner =
        place === 'body'
          ? operation?.body?.spot
          : operation?.parameters.find((one) => one.in === place && one.name === name)?.spot;
      if (!operation || !owner || owner.file !== root.file) return [];
      const target = jsonPath(owner.path, root.value);
      const text = `${operation.method} ${operation.path}: ${place} ${name}`.trim();
      return [
        {
          target,
          update: { required: false },
          key: `${target} required`,
          text: `${text}: no longer required`,
          kind: 'loosens',
          seen: Number.POSITIVE_INFINITY,
        },
      ];
    });
    const headers = [...optionalHeaders].flatMap(([spot, text]): OverlayChange[] => {
      const target = jsonPath(spot.path, root.value);
      if (spot.file !== root.file) return [];
      return [
        {
          target,
          update: { required: false },
          key: `${target} required`,
          text: `${text}: no longer required`,
          kind: 'loosens',
          seen: Number.POSITIVE_INFINITY,
        },
      ];
    });
    return [...changes, ...headers];
  }

  return {
    add,
    changes,
    proven: bases,
    get matched() {
      return matched;
    },
    get elsewhere() {
      return elsewhere;
    },
    unreachable: loosening.unreachable,
  };
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint'
    ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value))
    : value;
}

/** A parameter or a body that is missing as a whole: the schema says nothing of it. */
function isOfOwner({ pointer, received }: RequestViolation): boolean {
  return pointer === '' && received === undefined;
}

function nameOf({ path }: Operation): string {
  const word = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? 'Root';
  return word.replace(/(?:^|[^A-Za-z\d]+)([A-Za-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/** What was sent, without the members that the service has answered with other values: it sets these itself. */
function kept(sent: unknown, shown: unknown): unknown {
  if (!isRecord(sent) || !isRecord(shown)) return sent;
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => !Object.hasOwn(shown, name) || isEqual(value, shown[name]),
    ),
  );
}

type Json = Record<string, unknown>;

/** The path parameters of a learned operation under the names that the path has in the document. */
function withNames(operation: Json, names: readonly string[], hasOwn: boolean): Json {
  let index = 0;
  const parameters = (operation.parameters as Json[] | undefined)?.flatMap((one) => {
    if (one.in !== 'path') return [one];
    const name = names[index++];
    return hasOwn ? [] : [{ ...one, name }];
  });
  return parameters === undefined ? operation : { ...operation, parameters };
}

/** Requests with methods that paths of the document lack. */
function compileMethodGaps({ operations }: Contract) {
  const templates = [...new Set(operations.map(({ path }) => path))].map((path) => {
    const parts = path
      .split(/(\{[^}]*\})/)
      .map((part) => (part.startsWith('{') ? '([^/]+)' : RegExp.escape(part)));
    return { path, form: new RegExp(`^${parts.join('')}$`) };
  });
  // A word counts before a parameter.
  templates.sort((one, other) => pathParameters(one.path).length - pathParameters(other.path).length);
  const found = new Map<
    string,
    {
      readonly path: LearnedPath;
      readonly tally: PathTally;
      readonly texts: ReturnType<typeof createTextTally>[];
    }
  >();
  return {
    add(path: string, exchange: RecordedExchange & { response: RecordedResponse }): void {
      const match = templates
        .map((one) => ({ ...one, values: one.form.exec(path) }))
        .find(({ values }) => values);
      if (!match?.values || exchange.response.status === 405) return;
      const known = found.get(match.path) ?? openPath(match.path);
      found.set(match.path, known);
      for (const [index, text] of match.values.slice(1).entries())
        noteText(known.texts[index] as ReturnType<typeof createTextTally>, text);
      known.tally.add(exchange);
    },
    all: () => [...found.values()].map(({ path }) => path).filter(({ tally }) => tally.isTelling()),
  };
}

function openPath(path: string) {
  const tally = new PathTally();
  const texts: ReturnType<typeof createTextTally>[] = [];
  const segments = path
    .slice(1)
    .split('/')
    .map((word): TemplateSegment => {
      if (!word.startsWith('{')) return { word };
      const text = createTextTally();
      texts.push(text);
      return { texts: text, suffix: word.slice(word.indexOf('}') + 1) };
    });
  return { path: { segments, tally }, tally, texts };
}
