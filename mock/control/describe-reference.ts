import { ancestorsOf, type Contract, type Credential, isRecord, type Operation, type Resource } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import { describeOperation, type OperationView, ownBasePath } from './describe-contract.ts';

/** What the API reference lists before it has loaded the document, which may have megabytes. */
export interface ReferenceView {
  readonly title: string;
  readonly version: string;
  /** Its name among the served documents; empty: there is only one. */
  readonly name: string;
  /** The names of all served documents. */
  readonly documents: readonly string[];
  /** The prefix of each path of the mock: `/v1`, or the empty string. */
  readonly basePath: string;
  /** A key that the mock accepts as each credential of the document. */
  readonly key: string;
  /** The operations that the mock serves. */
  readonly operations: readonly ReferenceOperation[];
  /** The declared tags, in the document's order. */
  readonly tags: readonly ReferenceTag[];
  readonly schemas: readonly string[];
  readonly webhooks: number;
}

/** A Tag Object (OpenAPI 3.2 §4.22): before 3.2 it has no parent. */
export interface ReferenceTag {
  readonly name: string;
  readonly title: string;
  /** The name of its parent tag. */
  readonly parent?: string;
}

/** What the mock knows of an operation beside the document. */
export interface ReferenceOperation extends Omit<OperationView, 'summary' | 'security' | 'source'> {
  readonly summary: string;
  readonly tags: readonly string[];
  /** Alternatives; empty if no credential is needed. */
  readonly security: readonly (readonly ReferenceCredential[])[];
  /** The operation that replaces it. */
  readonly successor?: string;
  /** The path of the collection whose records it shows or changes. */
  readonly collection?: string;
  /** The collections of the records that its path parameters name. */
  readonly parents?: Readonly<Record<string, string>>;
}

/** For OAuth 2.0 and OpenID Connect the mock only checks the bearer token (RFC 6750). */
export type ReferenceCredential = Pick<Credential, 'scheme' | 'kind' | 'in' | 'name'>;

/** A served document, as far as its reference shows it. */
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
      const all = [
        ...Object.values(resource.actions),
        ...resource.further.map((further) => further.operation),
      ];
      return all.map((operation) => [operation, nameOf(resource)] as const);
    }),
  );

  function describe(operation: Operation): ReferenceOperation {
    const { path, summary = '', tags, security, successor } = operation;
    const collection = owners.get(operation);
    // With a slash, so that the last segment counts as an ancestor, too.
    const named = path.includes('{') ? ancestorsOf(resources, `${path}/`) : [];
    const parents = named.map(({ parent, parameter }) => [parameter, nameOf(parent)]);
    return {
      ...describeOperation(operation),
      summary,
      tags,
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
    operations: contract.operations.map(describe),
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
