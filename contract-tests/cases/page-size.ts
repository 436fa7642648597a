import { type Parameter, placeOf } from '#spec';
import { askList, type Listed, listedResources } from '../arrange/list.ts';
import { untilSettled } from '../arrange/settle.ts';
import type { Case } from '../case.ts';
import { judgePageSize } from '../laws/list.ts';
import type { Trial } from '../trial.ts';
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
  return makeCase(
    listed.operation,
    listed.success,
    `${parameter.name}-${title}`,
    `${parameter.name}=${limit} gives at most ${limit}`,
    async (trial) => {
      await expectAtMost(trial, listed, parameter, limit, {});
      for (const { parameter: filter } of listed.form.filters) {
        for (const value of filter.shape.values ?? [])
          await expectAtMost(trial, listed, parameter, limit, { [filter.name]: value });
      }
    },
  );
}

async function expectAtMost(
  trial: Trial,
  listed: Listed,
  parameter: Parameter,
  limit: number,
  filter: Record<string, unknown>,
): Promise<void> {
  const { records } = await askList(trial, listed, { ...filter, [parameter.name]: limit });
  trial.blame(judgePageSize(parameter, limit, records));
  trial.covered ||= trial.findings.length === 0;
}

function defaultPage(listed: Listed, parameter: Parameter): Case[] {
  const found = parameter.shape.find('default');
  if (typeof found?.value !== 'number') return [];
  const limit = found.value;
  const title = `asking for no ${parameter.name} is asking for ${limit}`;
  return [
    makeCase(listed.operation, listed.success, `${parameter.name}-default`, title, async (trial) => {
      const length = async (query: Record<string, unknown>) =>
        (await askList(trial, listed, query)).records.length;
      // Others may write between the two reads, and replicas may lag: only what stays unequal is a finding.
      const [asked, unasked] = await untilSettled(
        trial.run.settings.settle,
        async () => [await length({ [parameter.name]: limit }), await length({})] as const,
        ([left, right]) => left === right,
      );
      if (asked !== unasked) {
        const received = `${unasked} records without ${parameter.name}, ${asked} with ${parameter.name}=${limit}`;
        trial.blame([
          {
            law: 'page-default',
            received,
            documented: `equally many (default ${limit})`,
            at: placeOf(found.spot),
          },
        ]);
      }
      trial.covered ||= trial.findings.length === 0;
    }),
  ];
}
