import {
  type Contract,
  DocumentError,
  familiesOf,
  formUpTo,
  memberShape,
  NO_SERVERS,
  type Operation,
  pathForm,
  pathParameters,
  placedAt,
  placeOf,
  type Related,
  type Resource,
  type Singleton,
  showPlace,
  withOperations,
} from '#spec';

export interface Part extends Placed {
  readonly name: string;
  /** Its operations have unique names among all documents. */
  readonly contract: Contract;
  readonly basePath: string;
  /** The host of its first server: `users.example`. Undefined: any host. */
  readonly host: string | undefined;
  /** The prefix of its collections' names. */
  readonly prefix: string;
  /** Its operations as clients see them, with full paths. */
  readonly publicOperations: ReadonlyMap<Operation, Operation>;
  /** Path parameters that refer to other documents. */
  readonly parents: readonly PathParent[];
}

/** A path whose last parameter is the id of another document's record. */
interface PathParent {
  /** `/users/{}` */
  readonly form: string;
  readonly parent: Resource;
}

/** Several documents as one, with the paths of requests. */
export interface JoinedContract extends Contract {
  readonly parts: readonly Part[];
  /** Operations that differ only by host, of which requests to other hosts get the first; a sentence each. */
  readonly byHostOnly: readonly string[];
}

export interface JoinOptions {
  /** Whether paths begin with the path of their document's first server. */
  readonly basePath: boolean;
  /** `/v1/orders#userId`: `/v1/users` */
  readonly relate: Readonly<Record<string, string>>;
}

/**
 * Joins documents that are served together, without changing any: what is inferred of one does not depend on the others.
 * @throws DocumentError if two documents have the same operation at the same host and path, with both places
 * @throws RangeError for a relation with an unknown name
 */
export function joinContracts(
  documents: readonly Placed[],
  { basePath, relate }: JoinOptions,
): JoinedContract {
  const names = documentNames(documents);
  const idsTaken = countOf(
    documents.flatMap(({ contract: { operations, outgoing } }) =>
      [...operations, ...outgoing].map(({ id }) => id),
    ),
  );
  const placed = documents.map((document, index) => {
    const { contract, at } = document;
    const name = names[index] as string;
    const nameOf = (id: string) => ((idsTaken.get(id) ?? 0) > 1 ? `${name}:${id}` : id);
    const placedContract = placedAt(withNames(contract, nameOf), at ?? '', basePath);
    return {
      ...document,
      name,
      contract: placedContract,
      basePath: placedContract.basePath,
      host: at === undefined ? hostOf(contract) : undefined,
    };
  });
  const collectionsTaken = countOf(
    placed.flatMap((one) => recordsOf(one.contract).map(({ path }) => one.basePath + path)),
  );
  const parts = placed.map((one): Part => {
    const isTaken = recordsOf(one.contract).some(
      ({ path }) => (collectionsTaken.get(one.basePath + path) ?? 0) > 1,
    );
    const { operations } = one.contract;
    return {
      ...one,
      prefix: isTaken ? `${one.name}:${one.basePath}` : one.basePath,
      publicOperations: new Map(operations.map((operation) => [operation, withWholePath(operation)])),
      parents: [],
    };
  });
  const byHostOnly = collisionsIn(parts);
  const related = withRelations(parts, relate);
  return { ...asOne(related), parts: related, byHostOnly };
}

/** An operation as clients see it. */
export function withWholePath(operation: Operation): Operation {
  const { basePaths, path } = operation;
  return { ...operation, ...NO_SERVERS, path: `${basePaths[0]}${path}` };
}

function asOne(parts: readonly Part[]): Contract {
  const contracts = parts.map(({ contract }) => contract);
  const [first] = contracts as [Contract];
  const { document, validators } = first;
  return {
    document: { ...document, files: new Map(contracts.flatMap((contract) => [...contract.document.files])) },
    title: contracts.map(({ title, version }) => `${title} ${version}`.trim()).join(', '),
    version: '',
    ...NO_SERVERS,
    basePath: '',
    operations: parts.flatMap(({ publicOperations }) => [...publicOperations.values()]),
    outgoing: contracts.flatMap(({ outgoing }) => outgoing),
    resources: contracts.flatMap(({ resources }) => resources),
    singletons: contracts.flatMap(({ singletons }) => singletons),
    securitySchemes: [...new Set(contracts.flatMap(({ securitySchemes }) => securitySchemes))],
    // Validators are found by schema, in any document.
    validators,
    leftOut: contracts.flatMap(({ leftOut }) => leftOut),
    warnings: contracts.flatMap(({ warnings }) => warnings),
  };
}

function recordsOf({ resources, singletons }: Contract): readonly (Resource | Singleton)[] {
  return [...resources, ...singletons];
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const count = new Map<string, number>();
  for (const text of texts) count.set(text, (count.get(text) ?? 0) + 1);
  return count;
}

function withNames(contract: Contract, nameOf: (id: string) => string): Contract {
  const named = withOperations(contract, ({ id, successor }) => ({
    id: nameOf(id),
    successor: successor && nameOf(successor),
  }));
  return {
    ...named,
    outgoing: named.outgoing.map((operation) => ({ ...operation, id: nameOf(operation.id) })),
  };
}

/** The host of the first server. Undefined: it has none. */
function hostOf({ servers }: Contract): string | undefined {
  const [first] = servers;
  return URL.parse(first?.url ?? '')?.host.toLowerCase() || undefined;
}

