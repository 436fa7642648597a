import { beginningOf, bodyMedia, essenceOf, formatOf, isOctets, type MediaType, responseFor } from '#spec';
import { greatestPage, listedResources } from '../arrange/lists.ts';
import { askLongList, ordinaryInput } from '../arrange/requests.ts';
import { pathOf } from '../arrange/target.ts';
import { roleOf, successStatuses } from '../laws/operation-role.ts';
import { isSuccess } from '../send/response.ts';
import { type Family, makeCase } from './case.ts';

const LINES = '  Zoë\r\n\t"a, b" \n';
/** Most of these bytes are no UTF-8. */
const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** A text or a file is stored at a path of its own, and read from there. */
export const files: Family = (contract, { writes }) =>
  contract.operations.flatMap((put) => {
    const media = bodyMedia(put.body);
    const get = contract.operations.find(
      (operation) => operation.path === put.path && operation.method === 'GET',
    );
    if (!writes || put.method !== 'PUT' || !get || !media || roleOf(contract, put)) return [];
    const text = bodyFor(media);
    const [status] = successStatuses(put);
    if (text === undefined || status === undefined) return [];
    const title = 'what is put is read as it is';
    return makeCase({ operation: put, status }, 'read-as-put', title, async (trial) => {
      const input = await ordinaryInput(trial, put, true, { body: text });
      const { response } = await trial.send(put, input);
      if (!isSuccess(response)) return;
      await trial.send(get, { path: input.path ?? {} });
      // What is stored at one path is not returned at another.
      const other = await ordinaryInput(trial, put, true, { body: text.slice(0, -1) });
      await trial.send(put, other);
      await trial.send(get, { path: input.path ?? {} });
    });
  });

function bodyFor(media: MediaType): string | Uint8Array | undefined {
  const format = formatOf(media.type, media.shape);
  const most = media.shape?.lowest('maxLength') ?? BYTES.length;
  const isPlain = media.shape === undefined || (media.shape.patterns.length === 0 && !media.shape.values);
  if (!isPlain || most < BYTES.length) return undefined;
  if (format === 'text') return LINES;
  const beginning = Buffer.from(beginningOf(essenceOf(media.type)) ?? '', 'latin1');
  return format === 'bytes' || isOctets(media.shape) ? Buffer.concat([beginning, BYTES]) : undefined;
}

/** HEAD after GET of the same path. */
export const heads: Family = (contract) =>
  contract.operations.flatMap((head) => {
    const get = contract.operations.find(
      (operation) => operation.path === head.path && operation.method === 'GET',
    );
    const [status] = successStatuses(head);
    if (head.method !== 'HEAD' || !get || status === undefined) return [];
    return makeCase({ operation: head, status }, 'as-get', 'HEAD is answered as GET', async (trial) => {
      const path = await pathOf(trial, get);
      await trial.send(get, { path });
      await trial.send(head, { path });
    });
  });

const TABLE = 'text/csv';

/** The list in JSON, and then as a table. */
export const tables: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { operation, status, form } = listed;
    const types = (responseFor(operation.responses, status)?.content ?? []).map(({ type }) =>
      essenceOf(type),
    );
    if (types.length < 2 || !types.includes(TABLE)) return [];
    return makeCase(listed, 'as-table', 'the table has the records of the list', (trial) =>
      trial.settle(async () => {
        await askLongList(trial, listed);
        const path = await pathOf(trial, operation);
        // A service may return a table in pages, too.
        await trial.send(operation, { path, query: greatestPage(form), headers: [['Accept', TABLE]] });
      }),
    );
  });
