import { type Data, isRecord, type Tally, tallied, talliesOf, withValueAt } from '#spec';
import { allOf, andThen } from '../../http/exchange.ts';
import { recordsWhere } from '../../store/port.ts';
import type { ActionContext, Run } from './action.ts';
import { withJson } from './show.ts';

/** Counts records for a summary. Undefined: the operation returns no summary. */
export function compileTallies({
  operation,
  contract,
  collections,
}: Pick<ActionContext, 'operation' | 'contract' | 'collections'>): Run | undefined {
  const all = talliesOf(operation, contract).flatMap((tally) => {
    const collection = collections.get(tally.of);
    return collection ? [{ tally, collection }] : [];
  });
  if (all.length === 0) return undefined;
  return ({ values, store, ...task }, next) => {
    const numbers = all.map(({ tally, collection }) => {
      const where = collection.scopeFrom(values.parameters.path);
      return andThen(recordsWhere(store, collection, where), (records) => numberOf(tally, records));
    });
    return andThen(allOf([next({ values, store, ...task }), allOf(numbers)]), (both) => {
      const [outcome, counts] = both as unknown as [Awaited<ReturnType<typeof next>>, readonly unknown[]];
      return withJson(outcome, (body) =>
        all.reduce(
          (body, { tally }, index) =>
            counts[index] === undefined ? body : withValueAt(body, tally.path, () => counts[index]),
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
