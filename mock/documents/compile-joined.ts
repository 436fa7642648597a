import {
  type Contract,
  type Operation,
  type OutgoingOperation,
  once,
  pathForm,
  type Resource,
  stringifyJson,
  writeYaml,
} from '#spec';
import { documentFiles, type OwnFile } from '../control/document-files.ts';
import type { Endpoint } from '../engine/endpoint.ts';
import { type Find, withOwnPaths } from '../engine/engine.ts';
import { contractOf, locationOf } from '../given-document.ts';
import { onFirstCall } from '../http/memoize.ts';
import { createTokens } from '../http/tokens.ts';
import { compileAccountRoles } from '../records/account-roles.ts';
import type { RecordCollection } from '../records/collection.ts';
import type { ForeignParent } from '../records/item.ts';
import type { Role } from '../records/roles.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import {
  compileRedacting,
  compileService,
  compileShowing,
  fill,
  type Service,
  type ServiceOptions,
} from '../service.ts';
import type { Opened } from '../serving.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import {
  documentNames,
  type JoinedContract,
  joinContracts,
  type Part,
  type Placed,
  parameterAt,
  withWholePath,
} from './join-contracts.ts';

/**
 * Compiles each document on its own, and what they share: one router, one store, one set of keys.
 * @throws DocumentError if a seed file does not fit the documents
 */
export async function compileJoined(contract: Contract, options: ServiceOptions): Promise<Service> {
  const { parts, operations, byHostOnly } = contract as JoinedContract;
  const { parts: engine, seed, progress } = options;
  for (const one of byHostOnly) options.notice(one);
  const collections = new Map<Resource, RecordCollection>();
  const tokens = createTokens(seed);
  const services: Service[] = [];
  for (const part of parts) {
    const { name, prefix } = part;
    const service = await compileService(part.contract, {
      ...options,
      recordSources: [],
      seedCode: undefined,
      operations: codeOf(options.operations, part),
      // The contracts have their base paths already, or none.
      basePath: true,
      beside: {
        name,
        prefix,
        tokens,
        foreign: (resource) => collections.get(resource),
        nameOperation: (operation) => part.publicOperations.get(operation) ?? operation,
        foreignParents: (operation) => foreignParents(part, operation, collections),
      },
    });
    services.push(service);
    for (const [resource, collection] of service.collections) collections.set(resource, collection);
  }
  const all = [...collections.values()];
  const snapshots = once(() =>
    import('../records/snapshot/snapshot.ts').then(({ compileSnapshots }) => compileSnapshots(all)),
  );
  const [first] = services as [Service];
  const { seeded, settings } = await fill(options, {
    contract,
    collections: all,
    roles: NO_ROLES,
    seeds: first.seeds,
    snapshots,
    progress,
  });
  const endpoints = parts.map((part, index) =>
    (services[index] as Service).endpoints.map((endpoint) => ({
      ...endpoint,
      operation: part.publicOperations.get(endpoint.operation) as Operation,
    })),
  );
  const serviceAt = (path: string) => services[nearest(parts, path)] as Service;
  const leftOut = services.map((service) =>
    service.leftOut.map((endpoint) => ({ ...endpoint, operation: withWholePath(endpoint.operation) })),
  );
  const places = new Map<Endpoint, Operation>();
  const routed = services.map((service, index) => {
    const all = [...(endpoints[index] ?? []), ...(leftOut[index] ?? [])];
    const originals = [...service.endpoints, ...service.leftOut];
    for (const [at, endpoint] of all.entries()) places.set(endpoint, (originals[at] as Endpoint).operation);
    return all;
  });
  const files = joinedFiles(parts);
  const find = compileFind(parts, routed, (some) =>
    withOwnPaths(
      engine.route(onlyFirst(some), (endpoint) => places.get(endpoint) as Operation),
      files,
    ),
  );
  const redacting = compileRedacting(operations, options);
  const accountRoles = once(() => compileAccountRoles(operations, contract.resources));
  return {
    contract,
    seeds: first.seeds,
    documents: services.flatMap((service) => service.documents),
    basePath: '',
    collections,
    seeded,
    settings,
    endpoints: endpoints.flat(),
    leftOut: leftOut.flat(),
    find,
    refuse: (refusal, request, now) => serviceAt(request?.path ?? '').refuse(refusal, request, now),
    finish: first.finish,
    files,
    snapshots,
    webhooks: joinWebhooks(services.flatMap(({ webhooks }) => webhooks ?? [])),
    ...redacting,
    ...compileShowing(redacting, {
      contract,
      endpoints: [...endpoints.flat(), ...leftOut.flat()],
      accountRoles,
    }),
  };
}

/** The callbacks and webhooks of all documents, each compiled from its own operations. */
function joinWebhooks(all: readonly Webhooks[]): Webhooks | undefined {
  const [first] = all;
  if (!first) return undefined;
  const ownerOf = (outgoing: OutgoingOperation) =>
    all.find((one) => one.outgoing.includes(outgoing)) ?? first;
  return {
    performed: () => undefined,
    watch(session) {
      for (const one of all) one.watch(session);
    },
    outgoing: all.flatMap((one) => one.outgoing),
    send: (session, outgoing, content) => ownerOf(outgoing).send(session, outgoing, content),
    show: first.show,
  };
}

/** Only one document may learn from recorded traffic. */
const NO_ROLES: ReadonlyMap<Operation, Role> = new Map();

/** The user's code for the operations of one document, by their public names. */
function codeOf(
  code: ServiceOptions['operations'],
  { publicOperations }: Part,
): ServiceOptions['operations'] {
  return Object.fromEntries(
    [...publicOperations.values()].flatMap(({ id, method, path }) => {
      const name = [id, `${method} ${path}`].find((one) => Object.hasOwn(code, one));
      const operationCode = name === undefined ? undefined : code[name];
      return operationCode ? [[id, operationCode]] : [];
    }),
  );
}

