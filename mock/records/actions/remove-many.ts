import {
  bodyShape,
  foldedName,
  isRecord,
  namesIdOf,
  parseJson,
  pathParameters,
  recordName,
  singularName,
} from '#spec';
import { successForm } from '../../http/representations.ts';
import type { Entry, Scalar } from '../../store/port.ts';
import { removeRecords } from '../links.ts';
import type { Act, ActionContext } from './action.ts';
import { sampleBody } from './sample.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * Removes the records whose ids the query or the body has, or that its members select; all of them where nothing can select,
 * or a flag says `all`. Undefined: a parameter may select in a way that nothing tells.
 */
export function compileRemoveMany(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const { scopeFrom, resource, keys, idFrom } = collection;
  const { shape, id: identity, path } = resource;
  if (scopeFrom({}).length < pathParameters(operation.path).length) return undefined;
  const inQuery = operation.parameters.filter(({ in: place }) => place === 'query');
  const named = [...inQuery.map(({ name }) => name), ...(bodyShape(operation)?.properties.keys() ?? [])];
  const own = ['id', identity?.property ?? 'id', identity?.parameter ?? 'id'].map(singularName);
  const isOfIds = (name: string) => own.includes(singularName(name)) || namesIdOf(name, recordName(path));
  const [ids, others] = [named.filter(isOfIds), named.filter((name) => !isOfIds(name))];
  const filters = others.filter((name) => shape.properties.has(name));
  if (others.some((name) => foldedName(name) !== 'all' && !filters.includes(name))) return undefined;
  const { status } = successForm(operation);
  const sampled = sampleBody(context);
  return async ({ values, store }) => {
    const given = { ...(isRecord(values.body) && values.body), ...values.parameters.query };
    const listed = Array.isArray(values.body) ? values.body : ids.flatMap((name) => given[name] ?? []);
    const idOf = (one: unknown) => (isRecord(one) ? one[identity?.property ?? 'id'] : one);
    const wanted = new Set(listed.flatMap(idsIn).map((one) => String(idFrom(idOf(one)))));
    const asked = filters.filter((name) => given[name] !== undefined);
    const selects = ids.length + filters.length > 0 || Array.isArray(values.body);
    const isAll = !selects || others.some((name) => !filters.includes(name) && given[name] === true);
    const scope = scopeFrom(values.parameters.path);
    const isBelow = ({ keys: all }: Entry) =>
      scope.every(({ key, anyOf }) => anyOf.includes(all[keys.indexOf(key)] as Scalar));
    const isMeant = ({ id, text }: Entry) => {
      const record = parseJson(text) as Data;
      const isAsked = asked.length > 0 && asked.every((name) => isOneOf(record[name], given[name]));
      return isAll || wanted.has(String(id)) || isAsked;
    };
    const { entries } = await store.contents(collection);
    const meant = entries.filter((entry) => isBelow(entry) && isMeant(entry)).map(({ id }) => id);
    await removeRecords(store, collection, meant, scope);
    return { status, ...sampled() };
  };
}

/** A list may be one text: `1,2`. */
const idsIn = (value: unknown): unknown[] => (typeof value === 'string' ? value.split(',') : [value].flat());

const isOneOf = (value: unknown, given: unknown) => [given].flat().map(String).includes(String(value));
