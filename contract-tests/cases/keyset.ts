import { basisOf, endingBeforeOf, exclusionsOf, type Parameter, previousCursorAt, valueAt } from '#spec';
import { type Listed, listedResources } from '../arrange/lists.ts';
import { askLongList } from '../arrange/requests.ts';
import { pathOf } from '../arrange/target.ts';
import type { Trial } from '../run/trial.ts';
import type { Data } from '../send/wire.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** Lists that exclude a value, match several values, or start before a record, checked against the whole list. */
export const keysets: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { operation, resource, form } = listed;
    const several = form.filters.flatMap(({ parameter, property }) => {
      const { name, shape } = parameter;
      const [first, second] = shape.items?.values ?? [];
      const isScalar = resource.shape.properties.get(property)?.mainType !== 'array';
      if (shape.mainType !== 'array' || second === undefined || !isScalar) return [];
      return asked(listed, `${name} by two values`, parameter, [[first], [second], [first, second]]);
    });
    const excluded = exclusionsOf(operation, resource.shape).map(({ parameter }) =>
      asked(listed, `${parameter.name} leaves out`, parameter, parameter.shape.values ?? []),
    );
    return [...several, ...excluded, ...windows(listed)];
  });

/** A list with each value of a parameter in turn. */
function asked(listed: Listed, title: string, { name, spot }: Parameter, values: readonly unknown[]): Case {
  const { operation, status, form } = listed;
  const { pageSize } = form;
  const size = pageSize && { [pageSize.name]: Number(pageSize.shape.range.high?.value ?? 100) };
  const expected = { status, rests: [basisOf(['name'], spot)] };
  const drive = async (trial: Trial) => {
    const path = await pathOf(trial, operation);
    for (const value of values)
      await trial.send(operation, { path, query: { ...size, [name]: value }, expected });
  };
  return makeCase(listed, slugOf(title), title, drive, { demands: false });
}

/** Pages that are compared with the whole list, if that fits into one response. */
function windows(listed: Listed): Case[] {
  const { form, operation, resource } = listed;
  const { pageSize, members } = form;
  const back = endingBeforeOf(operation);
  const property = resource.id?.property;
  const saysMore = members.some(({ says }) => says === 'has more' || says === 'is last');
  if (!pageSize || property === undefined || !(back || saysMore)) return [];
  const ask = async (trial: Trial) => {
    const records = await askLongList(trial, listed);
    const path = await pathOf(trial, operation);
    const send = (query: Data) => trial.send(operation, { path, query });
    if (saysMore && records.length > 1)
      for (const size of [records.length, records.length - 1]) await send({ [pageSize.name]: size });
    const opaque = previousCursorAt(operation, form);
    if (back && opaque && records.length > 4) {
      let query: Data = { [pageSize.name]: 2 };
      for (let count = 0; count < 3; count++) {
        const { evidence } = await send(query);
        const cursor = valueAt(evidence.json, opaque);
        if (cursor && count > 0)
          for (const size of [2, 3]) await send({ [back.name]: cursor, [pageSize.name]: size });
        query = evidence.page?.next?.query ?? query;
      }
    } else if (back && records.length > 4)
      for (const [at, size] of [
        [1, 2],
        [4, 2],
        [3, 3],
      ] as const)
        await send({ [back.name]: records[at]?.[property], [pageSize.name]: size });
  };
  const title = 'pages are parts of the whole list';
  const drive = (trial: Trial) => trial.settle(() => ask(trial));
  return [makeCase(listed, 'pages-of-the-whole', title, drive, { demands: false })];
}
