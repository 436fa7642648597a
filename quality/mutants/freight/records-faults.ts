import {
  anyReference,
  does,
  type FaultRow,
  first,
  keeps,
  otherSecret,
  replies,
  secretIn,
  shows,
} from './primitives.ts';
import { type Freight, type Row, sum } from './service.ts';

export const RECORDS_FAULTS: readonly FaultRow[] = [
  [
    8,
    'parcels-not-counted',
    'parcel_count: "The number of its parcels"',
    does((freight) => {
      freight.showShipment = (row) => ({ ...row, parcel_count: 0 });
    }),
  ],
  [
    8,
    'all-parcels-counted',
    'parcel_count counts those of all shipments',
    does((freight) => {
      freight.showShipment = (row) => ({ ...row, parcel_count: freight.all('parcels').length });
    }),
  ],
  [
    8,
    'count-one-off',
    'count: "The number of shipments"',
    shows('summarizeShipments', (body) => ({ ...body, count: body.count + 1 })),
  ],
  [
    8,
    'by-status',
    'by_status: "The number of shipments in each state"',
    shows('summarizeShipments', (body) => ({ ...body, by_status: { ...body.by_status, draft: 0 } })),
  ],
  [
    8,
    'weights',
    'weight_kg: "The sum of their weights"',
    shows('summarizeShipments', (body) => ({ ...body, weight_kg: body.weight_kg + 7 })),
  ],
  [
    8,
    'total-lacks-line',
    'total_cents: "The sum of amount_cents of all lines"',
    keeps('invoices', (row) => ({ ...row, total_cents: sum(row.lines.slice(1), 'amount_cents') })),
  ],
  [
    8,
    'invoice-count',
    'count: "The number of invoices"',
    shows('summarizeInvoices', (body) => ({ ...body, count: Math.max(0, body.count - 1) })),
  ],
  [
    8,
    'invoice-total',
    'total_cents: "The sum of their totals"',
    shows('summarizeInvoices', (body) => ({ ...body, total_cents: body.total_cents * 2 + 1 })),
  ],
  [
    8,
    'quote-total',
    'total_cents: "the sum of charges"',
    shows('createQuote', (body) => ({ ...body, total_cents: body.total_cents + 19 })),
  ],
  [
    8,
    'quote-insurance',
    'total_cents lacks the insurance',
    shows('createQuote', (body) => ({ ...body, total_cents: sum(body.charges.slice(0, 2), 'amount_cents') })),
  ],
  [
    8,
    'manifest-count',
    'shipment_count: "The number of shipment_ids"',
    keeps('manifests', (row) => ({ ...row, shipment_count: row.shipment_ids.length + 1 })),
  ],
  [
    9,
    'shipment-any-carrier',
    'createShipment: "must name a carrier, otherwise 422"',
    anyReference('createShipment'),
  ],
  [
    9,
    'driver-any-carrier',
    'createDriver: "must name a carrier, otherwise 422"',
    anyReference('createDriver'),
  ],
  [9, 'manifest-any', '"Each of shipment_ids must name a shipment"', anyReference('createManifest')],
  [
    9,
    'manifest-first',
    'only the first of shipment_ids is looked at',
    does((freight) => {
      const act = freight.act.createManifest as Freight['act'][string];
      freight.act.createManifest = (ask) => {
        const [one] = ask.body.shipment_ids;
        const reply = act({ ...ask, body: { ...ask.body, shipment_ids: [one] } });
        const { body } = reply as { body: Row };
        if (reply.status === 201)
          Object.assign(body, {
            shipment_ids: ask.body.shipment_ids,
            shipment_count: ask.body.shipment_ids.length,
          });
        return reply;
      };
    }),
  ],
  [
    9,
    'driver-404',
    'an unknown carrier gets 404, which is not documented',
    replies('createDriver', ({ status }) => (status === 422 ? { status: 404 } : {})),
  ],
  [
    9,
    'driver-500',
    'an unknown carrier gets 500',
    replies('createDriver', ({ status }) => (status === 422 ? { status: 500 } : {})),
  ],
  [
    9,
    'carrier-dropped',
    '"A carrier that still has drivers is kept"',
    does((freight) => {
      freight.act.deleteCarrier = ({ params: { carrier_id: gone } }) => {
        if (!freight.has('carriers', gone)) return freight.refuse(404, 'No');
        freight.rows.carriers = freight.all('carriers').filter(({ id }) => id !== gone);
        return { status: 204 };
      };
    }),
  ],
  [
    9,
    'carrier-409-dropped',
    'a carrier that still has drivers gets 409, and goes',
    first('deleteCarrier', (freight, { params }) => {
      freight.rows.carriers = freight.all('carriers').filter(({ id }) => id !== params.carrier_id);
    }),
  ],
  [
    9,
    'parcel-of-other',
    '"A parcel of another shipment gets 404"',
    does((freight) => {
      freight.act.getParcel = ({ params }) => {
        const body = freight.all('parcels').find(({ id }) => id === params.parcel_id);
        return body && freight.has('shipments', params.shipment_id)
          ? { status: 200, body }
          : freight.refuse(404, 'No');
      };
    }),
  ],
  [
    9,
    'parcel-removed-of-other',
    'a parcel of another shipment is removed',
    does((freight) => {
      freight.act.removeParcel = ({ params }) => {
        const row = freight.all('parcels').find(({ id }) => id === params.parcel_id);
        if (!row || !freight.has('shipments', params.shipment_id)) return freight.refuse(404, 'No');
        freight.rows.parcels = freight.all('parcels').filter((other) => other !== row);
        return { status: 204 };
      };
    }),
  ],
  [
    9,
    'parcels-of-all',
    'listParcels shows those of all shipments',
    shows('listParcels', (_, freight) => freight.all('parcels')),
  ],
  [
    10,
    'revoked-works',
    '"until it is revoked. Then requests with it get 401"',
    does((freight) => {
      const { isKey } = freight;
      freight.isKey = (secret) => isKey(secret) || freight.secrets.get(secret)?.revoked;
    }),
  ],
  [
    10,
    'expired-works',
    '"valid until expires_at"',
    does((freight) => {
      const { isKey } = freight;
      freight.isKey = (secret) => isKey(secret) || freight.secrets.has(secret);
    }),
  ],
  [
    10,
    'new-key-refused',
    '"A key is valid until ...": a new one is not',
    does((freight) => {
      const { isKey } = freight;
      freight.isKey = (secret) => isKey(secret) && !freight.secrets.has(secret);
    }),
  ],
  [
    10,
    'revoke-not-shown',
    '"The key, with revoked true"',
    shows('revokeApiKey', (body) => ({ ...body, revoked: false })),
  ],
  [
    10,
    'revoke-not-kept',
    'a revoked key is read as not revoked',
    shows('getApiKey', (body) => ({ ...body, revoked: false })),
  ],
  [10, 'key-secret-read', '"The key, without its secret"', otherSecret('key', ['getApiKey'])],
  [10, 'key-secret-revoked', 'revoke shows the secret again', secretIn('revokeApiKey')],
  [10, 'endpoint-secret-read', '"The endpoint, without its secret"', otherSecret('we', [])],
  [
    10,
    'endpoint-secret-listed',
    '"shown this one time": lists show a secret',
    secretIn('listWebhookEndpoints'),
  ],
  [11, 'head-no-tag', 'HEAD: `ETag` is required', replies('headCarrier', () => ({ headers: {} }))],
  [
    11,
    'head-other-tag',
    'HEAD has another ETag than GET',
    replies('headCarrier', ({ status }) => (status === 200 ? { headers: { ETag: '"other"' } } : {})),
  ],
  [
    11,
    'head-always',
    'HEAD: "404: It is not": it gets 200',
    replies('headCarrier', ({ status }) =>
      status === 404 ? { status: 200, headers: { ETag: '"x"' }, body: undefined } : {},
    ),
  ],
  [
    11,
    'head-never',
    'HEAD: "It is there": it gets 404',
    replies('headCarrier', ({ status }) => (status === 200 ? { status: 404 } : {})),
  ],
  [
    11,
    'allow',
    '`Allow` lists other methods',
    replies('optionsOfCarriers', () => ({ headers: { Allow: 'GET' } })),
  ],
  [11, 'allow-none', '`Allow` is required', replies('optionsOfCarriers', () => ({ headers: {} }))],
  [
    11,
    'no-deprecation',
    '`Deprecation` is required',
    replies('listTariffs', ({ headers }) => ({ headers: { Sunset: headers?.Sunset ?? '' } })),
  ],
  [
    11,
    'deprecation-true',
    'Deprecation: RFC 9745 has a date',
    replies('listTariffs', ({ headers }) => ({ headers: { ...headers, Deprecation: 'true' } })),
  ],
  [
    11,
    'sunset-iso',
    'Sunset: RFC 8594 has an HTTP date',
    replies('listTariffs', ({ headers }) => ({ headers: { ...headers, Sunset: '2026-12-31' } })),
  ],
  [
    11,
    'sunset-first',
    'Sunset is before Deprecation',
    replies('listTariffs', ({ headers }) => ({
      headers: { ...headers, Sunset: 'Thu, 31 Dec 2020 23:59:59 GMT' },
    })),
  ],
  [
    11,
    'pointer-other',
    'pointer: "to the member of the body that is wrong": to another one',
    does((freight) => {
      freight.pointerOf = () => '/reference';
    }),
  ],
  [
    11,
    'pointer-dotted',
    'pointer: "A JSON Pointer": names with dots',
    does((freight) => {
      const { pointerOf } = freight;
      freight.pointerOf = (error) => pointerOf(error).slice(1).replaceAll('/', '.');
    }),
  ],
  [
    11,
    'problem-status',
    'status of a problem is not that of its response (RFC 9457)',
    does((freight) => {
      const { refuse } = freight;
      freight.refuse = (status, ...rest) => {
        const reply = refuse(status, ...rest);
        return { ...reply, body: { ...(reply.body as Row), status: 400 } };
      };
    }),
  ],
];
