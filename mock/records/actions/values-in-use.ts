import {
  answerShape,
  isRecord,
  memberShape,
  namesSeveral,
  parseJson,
  recordName,
  type Shape,
  sentType,
  shapeAt,
  stringifyJson,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import { memoize } from '../../http/memoize.ts';
import { successForm } from '../../http/representations.ts';
import type { Page } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Act, ActionContext } from './action.ts';
import { withValueAt } from './show.ts';

/** What a list of texts shows: the values of a member that records have. */
interface Used {
  readonly collection: RecordCollection;
  readonly property: string;
}

/**
 * Compiles a list of texts that has the name of what records hold, `/tags` of `tagList` or `/products/categories` of
 * `category`: the values that are in use, those of most records first. Undefined: it has no such name.
 */
export function compileValuesInUse(context: Omit<ActionContext, 'collection'>): Act | undefined {
  const { operation, contract, seeds } = context;
  const answer = answerShape(operation);
  const path = answer && placeOfTexts(answer);
  if (operation.method !== 'GET' || operation.path.includes('{') || !answer || !path) return undefined;
  // `/tags/popular` lists tags, too.
  const named = operation.path.split('/').slice(1).reverse().slice(0, 2).map(recordName);
  const used = named.map((name) => usedAs(name, operation.path, context)).find((one) => one !== undefined);
  if (!used) return undefined;
  const { collection, property } = used;
  const { status, media } = successForm(operation);
  const type = media && sentType(media);
  const most = shapeAt(answer, path)?.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
  const around = () => seeds.answer(answer, operation.id);
  const fits = (body: unknown) =>
    answer.parts.every((part) => contract.validators.compile(part, 'response')(body).length === 0);
  // A store returns the same page until the next write.
  const bodyOf = memoize(({ text }: Page) => {
    const values = valuesIn(parseJson(text) as Record<string, unknown>[], property).slice(0, most);
    const body = withValueAt(path.length === 0 ? undefined : around(), path, () => values);
    return { text: stringifyJson(fits(body) ? body : around()) };
  });
  const all = { where: [], offset: 0, limit: Number.POSITIVE_INFINITY };
  return ({ store }) =>
    andThen(store.list(collection, all), (page) => ({ status, type, body: bodyOf(page).text }));
}

/** The response itself, or its only member that is a list. */
function placeOfTexts(answer: Shape): string[] | undefined {
  const isTexts = ({ items }: Shape) => items?.mainType === 'string';
  if (answer.mainType === 'array') return isTexts(answer) ? [] : undefined;
  const [list, ...more] = [...answer.properties].filter(([, { mainType }]) => mainType === 'array');
  return list && more.length === 0 && isTexts(list[1]) ? [list[0]] : undefined;
}

/** The nearest collection whose records have such a member: one above in the path, else the first. */
function usedAs(
  name: string,
  path: string,
  { collections }: Pick<ActionContext, 'collections'>,
): Used | undefined {
  const found = [...collections.values()].flatMap((collection): Used[] => {
    const { shape, id, parents } = collection.resource;
    if (parents.length > 0) return [];
    const property = [...shape.properties.keys()].find((one) => {
      const member = memberShape(shape, one);
      const isText = [member, member?.items].some((text) => text?.mainType === 'string' && !text.writeOnly);
      return one !== id?.property && isText && namesSeveral(one, name);
    });
    return property === undefined ? [] : [{ collection, property }];
  });
  return found.find(({ collection }) => path.startsWith(`${collection.resource.path}/`)) ?? found[0];
}

function valuesIn(records: readonly Readonly<Record<string, unknown>>[], property: string): unknown[] {
  const counts = new Map<unknown, number>();
  for (const value of records.filter(isRecord).flatMap((record) => record[property]))
    if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value);
}
