import {
  answerShape,
  isRecord,
  parseJson,
  sentType,
  shapeAt,
  stringifyJson,
  textsIn,
  valuesInUse,
  withValueAt,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import { memoize } from '../../http/memoize.ts';
import { successForm } from '../../http/representations.ts';
import type { Page } from '../../store/port.ts';
import { compileFits } from '../forms.ts';
import type { Act, ActionContext } from './action.ts';

/**
 * Compiles a list of texts that has the name of what records hold, `/tags` of `tagList` or `/products/categories` of
 * `category`: the values that are in use, those of most records first. Undefined: it has no such name.
 */
export function compileValuesInUse(context: Omit<ActionContext, 'collection'>): Act | undefined {
  const { operation, contract, collections, seeds } = context;
  const answer = answerShape(operation);
  const path = answer && textsIn(answer);
  const { of, property } = (path && valuesInUse(operation, contract.resources)) ?? {};
  const collection = of && collections.get(of);
  if (!answer || !path || !collection || property === undefined) return undefined;
  const { status, media } = successForm(operation);
  const type = media && sentType(media);
  const most = shapeAt(answer, path)?.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
  const around = () => seeds.answer(answer, operation.id);
  const fits = compileFits(contract);
  // A store returns the same page until the next write.
  const bodyOf = memoize(({ text }: Page) => {
    const values = valuesIn(parseJson(text) as Record<string, unknown>[], property).slice(0, most);
    const body = withValueAt(path.length === 0 ? undefined : around(), path, () => values);
    return { text: stringifyJson(fits(answer, body) ? body : around()) };
  });
  const all = { where: [], offset: 0, limit: Number.POSITIVE_INFINITY };
  return ({ store }) =>
    andThen(store.list(collection, all), (page) => ({ status, type, body: bodyOf(page).text }));
}

function valuesIn(records: readonly Readonly<Record<string, unknown>>[], property: string): unknown[] {
  const counts = new Map<unknown, number>();
  for (const value of records.filter(isRecord).flatMap((record) => record[property]))
    if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value);
}
