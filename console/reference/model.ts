import type { ReferenceOperation, ReferenceView } from '../wire.ts';
import { isObject, type Json, objectAt, objectsIn, textOf } from './document.ts';

/** What the page shows of a document. */
export interface ReferenceModel {
  readonly view: ReferenceView;
  /** The document itself. */
  readonly root: Json;
  /** In the order of the list. */
  readonly operations: readonly Operation[];
  readonly groups: readonly Group[];
  /** By name. */
  readonly schemas: ReadonlyMap<string, unknown>;
  readonly webhooks: readonly Webhook[];
  readonly byId: ReadonlyMap<string, Operation>;
}

/** An operation of the document, with what the mock knows of it. */
export interface Operation extends ReferenceOperation {
  /** The Operation Object. */
  readonly written: Json;
  /** The Path Item Object around it. */
  readonly item: Json;
}

/** What the list shows and a search covers. */
export interface Listing {
  readonly view: ReferenceView;
  /** In the order of the list. */
  readonly operations: readonly ReferenceOperation[];
  readonly groups: readonly Group[];
  /** The searched texts, in lower case, by id. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The operations of one tag. */
export interface Group {
  readonly tag: string;
  /** With the titles of parent tags: `Animals › Care`. */
  readonly title: string;
  readonly operations: readonly ReferenceOperation[];
}

/** A request that the service sends. */
export interface Webhook {
  readonly name: string;
  readonly method: string;
  readonly summary: string;
  readonly written: Json;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

export function readListing(view: ReferenceView): Listing {
  const groups = groupByTag(view);
  const operations = groups.flatMap((group) => group.operations);
  return {
    view,
    groups,
    operations,
    texts: new Map(
      operations.map(({ id, method, path, summary, tags }) => [
        id,
        [method, path, id, summary, ...tags].join(' ').toLowerCase(),
      ]),
    ),
  };
}

export function readModel({ view, operations, groups }: Listing, document: unknown): ReferenceModel {
  const root = isObject(document) ? document : {};
  const paths = objectAt(root, root.paths);
  const read = operations.map((operation) => readOperation(root, paths, operation));
  return {
    view,
    root,
    groups,
    operations: read,
    schemas: new Map(Object.entries(objectAt(root, objectAt(root, root.components).schemas))),
    webhooks: readWebhooks(root),
    byId: new Map(read.map((operation) => [operation.id, operation])),
  };
}

function readOperation(root: Json, paths: Json, operation: ReferenceOperation): Operation {
  // The mock accepts a path without its first slash.
  const item = objectAt(root, paths[operation.path] ?? paths[operation.path.slice(1)]);
  const written = objectAt(root, item[operation.method.toLowerCase()]);
  return { ...operation, written, item };
}

/**
 * Declared tags first, in their order, each after its parent; operations without a tag are grouped by the first segment of
 * their path.
 */
function groupByTag({ tags, operations }: ReferenceView): Group[] {
  const byName = Map.groupBy(operations, ({ tags: [tag], path }) => tag || `/${groupSegment(path)}`);
  const titles = new Map<string, string>();
  const add = (name: string, title: string, above: string) => {
    // Tags with a cyclic parent have none.
    if (titles.has(name)) return;
    titles.set(name, above + title);
    for (const tag of tags) if (tag.parent === name) add(tag.name, tag.title, `${above}${title} › `);
  };
  const names = new Set(tags.map(({ name }) => name));
  for (const { name, title, parent } of tags)
    if (parent === undefined || !names.has(parent)) add(name, title, '');
  for (const { name, title } of tags) add(name, title, '');
  for (const name of byName.keys()) add(name, name, '');
  return [...titles].flatMap(([tag, title]) => {
    const list = byName.get(tag);
    return list ? [{ tag, title, operations: list }] : [];
  });
}

/** The first segment that is neither a version nor a parameter. */
function groupSegment(path: string): string {
  const segments = path.split('/').filter(Boolean);
  return segments.find((segment) => !/^v\d|^api$|\{/.test(segment)) ?? segments[0] ?? '';
}

function readWebhooks(root: Json): Webhook[] {
  return objectsIn(root, root.webhooks).flatMap(([name, item]) =>
    requestsOf(root, item).map(([method, written]) => ({
      name,
      method,
      summary: textOf(written.summary),
      written,
    })),
  );
}

/** The Operation Objects of a Path Item Object, by method: fixed members in upper case, others as written. */
export function requestsOf(root: Json, item: Json): [string, Json][] {
  const named = METHODS.filter((method) => isObject(item[method])).map((method): [string, Json] => [
    method.toUpperCase(),
    objectAt(root, item[method]),
  ]);
  return [...named, ...objectsIn(root, item.additionalOperations)];
}

/** The media types of a request's body, by name. */
export const contentOf = (
  { root }: Pick<ReferenceModel, 'root'>,
  { written }: Pick<Operation, 'written'>,
): Json => objectAt(root, objectAt(root, written.requestBody).content);
