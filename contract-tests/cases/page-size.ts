import type { Parameter } from '#spec';
import { askList } from '../arrange/ask.ts';
import { type Listed, listedResources } from '../arrange/list.ts';
import type { Case } from './case.ts';
import { type Family, makeCase } from './family.ts';

/** A page size is kept: the least, the greatest, the default, and together with each filter. */
export const pageSizes: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { pageSize } = listed.form;
    if (!pageSize) return [];
    return [
      ...bounds(pageSize).map(([title, limit]) => keeps(listed, pageSize, title, limit)),
      ...defaultPage(listed, pageSize),
    ];
  });

function bounds({ shape }: Parameter): [title: string, limit: number][] {
  const { low, high } = shape.range;
  const least = Math.max(1, Number(low?.value ?? 1));
  const greatest = high && high.value <= Number.MAX_SAFE_INTEGER ? Number(high.value) : undefined;
  return [
    ['least', least],
    ['next-to-least', least + 1],
    ...(greatest !== undefined && greatest > least + 1
      ? ([['greatest', greatest]] as [string, number][])
      : []),
  ];
}

function keeps(listed: Listed, parameter: Parameter, title: string, limit: number): Case {
  const filters = listed.form.filters.flatMap(({ parameter: { name, shape } }) =>
    (shape.values ?? []).map((value) => ({ [name]: value })),
  );
  const says = `${parameter.name}=${limit} gives at most ${limit}`;
  return makeCase(listed.operation, listed.success, `${parameter.name}-${title}`, says, async (trial) => {
    await trial.together(
      [{}, ...filters].map((query) => (part) => askList(part, listed, { ...query, [parameter.name]: limit })),
    );
  });
}

function defaultPage(listed: Listed, parameter: Parameter): Case[] {
  const found = parameter.shape.find('default');
  if (typeof found?.value !== 'number') return [];
  const limit = found.value;
  const title = `omitting ${parameter.name} equals ${limit}`;
  return [
    makeCase(listed.operation, listed.success, `${parameter.name}-default`, title, (trial) =>
      trial.settle(async () => {
        await askList(trial, listed, { [parameter.name]: limit });
        await askList(trial, listed);
      }),
    ),
  ];
}