/** @returns operations that differ only by host @throws DocumentError */
function collisionsIn(parts: readonly Part[]): readonly string[] {
  const byKey = new Map<string, { readonly part: Part; readonly operation: Operation }[]>();
  const problems: DocumentError['problems'][number][] = [];
  const byHostOnly: string[] = [];
  for (const part of parts)
    for (const operation of part.publicOperations.values()) {
      const { method, path, spot } = operation;
      const key = `${method} ${pathForm(path)}`;
      const others = byKey.get(key) ?? [];
      byKey.set(key, [...others, { part, operation }]);
      for (const other of others) {
        const same = `${method} ${path} is also in ${showPlace(placeOf(other.operation.spot))}`;
        if (part.host === undefined || other.part.host === undefined || part.host === other.part.host) {
          const message = `${same}: of documents that are served together only one can have it; --at /PREFIX=DOCUMENT gives one of them paths of its own`;
          problems.push(spot.file.problemAt(spot.path, message));
        } else
          byHostOnly.push(
            `${same}: ${part.host} has the former, and ${other.part.host} and all other hosts the latter`,
          );
      }
    }
  if (problems.length > 0) throw new DocumentError(problems);
  return byHostOnly;
}

/** @throws RangeError for a relation with an unknown name */
function withRelations(parts: readonly Part[], relate: JoinOptions['relate']): readonly Part[] {
  const collections = parts.flatMap(({ contract: { resources }, prefix }) => {
    // A copy, since results are cached by list, and these have no relations yet.
    const families = familiesOf([...resources]);
    return resources.map((resource) => ({
      name: prefix + resource.path,
      resource: families.get(resource)?.sharedWith ?? resource,
    }));
  });
  const related = new Map<Resource, Related[]>();
  const parents = new Map<Part, PathParent[]>();
  for (const [from, to] of Object.entries(relate)) {
    const refuse = (why: string): never => {
      throw new RangeError(`relate: ${JSON.stringify(`${from}=${to}`)}: ${why}`);
    };
    const { resource: parent } =
      collections.find(({ name }) => name === to) ??
      refuse(`there is no collection ${to}; there are ${collections.map(({ name }) => name).join(', ')}`);
    const [, path = '', name = ''] =
      /^(.*)#([^#]+)$/.exec(from) ?? refuse('it must be COLLECTION#MEMBER=COLLECTION');
    if (!parent.id) refuse(`the records of ${to} have no id that could be named`);
    const isParameter = path.includes(`{${name}}`);
    const form = isParameter ? formUpTo(path, name) : undefined;
    let isUsed = false;
    for (const part of parts) {
      for (const resource of part.contract.resources) {
        const wholePath = part.prefix + resource.path;
        const isMeant =
          form === undefined
            ? wholePath === path && memberShape(resource.shape, name) !== undefined
            : pathForm(wholePath).startsWith(form);
        if (!isMeant) continue;
        const key = form === undefined ? name : parameterAt(form, wholePath);
        related.set(resource, [...(related.get(resource) ?? []), { name: key, parent }]);
        isUsed = true;
      }
      if (form === undefined) continue;
      const isBelow = [...part.publicOperations.values()].some((publicOperation) =>
        pathForm(publicOperation.path).startsWith(form),
      );
      if (isBelow) parents.set(part, [...(parents.get(part) ?? []), { form, parent }]);
      isUsed ||= isBelow;
    }
    if (!isUsed)
      refuse(
        isParameter
          ? `no path of the documents begins with ${path}`
          : `${path} is no collection whose records have a member ${name}`,
      );
  }
  if (related.size === 0 && parents.size === 0) return parts;
  // These objects belong to this join, and keep their identity, by which others refer to them.
  for (const [resource, references] of related) Object.assign(resource, { related: references });
  return parts.map((part) => ({ ...part, parents: parents.get(part) ?? [] }));
}

/** The name of a path's parameter at the end of a form. */
export function parameterAt(form: string, path: string): string {
  const index = form.split('{}').length - 2;
  return pathParameters(path)[index] ?? '';
}

/** A document, and where it is served. */
export interface Placed {
  readonly contract: Contract;
  /** The path below which it is mounted: `/users`. Undefined: its servers decide. */
  readonly at: string | undefined;
}

/**
 * Unique names of documents: `users` for `services/users.yaml`, `users/openapi` for `services/users/openapi.yaml` if
 * several files have the same name, or the path of a mounted one.
 */
export function documentNames(documents: readonly Placed[]): readonly string[] {
  const paths = documents.map(({ contract, at }) => segmentsOf(at ?? contract.document.root.file.uri));
  const names = paths.map((segments) => {
    for (let length = 1; length < segments.length; length++) {
      const end = segments.slice(-length).join('/');
      if (paths.filter((other) => other.slice(-length).join('/') === end).length === 1) return end;
    }
    return segments.join('/');
  });
  return names.map((name, index) => {
    const earlier = names.slice(0, index).filter((other) => other === name).length;
    return earlier === 0 ? name : `${name}-${earlier + 1}`;
  });
}

function segmentsOf(location: string): readonly string[] {
  const path = URL.canParse(location) ? new URL(location).pathname : location;
  return path
    .replace(/\.(?:ya?ml|json)$/i, '')
    .split(/[/\\]/)
    .filter((segment) => !['', '.', '..'].includes(segment));
}
