import type { Parameter } from '#spec';
import { askLongList, readById } from '../arrange/ask.ts';
import { greatestPage, type Listed, listedResources } from '../arrange/list.ts';
import { createRecord, pathOf } from '../arrange/target.ts';
import { firstPosition, positionParameter } from '../laws/list-page.ts';
import type { Trial } from '../run/trial.ts';
import type { Case } from './case.ts';
import { type Family, makeCase } from './family.ts';

type Data = Readonly<Record<string, unknown>>;

/** Pages after the first hold other records, and all pages together hold each record. */
export const pages: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) => {
    const position = positionParameter(listed.resource);
    const isPaged = position && (listed.form.pageSize || position === listed.form.page);
    if (!isPaged || !listed.resource.id) return [];
    const create = settings.writes && listed.resource.actions.create !== undefined;
    return [walked(listed, position, create)];
  });

/** A longer walk would only show more of the same. */
const MOST_PAGES = 6;

/** Twice through all pages, between two looks at what is there: that nobody else has written meanwhile can be told. */
function walked(listed: Listed, position: Parameter, create: boolean): Case {
  const { operation, success, resource, form } = listed;
  const title = `the pages by ${position.name} hold each record once`;
  return makeCase(
    operation,
    success,
    'pages',
    title,
    async (trial) => {
      const own = create ? (await createRecord(trial, resource)).id : undefined;
      const readOwn = async () => own !== undefined && readById(trial, resource, own);
      const path = await pathOf(trial, operation);
      await trial.settle(async () => {
        await readOwn();
        const records = await askLongList(trial, listed);
        const size = sizeFor(listed, records);
        await walk(trial, path, size);
        await walk(trial, path, size);
        await askLongList(trial, listed);
        await readOwn();
      });
    },
    create,
  );

  async function walk(trial: Trial, path: Data, size: number | undefined): Promise<void> {
    const first = firstPosition(position) ?? 1;
    const step = position === form.page ? 1 : (size ?? 1);
    for (let index = 0; index < MOST_PAGES; index++) {
      const { evidence } = await trial.send(operation, {
        path,
        query: {
          ...(form.pageSize && size !== undefined && { [form.pageSize.name]: size }),
          [position.name]: first + index * step,
        },
        // Nothing is promised of a page behind the last one.
        expected: { status: success, or4xx: index > 0 },
      });
      const { length = 0 } = evidence.page?.records ?? [];
      if (length < (size ?? 1)) return;
    }
  }
}

/** So that there are about three pages. */
function sizeFor({ form }: Listed, { length }: readonly Data[]): number | undefined {
  const { pageSize } = form;
  if (!pageSize) return undefined;
  const { low, high } = pageSize.shape.range;
  const isWhole = length < Number(Object.values(greatestPage(form))[0] ?? Number.POSITIVE_INFINITY);
  const size = isWhole ? Math.ceil((length + 1) / 3) : Math.ceil(length / 2);
  return Math.max(Number(low?.value ?? 1), 1, Math.min(size, Number(high?.value ?? size)));
}
