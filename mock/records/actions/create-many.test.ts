import { expect, test } from 'vitest';
import { ask, fixture, serve } from '../../testing/serve.ts';

const FREIGHT = fixture('freight.yaml');

test('of several records in a body each is stored or refused by itself', async () => {
  const mock = await serve(FREIGHT);
  const [{ id }] = (await ask(mock, 'GET /carriers')).body;
  const drivers = [
    { name: 'Ada', carrier_id: id },
    { name: 'Bo', carrier_id: 'none' },
    { name: 'Cy', carrier_id: id },
  ];
  const { status, body } = await ask(mock, 'POST /drivers/batch', { drivers });
  expect(status).toBe(200);
  expect(body.results).toMatchObject([
    { index: 0, driver: { name: 'Ada' } },
    { index: 1, error: expect.stringContaining('none') },
    { index: 2, driver: { name: 'Cy' } },
  ]);
  expect(body.results[1].driver).toBeUndefined();
  for (const place of [0, 2]) {
    const read = await ask(mock, `GET /drivers/${body.results[place].driver.id}`);
    expect(read.body).toEqual(body.results[place].driver);
  }
});

test('a job is started, and is over when it is looked at: it has made all, or none', async () => {
  const mock = await serve(FREIGHT);
  const [{ id }] = (await ask(mock, 'GET /carriers')).body;
  const start = async (...carriers: string[]) => {
    const rows = carriers.map((carrier_id, place) => ({ name: `Ada ${place}`, carrier_id }));
    const { status, headers, body } = await ask(mock, 'POST /imports', { rows });
    expect([status, headers.get('location'), body.status]).toEqual([202, `/v2/jobs/${body.id}`, 'queued']);
    return (await ask(mock, `GET /jobs/${body.id}`)).body;
  };
  const { length } = (await ask(mock, 'GET /drivers?limit=100')).body.data;
  const { status, result, error } = await start(id, id);
  expect([status, result.created, error]).toEqual(['succeeded', 2, undefined]);
  for (const driver of result.driver_ids)
    expect((await ask(mock, `GET /drivers/${driver}`)).body.carrier_id).toBe(id);
  const failed = await start(id, 'none');
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('none') });
  expect(failed.result).toBeUndefined();
  expect((await ask(mock, 'GET /drivers?limit=100')).body.data).toHaveLength(length + 2);
});

test('states that descriptions tell are kept', async () => {
  const mock = await serve(FREIGHT);
  const sent = {
    reference: 'A',
    weight_kg: 2,
    destination: { name: 'M', street: 'Q', city: 'B', country: 'DE' },
  };
  const { id } = (await ask(mock, 'POST /shipments', sent)).body;
  const act = async (line: string) => {
    const { status, body } = await ask(mock, line.replace('ID', id));
    return [status, body?.status];
  };
  expect(await act('POST /shipments/ID/dispatch')).toEqual([409, 409]);
  expect(await act('POST /shipments/ID/book')).toEqual([200, 'booked']);
  expect(await act('DELETE /shipments/ID')).toEqual([409, 409]);
  expect(await act('POST /shipments/ID/dispatch')).toEqual([200, 'in_transit']);
  expect(await act('POST /shipments/ID/cancel')).toEqual([409, 409]);
  expect(await act('GET /shipments/ID')).toEqual([200, 'in_transit']);
});

test('what is put at a path is read there, byte by byte, until then what was there', async () => {
  const mock = await serve(FREIGHT);
  const [{ id }] = (await ask(mock, 'GET /shipments')).body.data;
  const text = ' Zoë\r\n\t"a" ';
  await ask(mock, `PUT /shipments/${id}/instructions`, text, { 'content-type': 'text/plain' });
  expect((await ask(mock, `GET /shipments/${id}/instructions`)).text).toBe(text);
  const place = `/shipments/${id}/photo`;
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/octet-stream' };
  expect((await mock.fetch(place, { method: 'PUT', body: bytes, headers })).status).toBe(204);
  const read = await mock.fetch(place, { headers: { authorization: headers.authorization } });
  expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes);
});

test('a body whose list of ids names what is not there is refused', async () => {
  const mock = await serve(FREIGHT);
  const [{ id }] = (await ask(mock, 'GET /shipments')).body.data;
  const create = async (...ids: string[]) => {
    const sent = { shipment_ids: ids, route: ['HAM', 'BRE'] };
    return (await ask(mock, 'POST /manifests', sent, { 'freight-terminal': 'HAM' })).status;
  };
  expect([await create(id), await create(id, 'none')]).toEqual([201, 422]);
});

test('a list leaves out a value, and ends before a record', async () => {
  const mock = await serve(FREIGHT, { count: 8 });
  const ask200 = async (query: string) => (await ask(mock, `GET /shipments?${query}`)).body;
  const all = (await ask200('limit=100')).data;
  const { status } = all[0];
  const without = (await ask200(`limit=100&status_not=${status}`)).data;
  expect(without).toEqual(all.filter((one: { status: string }) => one.status !== status));
  const { data, has_more: more } = await ask200(`limit=2&ending_before=${all[4].id}`);
  expect([data, more]).toEqual([all.slice(2, 4), true]);
  const first = await ask200(`limit=5&ending_before=${all[2].id}`);
  expect([first.data, first.has_more]).toEqual([all.slice(0, 2), false]);
});

test('Sunset is a date', async () => {
  const sunset = (await ask(await serve(FREIGHT), 'GET /tariffs')).headers.get('sunset') ?? '';
  expect(new Date(sunset).toUTCString()).toBe(sunset);
});
