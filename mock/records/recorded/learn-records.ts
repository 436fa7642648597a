import { basePathsOf, compileRequestReader, compileRoutes, type Data, type Operation } from '#spec';
import { onFirstCall } from '../../http/memoize.ts';
import type { Collection, Condition, Contents, Id } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { compileItemAddress } from '../item.ts';
import { compileRelations } from '../relations.ts';
import type { SourceContext } from '../snapshot/initial-records.ts';
import { compileObserver, type Moment } from './observed-records.ts';
import {
  createMisfits,
  type RecordedSummary,
  type RecordedTraffic,
  type Recording,
} from './recorded-traffic.ts';
import { createRecordsSoFar, type RecordsSoFar } from './records-so-far.ts';

type LearnContext = Pick<SourceContext, 'contract' | 'collections' | 'roles' | 'seeds' | 'progress'>;

export interface Learned {
  readonly contents: ReadonlyMap<Collection, Contents>;
  readonly summary: RecordedSummary;
}

const REPORT_EVERY = 100_000;

/**
 * The records in recorded traffic: of two exchanges with the same record the later one counts, and removed records are
 * absent. A collection in the traffic has no other records.
 */
export async function learnRecords(recording: Recording, context: LearnContext): Promise<Learned> {
  const { collections, progress } = context;
  const misfits = createMisfits();
  const soFar = new Map<string, RecordsSoFar>();
  const recordsOf = (collection: RecordCollection): RecordsSoFar => {
    const main = collections.find(({ name }) => name === collection.name) as RecordCollection;
    const records = soFar.get(main.name) ?? createRecordsSoFar(main, misfits.note);
    soFar.set(main.name, records);
    return records;
  };
  const find = compileFind(context);
  const parents = createParents(context);
  const relationsOf = compileRelations(
    new Map(collections.map((collection) => [collection.resource, collection])),
  );
  let exchanges = 0;
  let used = 0;

  function learn(traffic: RecordedTraffic): void {
    const { position, request, response, startedAt, ms = 0 } = traffic;
    const match = find(request.method, request.url.pathname);
    if (!match) {
      if (request.method !== 'OPTIONS')
        misfits.note('unknown path', position, `${request.method} ${shortened(request.url.pathname)}`);
      return;
    }
    if (!response) return;
    const { operation, observe, path } = match;
    const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    const values = match.read({ path, query: request.url.search.slice(1), headers, body: request.body });
    const { status, body, bodyMissing } = response;
    const location = response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
    const observed = observe?.({
      values,
      status,
      body,
      bodyMissing,
      contentType: headers['content-type'] ?? '',
      query: request.url.searchParams,
      located: location === undefined ? undefined : locate(location, request.url),
    });
    const place = `${position}: ${operation.method} ${operation.path}`;
    if (typeof observed === 'string') misfits.note(observed, place);
    if (observed === undefined || typeof observed === 'string') return;
    const { inOrder = false, gone } = observed;
    // No record of the collection was shown before.
    if (gone && status >= 400 && !soFar.has(observed.collection.name)) return;
    used++;
    // An exchange that began before the end of a removal may still show the record.
    const isRemoval = gone !== undefined && status < 400;
    const moment = { place, at: startedAt !== undefined && isRemoval ? startedAt + ms : startedAt };
    const records = recordsOf(observed.collection);
    if (inOrder) records.forget(observed.records[0]?.seen ?? []);
    for (const record of observed.records) records.put(record, moment, inOrder);
    if (gone) records.remove(gone.id, gone.seen, moment);
    if (isRemoval && gone.id !== undefined) removeBelow(observed.collection, gone.id, moment);
    if (!gone) parents.add(operation, values.parameters.path);
  }

  function removeBelow(above: Pick<RecordCollection, 'name'>, id: Id, moment: Moment): void {
    for (const { collection, where } of relationsOf(above).owned) {
      const below = soFar.get(collection.name)?.removeBelow(where(id), moment) ?? [];
      for (const one of below) removeBelow(collection, one, moment);
    }
  }

  function locate(location: string, base: URL): Id | undefined {
    const { pathname } = URL.parse(location, base.href) ?? {};
    const match = pathname === undefined ? undefined : find('GET', pathname);
    if (!match?.addressOf) return undefined;
    return match.addressOf(match.read({ path: match.path, query: '', headers: {}, body: undefined })).id;
  }

  for await (const traffic of recording()) {
    if ('problem' in traffic) continue;
    learn(traffic);
    if (++exchanges % REPORT_EVERY === 0)
      progress(`${exchanges.toLocaleString('en')} recorded exchanges read`);
  }
  const madeUp = parents.suppose(recordsOf);
  const learned = collections.flatMap((collection) => {
    const records = soFar.get(collection.name);
    return records ? [{ collection, records }] : [];
  });
  return {
    contents: new Map(learned.map(({ collection, records }) => [collection, records.contents()])),
    summary: {
      exchanges,
      used,
      collections: learned.map(({ collection: { name }, records: { size } }) => {
        return { path: name, records: size, madeUp: madeUp.get(name) ?? 0 };
      }),
      misfits: misfits.counts(),
    },
  };
}

/** Compiles finding the operation of a recorded path, with any server's base path or without one. */
function compileFind({ contract, roles }: LearnContext) {
  const { operations, validators } = contract;
  const endpoints = operations.map((operation) => {
    const role = roles.get(operation);
    return {
      operation,
      read: onFirstCall(() => compileRequestReader(operation, validators)),
      observe: role && onFirstCall(() => compileObserver(operation, role)),
      addressOf: role?.action === 'read' ? compileItemAddress(role.collection) : undefined,
    };
  });
  const route = compileRoutes(endpoints, ({ operation: { path, basePaths, servers } }) => ({
    path,
    basePaths: [...basePaths, ...basePathsOf(servers), ''],
  }));
  return (method: string, pathname: string) => {
    const match = route(pathname, method);
    const endpoint = match?.methods.get(method);
    return match && endpoint && { ...endpoint, path: match.path };
  };
}

/** Collects records that must have existed, since a path below them responded. */
function createParents({ collections, seeds }: LearnContext) {
  const named = new Map<RecordCollection, Map<string, { id: Id; scope: readonly Condition[] }>>();
  const above = collections.filter(({ resource }) => resource.actions.read && resource.id?.parameter);
  const addresses = new Map(above.map((collection) => [collection, compileItemAddress(collection)]));
  return {
    add({ path }: Operation, parameters: Readonly<Record<string, unknown>>) {
      for (const [collection, addressOf] of addresses) {
        const { resource } = collection;
        if (!addressOf || !path.startsWith(`${resource.path}/{${resource.id?.parameter}}/`)) continue;
        const { id, scope } = addressOf({ parameters: { path: parameters } } as Parameters<
          typeof addressOf
        >[0]);
        const parentsById = named.get(collection) ?? new Map();
        named.set(collection, parentsById.set(String(id), { id, scope }));
      }
    },
    /** Makes up those that no exchange shows, and returns their number by collection name. */
    suppose(recordsOf: (collection: RecordCollection) => RecordsSoFar): ReadonlyMap<string, number> {
      const counts = new Map<string, number>();
      for (const [collection, parentsById] of named) {
        const records = recordsOf(collection);
        for (const { id, scope } of parentsById.values()) {
          const members = seeds.record(collection.resource, id) as Data;
          if (records.suppose(id, scope, members ?? {}))
            counts.set(collection.name, (counts.get(collection.name) ?? 0) + 1);
        }
      }
      return counts;
    },
  };
}

const LONGEST_PATH = 100;

function shortened(path: string): string {
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}...` : path;
}
