import { ancestorsOf, type Contract, type Credential, isRecord, type Operation, type Resource } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import { ownBasePath } from './describe-contract.ts';

/** What the page of the API reference lists before it has the document, which may have megabytes. */
export interface ReferenceView {
  readonly title: string;
  readonly version: string;
  /** Its name among those that are served; empty: it is the only one. */
  readonly name: string;
  /** The names of all that are served. */
  readonly documents: readonly string[];
  /** What precedes each path of the mock: `/v1`, or the empty string. */
  readonly basePath: string;
  /** Accepted by the mock as each credential of the document. */
  readonly key: string;
  /** Those that the mock serves. */
  readonly operations: readonly ReferenceOperation[];
  /** Those that the document declares, in their order. */
  readonly tags: readonly ReferenceTag[];
  readonly schemas: readonly string[];
  readonly webhooks: number;
}

/** A Tag Object (OpenAPI 3.2 §4.22): before 3.2 it has no parent. */
export interface ReferenceTag {
  readonly name: string;
  readonly title: string;
  /** The name of the tag that it is below. */
  readonly parent?: string;
}

/** What the mock knows of an operation beside what the document has at its place. */
export interface ReferenceOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** What precedes it, where that is not the base path of the document. */
  readonly basePath?: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Alternatives; empty if no credential is needed. */
  readonly security: readonly (readonly ReferenceCredential[])[];
  /** The operation that replaces it. */
  readonly successor?: string;
  /** The collection whose records it shows or changes, by its path. */
  readonly collection?: string;
  /** The collections whose records its path parameters name. */
  readonly parents?: Readonly<Record<string, string>>;
}

/** Of OAuth 2.0 and OpenID Connect the mock checks the bearer token alone (RFC 6750). */
export type ReferenceCredential = Pick<Credential, 'scheme' | 'kind' | 'in' | 'name'>;

/** One of the documents that a service serves, as far as its reference shows it. */
export interface ServedDocument {
  readonly name: string;
  readonly contract: Contract;
  readonly basePath: string;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
}

export function describeReference(
  { name, contract, basePath, collections }: ServedDocument,
  documents: readonly string[],
  key: string,
): ReferenceView {
  const resources = [...collections.keys()];
  const nameOf = (resource: Resource) => collections.get(resource)?.name;
  const owners = new Map(
    resources.toReversed().flatMap((resource) => {
      const all = [...Object.values(resource.actions), ...resource.further.map((one) => one.operation)];
      return all.map((operation) => [operation, nameOf(resource)] as const);
    }),
  );

  function describeOperation(operation: Operation): ReferenceOperation {
    const { id, method, path, summary = '', tags, deprecated, security, successor } = operation;
    const collection = owners.get(operation);
    // A slash, since only what is before the end of a path is an ancestor.
    const named = path.includes('{') ? ancestorsOf(resources, `${path}/`) : [];
    const parents = named.map(({ parent, parameter }) => [parameter, nameOf(parent)]);
    return {
      id,
      method,
      path,
      summary,
      tags,
      deprecated,
      ...ownBasePath(operation, contract),
      security: security.map((all) =>
        all.map(({ scheme, kind, in: place, name: key }) => ({ scheme, kind, in: place, name: key })),
      ),
      ...(successor !== undefined && { successor }),
      ...(collection !== undefined && { collection }),
      ...(parents.length > 0 && { parents: Object.fromEntries(parents) }),
    };
  }

  const { title, version } = contract;
  const { tags, components, webhooks } = membersOf(contract.document.root.value);
  return {
    title,
    version,
    name,
    documents,
    basePath,
    key,
    operations: contract.operations.map(describeOperation),
    tags: [tags].flat().flatMap((tag): ReferenceTag[] => {
      const { name: tagName, summary, parent } = membersOf(tag);
      if (typeof tagName !== 'string') return [];
      const title = typeof summary === 'string' && summary !== '' ? summary : tagName;
      return [{ name: tagName, title, ...(typeof parent === 'string' && { parent }) }];
    }),
    schemas: Object.keys(membersOf(membersOf(components).schemas)),
    webhooks: Object.keys(membersOf(webhooks)).length,
  };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
