import { basisOf, endingBeforeOf, exclusionsOf } from '#spec';
import { type Listed, listedResources } from '../arrange/lists.ts';
import { askLongList } from '../arrange/requests.ts';
import { pathOf } from '../arrange/target.ts';
import type { Trial } from '../run/trial.ts';
import type { Data } from '../send/wire.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** Lists that leave out a value, by several values at once, before a record, and of just all records. */
export const keysets: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { operation, resource, form } = listed;
    const several = form.filters.flatMap(({ parameter: { name, shape }, property }) => {
      const [first, second] = shape.items?.values ?? [];
      const isScalar = resource.shape.properties.get(property)?.mainType !== 'array';
      if (shape.mainType !== 'array' || second === undefined || !isScalar) return [];
      return asked(listed, `${name} by two values`, [
        { [name]: [first] },
        { [name]: [second] },
        { [name]: [first, second] },
      ]);
    });
    const excluded = exclusionsOf(operation, resource.shape).map(({ parameter: { name, shape } }) =>
      asked(
        listed,
        `${name} leaves out`,
        (shape.values ?? []).map((value) => ({ [name]: value })),
      ),
    );
    return [...several, ...excluded, ...windows(listed)];
  });

function asked(listed: Listed, title: string, queries: readonly Data[]): Case {
  const [first] = queries.at(-1) ? Object.keys(queries.at(-1) as Data) : [];
  const spot = listed.operation.parameters.find(({ name }) => name === first)?.spot ?? listed.operation.spot;
  return {
    ...makeCase(listed, slugOf(title), title, async (trial) => {
      const path = await pathOf(trial, listed.operation);
      const rests = [basisOf(['name'], spot)];
      for (const query of queries) {
        const { pageSize } = listed.form;
        const size = pageSize ? { [pageSize.name]: greatest(listed) } : {};
        await trial.send(listed.operation, {
          path,
          query: { ...size, ...query },
          expected: { status: listed.status, rests },
        });
      }
    }),
    demands: false,
  };
}

const greatest = ({ form: { pageSize } }: Listed) => Number(pageSize?.shape.range.high?.value ?? 100);

/** Pages that are held against the whole list, where that is short enough to be shown at once. */
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
    if (back && records.length > 4)
      for (const [at, size] of [
        [1, 2],
        [4, 2],
        [3, 3],
      ] as const)
        await send({ [back.name]: records[at]?.[property], [pageSize.name]: size });
  };
  const title = 'pages are parts of the whole list';
  return [
    {
      ...makeCase(listed, 'pages-of-the-whole', title, (trial) => trial.settle(() => ask(trial))),
      demands: false,
    },
  ];
}
