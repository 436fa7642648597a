import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { startShop } from '../../quality/mutants/by-hand/shop.ts';
import { reportOf, reportOn } from '../testing/report-on.ts';
import { SHIPPED_DOCUMENT } from '../testing/run-check.ts';
import { renderJson } from './formats.ts';
import { renderHar } from './har.ts';

// The schemas of HAR 1.2 (draft 6) have regular expressions that are no Unicode ones.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
formats.default(ajv);
ajv.addMetaSchema(draft06);
const require = createRequire(import.meta.url);
const schemas: Record<string, object> = require('har-schema');
for (const schema of Object.values(schemas)) ajv.addSchema(schema);
const validate = ajv.getSchema('har.json#');

type Entry = {
  readonly comment?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly postData?: { readonly text: string };
  };
  readonly response: { readonly status: number; readonly content: { readonly text?: string } };
};

test('a HAR file has every exchange of the run as it was, without the credential, and fits the schema', async () => {
  const shop = await startShop();
  const report = await reportOf({
    target: shop.url,
    document: SHIPPED_DOCUMENT,
    apiKey: shop.apiKey,
    only: 'createPet/(201|401)/|getPet/404',
    recordExchanges: true,
    // Requests of cases side by side may arrive in another order than they are sent.
    jobs: 1,
  });
  await shop.close();
  const text = renderHar(report);
  const har = JSON.parse(text);
  validate?.(har);
  expect(validate?.errors).toBeNull();
  const entries: Entry[] = har.log.entries;
  // The first request asks whether the target is there, and is none of the run's.
  const received = shop.requests.slice(1);
  expect(entries.map(({ request }) => request.method)).toEqual(received.map(({ method }) => method));
  expect(entries.map(({ request }) => request.postData?.text ?? '')).toEqual(
    received.map(({ body }) => body.toString()),
  );
  expect(entries.map(({ request: { url } }) => new URL(url).pathname)).toEqual(
    received.map(({ path }) => `/v1${path}`),
  );
  expect(text).not.toContain(shop.apiKey);
  expect(new Set(entries.map(({ comment }) => comment))).toContain('createPet/201/ordinary');
  expect(JSON.parse(renderJson(report))).not.toHaveProperty('exchanges');
});

test('what got no response, and bytes that are no text, are entries as well', async () => {
  let asked = 0;
  const report = await reportOn(
    {
      send: (written, response) => {
        asked += 1;
        // The first request asks whether the target is there.
        if (asked === 2) return void response.destroy();
        response.writeHead(written.status, { 'content-type': 'image/png' }).end(Buffer.from([0xff, 0xfe, 0]));
      },
    },
    { recordExchanges: true, only: 'listPets/200/ordinary' },
  );
  const har = JSON.parse(renderHar(report));
  validate?.(har);
  expect(validate?.errors).toBeNull();
  expect(har.log.entries[0].response).toMatchObject({
    status: 0,
    comment: expect.stringContaining('closed'),
  });
  expect(har.log.entries[1].response).toMatchObject({
    status: 200,
    bodySize: 3,
    content: { size: 3, mimeType: 'image/png', comment: 'no text' },
  });
});

test('the schema refuses what is no HAR', () => {
  expect(validate?.({ log: { version: '1.2', entries: [{}] } })).toBe(false);
});
