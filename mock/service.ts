import type { Contract, Resource } from '#spec';
import { compileCollections, type RecordCollection } from './answer/collection.ts';
import { compileEndpoint, type Endpoint } from './answer/endpoint.ts';
import type { Answer, Reply } from './answer/exchange.ts';
import type { Refusal } from './answer/refusal.ts';
import type { Found } from './answer/route.ts';
import { controlPages } from './control/pages.ts';
import { compileShowEntry, type ShowEntry } from './control/requests.ts';
import type { ResolvedOptions } from './options.ts';
import { createEdgeCases } from './seed/edge-cases.ts';
import { createFake } from './seed/fake.ts';
import { withProgress } from './seed/large.ts';
import { createSeedValues } from './seed/values.ts';
import { compileHide, compileRedaction } from './server/log-entry.ts';
import { seedFrom } from './snapshot/fixtures.ts';
import { compileReadLargeState } from './snapshot/read-large-state.ts';
import { compileReadSnapshot } from './snapshot/read-snapshot.ts';
import { compileTakeSnapshot, type ReadSnapshot, type TakeSnapshot } from './snapshot/snapshot.ts';
import type { Collection } from './store/port.ts';

/** All that follows from a document, compiled. When the document changes, another one takes its place. */
export interface Service {
  readonly contract: Contract;
  readonly basePath: string;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  /** The same collections with what seed files put into them. */
  readonly seeded: readonly Collection[];
  readonly endpoints: readonly Endpoint[];
  readonly find: (path: string) => Found<Endpoint> | undefined;
  /** Refuses what means no operation. */
  readonly refuse: (refusal: Refusal) => Answer;
  readonly finish: (answer: Answer) => Reply;
  readonly pages: ReadonlyMap<string, () => Answer>;
  readonly readSnapshot: ReadSnapshot;
  readonly takeSnapshot: TakeSnapshot;
  readonly showEntry: ShowEntry;
  readonly redact: (target: string) => string;
}

/** @throws DocumentError when a seed file does not fit the document. */
export async function compileService(contract: Contract, options: ResolvedOptions): Promise<Service> {
  const { parts, apiKeys: keys, seed, count, fixtures, progress } = options;
  const { operations, resources, validators } = contract;
  const hide = compileHide(keys, options.adminToken);
  const basePath = options.basePath ? contract.basePath : '';
  const seeds = createSeedValues(seed, createFake(validators), createEdgeCases(validators));
  const collections = compileCollections(resources, validators, seeds, count);
  const recordCollections = [...collections.values()];
  const readSnapshot = compileReadSnapshot(recordCollections, validators);
  const readers = {
    readSnapshot,
    readLargeState: compileReadLargeState(recordCollections, validators, progress),
  };
  const world = { contract, parts, keys, basePath, seeds, collections };
  const endpoints = operations.map((operation) => compileEndpoint(operation, world));
  return {
    contract,
    basePath,
    collections,
    seeded: withProgress(await seedFrom(fixtures, recordCollections, readers), progress),
    endpoints,
    find: parts.route(basePath, endpoints),
    refuse: parts.refuse(undefined, contract),
    finish: parts.reply(undefined, contract, basePath),
    pages: controlPages(contract, basePath),
    readSnapshot,
    takeSnapshot: compileTakeSnapshot(recordCollections),
    showEntry: compileShowEntry(operations, hide),
    redact: compileRedaction(operations, hide),
  };
}