function foreignParents(
  { parents, publicOperations }: Part,
  operation: Operation,
  collections: ReadonlyMap<Resource, RecordCollection>,
): ForeignParent[] {
  const { path } = publicOperations.get(operation) ?? operation;
  return parents.flatMap(({ form, parent }) => {
    const collection = pathForm(path).startsWith(form) ? collections.get(parent) : undefined;
    return collection ? [{ collection, parameter: parameterAt(form, path) }] : [];
  });
}

/** A host that documents name serves their operations, and those for any host; all other hosts serve everything. */
function compileFind(
  parts: readonly Part[],
  endpoints: readonly (readonly Endpoint[])[],
  route: (endpoints: readonly Endpoint[]) => Find,
): Find {
  const routerOf = (isMeant: (part: Part) => boolean) =>
    route(parts.flatMap((part, index) => (isMeant(part) ? (endpoints[index] as Endpoint[]) : [])));
  const findAny = routerOf(() => true);
  const hosts = new Set(parts.flatMap(({ host }) => host ?? []));
  const byHost = new Map(
    [...hosts].map((host) => [
      host,
      onFirstCall(() => routerOf((part) => part.host === undefined || part.host === host)),
    ]),
  );
  return (path, request) => {
    const host = String(request.headers.host ?? '').toLowerCase();
    // The name may refer to the mock's own port; on this machine every name stands for all documents.
    const find = byHost.get(host) ?? byHost.get(host.replace(/:\d+$/, '')) ?? findAny;
    return find(path, request);
  };
}

function onlyFirst(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const keys = new Set<string>();
  return endpoints.filter(({ operation: { method, path } }) => {
    const key = `${method} ${pathForm(path)}`;
    return !keys.has(key) && keys.add(key);
  });
}

/** The document whose base path shares the longest prefix with a path; else the first. */
function nearest(parts: readonly Part[], path: string): number {
  const lengths = parts.map(({ basePath }) => (`${path}/`.startsWith(`${basePath}/`) ? basePath.length : -1));
  return Math.max(0, lengths.indexOf(Math.max(...lengths)));
}

/**
 * The documents: `/openapi/NAME.yaml` for each, and `/openapi.yaml` below a base path with a single document. At the root,
 * the latter is an index. Also as JSON.
 */
function joinedFiles(parts: readonly Part[]): ReadonlyMap<string, OwnFile> {
  const files = new Map<string, OwnFile>();
  const ends = ['yaml', 'json'] as const;
  for (const { contract, basePath, name } of parts) {
    const partFiles = documentFiles(contract);
    const isAlone = basePath !== '' && parts.filter((part) => part.basePath === basePath).length === 1;
    for (const end of ends) {
      const file = partFiles.get(`/openapi.${end}`) as OwnFile;
      files.set(`/openapi/${name}.${end}`, file);
      if (isAlone) files.set(`${basePath}/openapi.${end}`, file);
    }
  }
  const index = {
    documents: parts.map(({ name, contract: { title, version }, basePath, host }) => ({
      name,
      title,
      version,
      basePath,
      ...(host !== undefined && { host }),
      yaml: `/openapi/${name}.yaml`,
      json: `/openapi/${name}.json`,
    })),
  };
  files.set('/openapi.yaml', () => ({ status: 200, type: 'application/yaml', body: writeYaml(index) }));
  files.set('/openapi.json', () => ({
    status: 200,
    type: 'application/json',
    body: stringifyJson(index, 2),
  }));
  return files;
}

/** Loads documents that are served together. @throws DocumentError, RangeError */
export async function openDocuments(options: ResolvedOptions): Promise<Opened> {
  const { documents, overlays, recorded, upstream, watch, notice } = options;
  if (overlays.length > 0) throw new RangeError('overlays: they are for one document, and there are several');
  if (upstream) throw new RangeError('upstream: a real service has one document, and there are several');
  if (recorded) throw new RangeError('recorded: traffic is of one document, and there are several');
  const entries = documents.map((document) =>
    typeof document === 'object' && 'at' in document ? document : { document: document, at: undefined },
  );
  const opened = await Promise.all(
    entries.map(async ({ document, at }) => {
      const location = locationOf(document);
      if (watch && location === undefined)
        throw new RangeError('To be watched, documents must be given by their paths');
      return { location, contract: await contractOf(document, options), at };
    }),
  );
  let placed: readonly Placed[] = opened;
  return {
    contract: joinContracts(placed, options),
    compile: compileJoined,
    async follow(serving) {
      const { watchDocument } = await import('../sessions/watch/watch-document.ts');
      const names = documentNames(placed);
      let changing: Promise<unknown> = Promise.resolve();
      const watches = opened.map(({ location = '' }, index) =>
        watchDocument(
          location,
          {
            service: () => placed[index] as Placed,
            refuseDocument: (problems) => serving.refuseDocument(problems),
            /** Changes run one after the other, since each needs the latest version of all documents. */
            changeDocument(contract) {
              const change = async () => {
                const next = placed.map((one, at) => (at === index ? { ...one, contract } : one));
                await serving.changeDocument(joinContracts(next, options));
                placed = next;
              };
              const done = changing.then(change);
              changing = done.catch(() => {});
              return done;
            },
          },
          { ...options, notice: (text) => notice(`${names[index]}: ${text}`) },
        ),
      );
      return {
        close: () => {
          for (const fileWatch of watches) fileWatch.close();
        },
      };
    },
  };
}
