import { type Act, type Ask, type Freight, type Reply, type Row, sum } from './service.ts';

const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

/** The behaviour of each operation. */
export function actsOf(freight: Freight): Record<string, Act> {
  const { rows, files } = freight;
  const ok = (body: unknown, status = 200): Reply => ({ status, body });
  const list = (name: string) => (): Reply => ok(freight.all(name));
  const none = () => freight.refuse(404, 'There is no such object');
  /** The object that a path identifies. */
  const one =
    (name: string, act: (row: Row, ask: Ask) => Reply) =>
    (ask: Ask): Reply => {
      const row = freight.all(name).find(({ id }) => id === Object.values(ask.params)[0]);
      return row ? act(row, ask) : none();
    };
  const drop = (name: string, row: Row): Reply => {
    rows[name] = freight.all(name).filter((other) => other !== row);
    return { status: 204 };
  };
  const create =
    (name: string, prefix: string, schema: string, more: (sent: Row, ask: Ask) => Row = () => ({})) =>
    (ask: Ask): Reply =>
      ok(
        freight.keep(name, {
          id: freight.id(prefix),
          ...freight.defaults(schema, ask.body),
          ...more(freight.defaults(schema, ask.body), ask),
        }),
        201,
      );
  const move = (name: string) =>
    one(name, (row, { operation }) => {
      const [from, to] = freight.transitions[operation] ?? [[], ''];
      if (!from.includes(row.status)) return freight.refuse(409, `It is ${row.status}`);
      Object.assign(row, { status: to }, to === 'delivered' && { delivered_at: freight.now() });
      return ok(name === 'shipments' ? freight.showShipment(row) : row);
    });
  const onceForKey =
    (act: Act): Act =>
    (ask) => {
      const key = ask.headers['idempotency-key'];
      if (key === undefined) return act(ask);
      const id = `${ask.operation} ${key}`;
      const sent = JSON.stringify(ask.body);
      const before = freight.replies.get(id);
      if (before)
        return before.sent === sent ? before.reply : freight.refuse(422, 'The key had another body');
      const reply = act(ask);
      if (reply.status < 300) freight.replies.set(id, { sent, reply });
      return reply;
    };
  const unknown = (name: string, id: unknown) =>
    id !== undefined && !freight.has(name, id)
      ? freight.refuse(422, `There is no ${id}`, [{ pointer: '/carrier_id', detail: 'names nothing' }])
      : undefined;
  const driver = create('drivers', 'drv', 'DriverCreate');
  const parcel = (act: (row: Row) => Reply) =>
    one('shipments', ({ id }, { params }) => {
      const row = freight.parcelsOf(id).find((other) => other.id === params.parcel_id);
      return row ? act(row) : none();
    });
  const file = (kind: string, type: string, empty?: Buffer) => ({
    get: one('shipments', ({ id }) => {
      const body = files.get(`${kind} ${id}`) ?? empty;
      return body ? { status: 200, type, body } : none();
    }),
    put: one('shipments', ({ id }, { body }) => {
      if (kind === 'text' && `${body}`.length > 2000) return freight.refuse(400, 'It is too long');
      files.set(`${kind} ${id}`, body as Buffer);
      return { status: 204 };
    }),
  });
  const [text, photo] = [
    file('text', 'text/plain', Buffer.from('')),
    file('photo', 'application/octet-stream'),
  ];
  const tagOf = (row: Row) =>
    `"${Buffer.from(JSON.stringify(row)).toString('base64').slice(-40)}${row.name.length}"`;
  const carrier = one('carriers', (row, { headers }) => {
    const ETag = tagOf(row);
    return headers['if-none-match'] === ETag
      ? { status: 304, headers: { ETag } }
      : { status: 200, headers: { ETag }, body: row };
  });
  const taken = ({ code }: Row, but?: Row) =>
    freight.all('carriers').some((row) => row !== but && row.code === code);
  const invoices = ({ status }: Row) =>
    freight.all('invoices').filter((row) => status === undefined || row.status === status);
  const secret =
    (name: string, prefix: string, schema: string, more: Row = {}) =>
    (ask: Ask): Reply => {
      const { body: row } = create(name, prefix, schema, () => more)(ask) as { body: Row };
      const value = `${prefix}_secret_${freight.id('s')}`;
      if (prefix === 'key') freight.secrets.set(value, row);
      return ok({ ...row, secret: value }, 201);
    };

  return {
    listShipments: ({ query }) => {
      const page = freight.page(
        freight.all('shipments').filter((row) => freight.isWanted(row, query)),
        query,
      );
      return ok({ ...page, data: page.data.map(freight.showShipment) });
    },
    createShipment: onceForKey((ask) => {
      const refused = unknown('carriers', ask.body.carrier_id);
      if (refused) return refused;
      const more = { object: 'shipment', status: 'draft', created_at: freight.now() };
      const { body } = create('shipments', 'shp', 'ShipmentCreate', () => more)(ask) as { body: Row };
      return {
        status: 201,
        headers: { Location: `/v2/shipments/${body.id}` },
        body: freight.showShipment(body),
      };
    }),
    summarizeShipments: () => {
      const all = freight.all('shipments');
      const by = Map.groupBy(all, ({ status }) => status);
      const by_status = Object.fromEntries([...by].map(([status, { length }]) => [status, length]));
      return ok({ count: all.length, by_status, weight_kg: sum(all, 'weight_kg') });
    },
    getShipment: one('shipments', (row) => ok(freight.showShipment(row))),
    updateShipment: one('shipments', (row, { body }) => {
      if (row.status !== 'draft') return freight.refuse(409, 'It is no draft');
      if (unknown('carriers', body.carrier_id)) return freight.refuse(400, 'There is no such carrier');
      const merge = (into: Row, from: Row): Row => {
        for (const [name, value] of Object.entries(from))
          if (value === null) delete into[name];
          else if (typeof value === 'object' && !Array.isArray(value))
            into[name] = merge({ ...into[name] }, value);
          else into[name] = value;
        return into;
      };
      return ok(freight.showShipment(merge(row, freight.pick('ShipmentUpdate', body))));
    }),
    deleteShipment: one('shipments', (row) => {
      if (row.status !== 'draft') return freight.refuse(409, 'It is no draft');
      rows.parcels = freight.all('parcels').filter(({ shipment_id: id }) => id !== row.id);
      return drop('shipments', row);
    }),
    ...Object.fromEntries(
      ['book', 'dispatch', 'deliver', 'cancel'].map((name) => [`${name}Shipment`, move('shipments')]),
    ),
    listParcels: one('shipments', ({ id }) => ok(freight.parcelsOf(id))),
    addParcel: one('shipments', ({ id }, ask) =>
      create('parcels', 'pcl', 'ParcelCreate', () => ({ shipment_id: id }))(ask),
    ),
    getParcel: parcel((row) => ok(row)),
    removeParcel: parcel((row) => drop('parcels', row)),
    getLabel: one('shipments', ({ id }) => ({
      status: 200,
      type: 'application/pdf',
      body: Buffer.from(PDF),
      headers: { 'Content-Disposition': `attachment; filename="${id}.pdf"` },
    })),
    getInstructions: text.get,
    putInstructions: text.put,
    getPhoto: photo.get,
    putPhoto: photo.put,
    listCarriers: ({ headers }) => {
      const all = freight.all('carriers');
      if (headers.accept === 'text/csv') return { status: 200, type: 'text/csv', body: freight.csv(all) };
      return ok(all);
    },
    createCarrier: (ask) =>
      taken(ask.body)
        ? freight.refuse(409, 'The code is taken')
        : create('carriers', 'car', 'CarrierWrite')(ask),
    optionsOfCarriers: () => ({ status: 204, headers: { Allow: 'GET, POST, OPTIONS' } }),
    getCarrier: carrier,
    headCarrier: carrier,
    replaceCarrier: one('carriers', (row, { body }) => {
      if (taken(body, row)) return freight.refuse(409, 'The code is taken');
      for (const name of Object.keys(row)) if (name !== 'id') delete row[name];
      return ok(Object.assign(row, freight.defaults('CarrierWrite', body)));
    }),
    deleteCarrier: one('carriers', (row) =>
      [...freight.all('drivers'), ...freight.all('shipments')].some(({ carrier_id: id }) => id === row.id)
        ? freight.refuse(409, 'It has drivers')
        : drop('carriers', row),
    ),
    listDrivers: ({ query }) =>
      ok(
        freight.page(
          freight.all('drivers').filter((row) => freight.isWantedDriver(row, query)),
          query,
        ),
      ),
    createDriver: (ask) => unknown('carriers', ask.body.carrier_id) ?? driver(ask),
    createDrivers: (ask) => {
      const results = (ask.body.drivers as Row[]).map((body, index) =>
        freight.has('carriers', body.carrier_id)
          ? { index, driver: driver({ ...ask, body }).body }
          : { index, error: `There is no ${body.carrier_id}` },
      );
      return ok({ results });
    },
    getDriver: one('drivers', (row) => ok(row)),
    updateDriver: one('drivers', (row, { body }) => {
      if (unknown('carriers', body.carrier_id)) return freight.refuse(400, 'There is no such carrier');
      return ok(Object.assign(row, freight.pick('DriverUpdate', body)));
    }),
    deleteDriver: one('drivers', (row) => drop('drivers', row)),
    startImport: (ask) => {
      const job: Row = { id: freight.id('job'), status: 'queued', created_at: freight.now() };
      freight.keep('jobs', job);
      const bad = ask.body.rows.find((row: Row) => !freight.has('carriers', row.carrier_id));
      setTimeout(() => {
        if (bad) return Object.assign(job, { status: 'failed', error: `There is no ${bad.carrier_id}` });
        const ids = ask.body.rows.map((body: Row) => (driver({ ...ask, body }).body as Row).id);
        return Object.assign(job, { status: 'succeeded', result: { created: ids.length, driver_ids: ids } });
      }, 30);
      return { status: 202, headers: { Location: `/v2/jobs/${job.id}` }, body: { ...job } };
    },
    getJob: one('jobs', (row) => ok(row)),
    createQuote: ({ body }) => {
      const base = Math.ceil(
        body.weight_kg * { economy: 40, standard: 60, express: 110 }[`${body.service}` as 'economy'],
      );
      const charges = [
        { label: 'Freight', amount_cents: base + 500 },
        { label: 'Toll', amount_cents: 190 },
      ];
      if (body.insured) charges.push({ label: 'Insurance', amount_cents: 250 });
      return ok({ service: body.service, charges, total_cents: sum(charges, 'amount_cents') });
    },
    listPickups: list('pickups'),
    schedulePickup: create('pickups', 'pick', 'PickupCreate'),
    getPickup: one('pickups', (row) => ok(row)),
    listManifests: list('manifests'),
    createManifest: (ask) => {
      const missing = ask.body.shipment_ids.find((id: string) => !freight.has('shipments', id));
      if (missing !== undefined) return freight.refuse(422, `There is no ${missing}`);
      const more = ({ shipment_ids: ids }: Row) => ({
        terminal: ask.headers['freight-terminal'],
        shipment_count: ids.length,
      });
      return create('manifests', 'man', 'ManifestCreate', more)(ask);
    },
    getManifest: one('manifests', (row) => ok(row)),
    listInvoices: ({ query }) => ok(invoices(query)),
    createInvoice: onceForKey(
      create('invoices', 'inv', 'InvoiceCreate', ({ lines }) => ({
        status: 'open',
        total_cents: sum(lines, 'amount_cents'),
      })),
    ),
    summarizeInvoices: ({ query }) => {
      const all = invoices(query);
      return ok({ count: all.length, total_cents: sum(all, 'total_cents') });
    },
    getInvoice: one('invoices', (row) => ok(row)),
    getInvoicePdf: one('invoices', () => ({ status: 200, type: 'application/pdf', body: Buffer.from(PDF) })),
    payInvoice: move('invoices'),
    listTariffs: () => ({
      status: 200,
      headers: { Deprecation: '@1767225600', Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' },
      body: [{ service: 'economy', cents_per_kg: 40 }],
    }),
    listWebhookEndpoints: list('endpoints'),
    createWebhookEndpoint: secret('endpoints', 'we', 'WebhookEndpointWrite'),
    getWebhookEndpoint: one('endpoints', (row) => ok(row)),
    deleteWebhookEndpoint: one('endpoints', (row) => drop('endpoints', row)),
    createApiKey: secret('keys', 'key', 'ApiKeyCreate', { revoked: false }),
    getApiKey: one('keys', (row) => ok(row)),
    revokeApiKey: one('keys', (row) => ok(Object.assign(row, { revoked: true }))),
  };
}
