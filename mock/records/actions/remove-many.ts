import {
  bodyShape,
  isRecord,
  namesIdOf,
  type Operation,
  type Parameter,
  parseJson,
  pathParameters,
  recordName,
  singularName,
} from '#spec';
import { successForm } from '../../http/representations.ts';
import type { Entry, Id, Scalar } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { removeRecords } from '../links.ts';
import type { Act, ActionContext } from './action.ts';
import { sampleBody } from './sample.ts';

type Data = Readonly<Record<string, unknown>>;

/** Which records a request means; undefined: it does not say. */
type Selection = (record: Data, id: Id) => boolean;

/**
 * Removes the records whose ids the query or the body has, or that its filters select; all of them where nothing can be
 * selected, or a flag says so. Undefined: a parameter may select in a way that nothing tells.
 */
export function compileRemoveMany(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const { scopeFrom, resource, keys, idFrom } = collection;
  if (scopeFrom({}).length < pathParameters(operation.path).length) return undefined;
  const told = selectors(operation, resource);
  if (!told) return undefined;
  const { status } = successForm(operation);
  const sampled = sampleBody(context);
  return async ({ values, store }) => {
    const given = { ...(isRecord(values.body) && values.body), ...values.parameters.query };
    const listed = Array.isArray(values.body) ? values.body : told.ids.flatMap((name) => given[name] ?? []);
    const idOf = (one: unknown) => (isRecord(one) ? one[resource.id?.property ?? 'id'] : one);
    const ids = new Set(listed.flatMap(idsIn).map((one) => String(idFrom(idOf(one)))));
    const filters = told.filters.filter(({ name }) => given[name] !== undefined);
    const selects = told.ids.length + told.filters.length > 0 || Array.isArray(values.body);
    const isAll = !selects || told.flags.some((name) => given[name] === true);
    const isMeant: Selection = (record, id) =>
      isAll ||
      ids.has(String(id)) ||
      (filters.length > 0 && filters.every(({ name, property }) => isOneOf(record[property], given[name])));
    const scope = scopeFrom(values.parameters.path);
    const isBelow = ({ keys: own }: Entry) =>
      scope.every(({ key, anyOf }) => anyOf.includes(own[keys.indexOf(key)] as Scalar));
    const { entries } = await store.contents(collection);
    const meant = entries.filter(
      (entry) => isBelow(entry) && isMeant(parseJson(entry.text) as Data, entry.id),
    );
    await removeRecords(
      store,
      collection,
      meant.map(({ id }) => id),
      scope,
    );
    const { type, body } = sampled();
    return { status, type, body };
  };
}

interface Selectors {
  /** Names of what holds ids. */
  readonly ids: readonly string[];
  readonly filters: readonly { readonly name: string; readonly property: string }[];
  /** Names of what asks for all. */
  readonly flags: readonly string[];
}

const ALL = /^(?:delete_?|remove_?)?all$/i;

function selectors(operation: Operation, resource: RecordCollection['resource']): Selectors | undefined {
  const { shape, id } = resource;
  const inQuery = operation.parameters.filter(({ in: place }) => place === 'query');
  const body = bodyShape(operation);
  const named = [
    ...inQuery.map(({ name, shape: one }): Pick<Parameter, 'name' | 'shape'> => ({ name, shape: one })),
    ...[...(body?.properties ?? [])].map(([name, one]) => ({ name, shape: one })),
  ];
  const noun = recordName(resource.path);
  const own = ['id', id?.property ?? 'id', id?.parameter ?? 'id'].map(singularName);
  const isOfIds = (name: string) => own.includes(singularName(name)) || namesIdOf(name, noun);
  const ids = named.map(({ name }) => name).filter(isOfIds);
  const others = named.filter(({ name }) => !ids.includes(name));
  const flags = others.filter((one) => one.shape.mainType === 'boolean' && !shape.properties.has(one.name));
  const filters = others.filter(({ name }) => shape.properties.has(name) && name !== id?.property);
  if (flags.length + filters.length < others.length) return undefined;
  return {
    ids,
    flags: flags.map(({ name }) => name).filter((name) => ALL.test(name)),
    filters: filters.map(({ name }) => ({ name, property: name })),
  };
}

/** A list may be one text: `1,2`. */
const idsIn = (value: unknown): unknown[] => (typeof value === 'string' ? value.split(',') : [value].flat());

const isOneOf = (value: unknown, given: unknown) => [given].flat().map(String).includes(String(value));
