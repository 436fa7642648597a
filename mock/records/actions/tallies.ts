import {
  answerShape,
  type Data,
  fullyFits,
  isRecord,
  oncePer,
  parseJson,
  sentType,
  shapeAt,
  stringifyJson,
  summarySelection,
  type Tally,
  tallied,
  talliesOf,
  textsIn,
  valuesInUse,
  withValueAt,
} from '#spec';
import { allOf, andThen } from '../../http/exchange.ts';
import { successForm } from '../../http/representations.ts';
import type { Page } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Act, ActionContext, OperationContext, Run } from './action.ts';
import { compileSelect } from './list.ts';
import { withJson } from './show.ts';

/** Counts records for a summary. Undefined: the operation returns no summary. */
export function compileTallies({
  operation,
  contract,
  collections,
}: Pick<ActionContext, 'operation' | 'contract' | 'collections'>): Run | undefined {
  const tallies = talliesOf(operation, contract).filter(({ of }) => collections.has(of));
  if (tallies.length === 0) return undefined;
  const resources = [...new Set(tallies.map(({ of }) => of))];
  const selects = resources.map((of) => {
    const select = compileSelect(collections.get(of) as RecordCollection, summarySelection(operation, of));
    return [of, select] as const;
  });
  return (task, next) => {
    const selected = new Map(selects.map(([of, select]) => [of, select(task)]));
    const numbers = tallies.map((tally) =>
      andThen(selected.get(tally.of) ?? [], (records) => numberOf(tally, records)),
    );
    return andThen(allOf([next(task), allOf(numbers)]), (both) => {
      const [outcome, counts] = both as unknown as [Awaited<ReturnType<typeof next>>, readonly unknown[]];
      return withJson(outcome, (body) =>
        tallies.reduce(
          (body, { path }, index) =>
            counts[index] === undefined ? body : withValueAt(body, path, () => counts[index]),
          body,
        ),
      );
    });
  };
}

/** In the schema's form, with 0 for values that no record has. */
function numberOf(tally: Tally, records: readonly Data[]): unknown {
  const { shape } = tally;
  const number = tallied(tally, records);
  if (!isRecord(number)) return number !== undefined && shape.allows(number) ? number : undefined;
  const zeros = Object.fromEntries([...shape.properties.keys()].map((name) => [name, 0]));
  return { ...zeros, ...number };
}

/**
 * Compiles a list of texts named after a member, `/tags` for `tagList` or `/products/categories` for `category`: the values
 * in use, the most frequent first. Undefined: no member has its name.
 */
export function compileValuesInUse(context: OperationContext): Act | undefined {
  const { operation, contract, collections, seeds } = context;
  const answer = answerShape(operation);
  const path = answer && textsIn(answer);
  const { of, property } = (path && valuesInUse(operation, contract.resources)) ?? {};
  const collection = of && collections.get(of);
  if (!answer || !path || !collection || property === undefined) return undefined;
  const { status, media } = successForm(operation);
  const type = media && sentType(media);
  const most = shapeAt(answer, path)?.lowest('maxItems') ?? Number.POSITIVE_INFINITY;
  const around = () => seeds.sampled(answer, {}, operation.id);
  // A store returns the same page object until the next write.
  const bodyOf = oncePer(({ text }: Page) => {
    const values = valuesIn(parseJson(text) as Record<string, unknown>[], property).slice(0, most);
    const body = withValueAt(path.length === 0 ? undefined : around(), path, () => values);
    return { text: stringifyJson(fullyFits(answer, body) ? body : around()) };
  });
  const all = { where: [], offset: 0, limit: Number.POSITIVE_INFINITY };
  return ({ store }) =>
    andThen(store.list(collection, all), (page) => ({ status, type, body: bodyOf(page).text }));
}

function valuesIn(records: readonly Data[], property: string): unknown[] {
  const counts = new Map<unknown, number>();
  for (const value of records.filter(isRecord).flatMap((record) => record[property]))
    if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value);
}
