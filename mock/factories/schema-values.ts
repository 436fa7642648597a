import {
  answerShape,
  arrayShape,
  type Contract,
  type Data,
  type Direction,
  familiesOf,
  isRecord,
  lastSegment,
  type Operation,
  oncePer,
  parseJson,
  type Resource,
  recordPath,
  type Shape,
  sameRecord,
  schemaKey,
  sentShape,
  shapeAt,
} from '#spec';
import { PICTURES_PATH, STORED_PICTURES } from '../pictures/picture.ts';
import { compileCollections, isStored, type RecordCollection } from '../records/collection.ts';
import { compileRelations } from '../records/relations.ts';
import { createSeedExamples } from '../records/seed/examples.ts';
import { compileSeedKin, type Named } from '../records/seed/kin.ts';
import { createSeededMembers } from '../records/seed/seeded-members.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { compileSeedValues } from '../service.ts';
import { openMemoryStore } from '../store/memory.ts';
import { filled, shownIn } from './members.ts';

/** The members of a value: the required ones, those that the server shows, or all. */
export type Extent = 'minimal' | 'usual' | 'full';

export interface Wanted {
  readonly name: string;
  readonly shape: Shape;
  readonly direction: Direction;
  readonly extent: Extent;
}

/** Values of schemas under one seed. */
export interface SchemaValues {
  /** The n-th value of a schema: for a record the n-th that the server would show. @throws RangeError beyond the last */
  value(wanted: Wanted, ordinal: number): unknown;
  /** The n-th value of one form of a schema, independent of records. */
  sampled(wanted: Wanted, form: Shape, ordinal: number): unknown;
}

/** The base URL of pictures for clients that reach the mock without a socket. */
export const PICTURES = `http://localhost${PICTURES_PATH}`;

/** Compiles the initial records of a document, like those of a mock with the same options. */
export function compileSchemaValues(contract: Contract, options: ResolvedOptions): SchemaValues {
  const { resources, operations } = contract;
  const { count } = options;
  const seeds = compileSeedValues(contract, options);
  const examplesOf = createSeedExamples(contract);
  const collections = compileCollections(resources, seeds, count, examplesOf, operations);
  const store = openMemoryStore([...new Set(collections.values())].filter(isStored));
  const relationsOf = compileRelations(collections);
  const families = familiesOf(resources);
  const idMakers = new Map([...collections].map(([resource, { seedId }]) => [resource, seedId]));
  const membersOf = createSeededMembers(examplesOf, idMakers, seeds);
  const kinContext = { idMakers, values: seeds, membersOf, count };

  const recordsOf = oncePer((collection: RecordCollection) => {
    const contents = store.contents(collection);
    // The in-memory store responds synchronously.
    return contents instanceof Promise ? [] : contents.entries;
  });

  /** The n-th record as reads show it, and with all members. */
  function recordAt(resource: Resource, ordinal: number): { usual: Data; full: () => unknown } {
    const collection = collections.get(resource) as RecordCollection;
    const entries = recordsOf(collection);
    const entry = entries[ordinal - 1];
    if (!entry)
      throw new RangeError(
        `there are ${entries.length} records of ${collection.name}: the option count of createFactories says how many`,
      );
    const stored = collection.resource;
    const record = parseJson(entry.text.replaceAll(STORED_PICTURES, PICTURES)) as Data;
    const embedded = relationsOf(collection).embedIn(stored.shape)?.(store, record) ?? record;
    const full = () => {
      const { path, shape } = stored;
      const made = seeds.called(lastSegment(path) ?? '', shape, 'response', true, path, entry.id);
      const family = families.get(stored);
      return isRecord(made) && family ? compileSeedKin(stored, family, kinContext)(entry.id, made) : made;
    };
    return { usual: embedded instanceof Promise ? record : embedded, full };
  }

  const byKey = new Map(resources.toReversed().map((resource) => [schemaKey(resource.shape), resource]));
  const recordOf = (shape: Shape) => byKey.get(schemaKey(shape) ?? shape);

  const views = new Map(
    resources
      .toReversed()
      .flatMap((resource) => viewsOf(resource).map((shape) => [schemaKey(shape), resource] as const)),
  );
  const viewOf = (shape: Shape) => views.get(schemaKey(shape) ?? shape);

  function sampled({ name, shape, direction, extent }: Wanted, form: Shape, ordinal: number): unknown {
    const view = viewOf(shape) ?? recordOf(shape);
    const called = (view && lastSegment(view.path)) ?? name;
    const made = seeds.called(called, form, direction, extent === 'full', 'schemas', name, ordinal);
    if (!isRecord(made)) return made;
    const named: Named = { path: `#/${name}`, shape: form, id: undefined };
    const family = { kin: view ? (families.get(view)?.kin ?? []) : [] };
    return compileSeedKin(named, family, kinContext)(ordinal, made);
  }

  function listed(wanted: Wanted, items: Shape, ordinal: number): unknown[] {
    const { length } = [sampled(wanted, wanted.shape, ordinal)].flat();
    const first = (ordinal - 1) * length;
    return Array.from({ length }, (_, index) => nth({ ...wanted, shape: items }, first + index + 1));
  }

  function recordOfExtent(resource: Resource, ordinal: number, extent: Extent): Data {
    const { usual, full } = recordAt(resource, ordinal);
    return extent === 'full' ? (filled(resource.shape, usual, full()) as Data) : usual;
  }

  function nth(wanted: Wanted, ordinal: number): unknown {
    const { shape, direction, extent } = wanted;
    const resource = recordOf(shape);
    if (resource) return recordOfExtent(resource, ordinal, extent);
    const view = viewOf(shape);
    if (view) {
      // A record's members in requests and responses equal those of the record.
      const members = shownIn(shape, recordOfExtent(view, ordinal, extent), direction);
      return filled(shape, members, sampled(wanted, shape, ordinal));
    }
    const items = shape.mainType === 'array' ? shape.items : undefined;
    return items ? listed(wanted, items, ordinal) : sampled(wanted, shape, ordinal);
  }

  return { value: nth, sampled };
}

/** The schemas in which operations send and show a resource's records, beside the records' own. */
function viewsOf(resource: Resource): Shape[] {
  const { actions, further, list, shape } = resource;
  const all: Operation[] = [...Object.values(actions), ...further.map(({ operation }) => operation)];
  return all.flatMap((operation) => {
    const answer = answerShape(operation);
    const items = list && arrayShape(list, answer)?.items;
    const sent = sentShape(resource, operation);
    const recordShape = shapeAt(answer, recordPath(resource, operation));
    return [sent, recordShape, items].flatMap((one) =>
      one && schemaKey(one) !== undefined && schemaKey(one) !== schemaKey(shape) && sameRecord(one, shape)
        ? [one]
        : [],
    );
  });
}
