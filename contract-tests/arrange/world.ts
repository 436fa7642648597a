import { type Operation, type Resource, sample } from '#spec';
import { jsonOf } from '../laws/answer.ts';
import { recordsOf } from '../laws/list.ts';
import { NotReached } from '../not-reached.ts';
import { successStatuses } from '../operation-role.ts';
import type { Trial } from '../trial.ts';
import { given } from './body.ts';
import { createRecord } from './create.ts';
import { unknownId } from './unknown-id.ts';

type Data = Record<string, unknown>;

/** What the run knows of the target's records, asked for once and kept. */
export interface World {
  /** Records that the list shows; none where there is no list. */
  records(trial: Trial, resource: Resource): Promise<readonly Data[]>;
  /** The id of a record that exists; one is created where the list is empty. */
  existingId(trial: Trial, resource: Resource): Promise<unknown>;
  /** The id of a record that the run has created, and that is never changed nor removed. */
  ownId(trial: Trial, resource: Resource): Promise<unknown>;
  /** Good values for the path parameters of an operation; those that the caller has are not looked for. */
  pathOf(trial: Trial, operation: Operation, known?: Data): Promise<Data>;
  /** Path parameters of the right form that most likely name nothing. */
  madeUpPath(operation: Operation): Data;
  /** Good values for the query parameters that an operation requires. */
  queryOf(trial: Trial, operation: Operation): Data;
}

export function createWorld(): World {
  const lists = new Map<Resource, Promise<Data[]>>();
  const own = new Map<Resource, Promise<unknown>>();
  const world: World = {
    records(trial, resource) {
      const known = lists.get(resource) ?? readList(trial, resource);
      lists.set(resource, known);
      // A list that could not be read is asked for again by the next case.
      known.catch(() => lists.delete(resource));
      return known;
    },
    async existingId(trial, resource) {
      const property = resource.id?.property;
      if (property === undefined) throw new NotReached('the document does not say which member is the id');
      const records = await world.records(trial, resource);
      const [id] = records.map((record) => record[property]).filter((value) => value !== undefined);
      if (id !== undefined) return id;
      // The same one each time: what stands below it must be looked for below it.
      return world.ownId(trial, resource);
    },
    ownId(trial, resource) {
      const known = own.get(resource) ?? sharedRecord(trial, resource);
      own.set(resource, known);
      known.catch(() => own.delete(resource));
      return known;
    },
    async pathOf(trial, operation, known = {}) {
      const values: Data = {};
      for (const { name, shape, in: place } of operation.parameters) {
        if (place !== 'path' || name in known) continue;
        const owner = trial.run.contract.resources.find(
          (one) => one.id?.parameter === name && ownsPath(one, operation),
        );
        values[name] =
          given(trial, name, shape) ??
          (owner
            ? await world.existingId(trial, owner)
            : sample(shape, { key: `${trial.run.settings.seed}/${name}` }));
      }
      return values;
    },
    madeUpPath: (operation) =>
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === 'path')
          .map(({ name, shape }) => [name, unknownId(shape, name)]),
      ),
    queryOf: (trial, operation) =>
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === 'query' && parameter.required)
          .map(({ name, shape }) => [
            name,
            given(trial, name, shape) ?? sample(shape, { key: `${trial.run.settings.seed}/${name}` }),
          ]),
      ),
  };
  return world;
}

async function sharedRecord(trial: Trial, resource: Resource): Promise<unknown> {
  const { id } = await createRecord(trial, resource);
  trial.run.ledger.share(id);
  return id;
}

/** A resource's id stands in the paths below its own: `/owners/{ownerId}` in `/owners/{ownerId}/dogs`. */
function ownsPath(resource: Resource, operation: Operation): boolean {
  return operation.path.startsWith(`${resource.path}/{${resource.id?.parameter}}`);
}

async function readList(trial: Trial, resource: Resource): Promise<Data[]> {
  const { list, actions } = resource;
  const operation = actions.list;
  if (!list || !operation) return [];
  const largest = list.pageSize?.shape.range.high?.value;
  const query = { ...trial.run.world.queryOf(trial, operation) };
  if (list.pageSize && largest !== undefined) query[list.pageSize.name] = largest;
  const path = await trial.run.world.pathOf(trial, operation);
  const answer = await trial.ask(operation, { path, query });
  const [success] = successStatuses(operation);
  if (answer.status !== success)
    throw new NotReached(`the list of ${resource.path} answers ${answer.status}`);
  return recordsOf(list, jsonOf(answer));
}
