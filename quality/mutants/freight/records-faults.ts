import {
  acts,
  anyReference,
  changes,
  type FreightFaults,
  first,
  keeps,
  keepsSecret,
  replies,
  secretIn,
  shows,
} from './primitives.ts';
import { type Row, sum } from './service.ts';

export const RECORDS_FAULTS: FreightFaults = {
  'parcels-not-counted': [
    'parcel_count: "The number of its parcels"',
    changes('showShipment', () => (row) => ({ ...row, parcel_count: 0 })),
  ],
  'all-parcels-counted': [
    'parcel_count counts those of all shipments',
    changes('showShipment', (_, freight) => (row) => ({
      ...row,
      parcel_count: freight.all('parcels').length,
    })),
  ],
  'count-one-off': [
    'count: "The number of shipments"',
    shows('summarizeShipments', (body) => ({ ...body, count: body.count + 1 })),
  ],
  'by-status': [
    'by_status: "The number of shipments in each state"',
    shows('summarizeShipments', (body) => ({ ...body, by_status: { ...body.by_status, draft: 0 } })),
  ],
  weights: [
    'weight_kg: "The sum of their weights"',
    shows('summarizeShipments', (body) => ({ ...body, weight_kg: body.weight_kg + 7 })),
  ],
  'total-lacks-line': [
    'total_cents: "The sum of amount_cents of all lines"',
    keeps('invoices', (row) => ({ ...row, total_cents: sum(row.lines.slice(1), 'amount_cents') })),
  ],
  'invoice-count': [
    'count: "The number of invoices"',
    shows('summarizeInvoices', (body) => ({ ...body, count: Math.max(0, body.count - 1) })),
  ],
  'invoice-total': [
    'total_cents: "The sum of their totals"',
    shows('summarizeInvoices', (body) => ({ ...body, total_cents: body.total_cents * 2 + 1 })),
  ],
  'invoice-state': [
    'a summary of one state: "of those in one state": it is of all',
    acts('summarizeInvoices', (act) => (ask) => act({ ...ask, query: {} })),
  ],
  'quote-total': [
    'total_cents: "the sum of charges"',
    shows('createQuote', (body) => ({ ...body, total_cents: body.total_cents + 19 })),
  ],
  'quote-insurance': [
    'total_cents lacks the insurance',
    shows('createQuote', (body) => ({ ...body, total_cents: sum(body.charges.slice(0, 2), 'amount_cents') })),
  ],
  'manifest-count': [
    'shipment_count: "The number of shipment_ids"',
    keeps('manifests', (row) => ({ ...row, shipment_count: row.shipment_ids.length + 1 })),
  ],
  'shipment-any-carrier': [
    'createShipment: "must name a carrier, otherwise 422"',
    anyReference('createShipment'),
  ],
  'driver-any-carrier': ['createDriver: "must name a carrier, otherwise 422"', anyReference('createDriver')],
  'manifest-any': ['"Each of shipment_ids must name a shipment"', anyReference('createManifest')],
  'manifest-first': [
    'only the first of shipment_ids is looked at',
    acts('createManifest', (act) => (ask) => {
      const [one] = ask.body.shipment_ids;
      const reply = act({ ...ask, body: { ...ask.body, shipment_ids: [one] } });
      const { body } = reply as { body: Row };
      if (reply.status === 201)
        Object.assign(body, {
          shipment_ids: ask.body.shipment_ids,
          shipment_count: ask.body.shipment_ids.length,
        });
      return reply;
    }),
  ],
  'driver-404': [
    'an unknown carrier gets 404, which is not documented',
    replies('createDriver', ({ status }) => (status === 422 ? { status: 404 } : {})),
  ],
  'driver-500': [
    'an unknown carrier gets 500',
    replies('createDriver', ({ status }) => (status === 422 ? { status: 500 } : {})),
  ],
  'carrier-dropped': [
    '"A carrier that still has drivers is kept"',
    acts('deleteCarrier', (_, freight) => ({ params: { carrier_id: gone } }) => {
      if (!freight.has('carriers', gone)) return freight.refuse(404, 'No');
      freight.rows.carriers = freight.all('carriers').filter(({ id }) => id !== gone);
      return { status: 204 };
    }),
  ],
  'carrier-409-dropped': [
    'a carrier that still has drivers gets 409, and goes',
    first('deleteCarrier', (freight, { params }) => {
      freight.rows.carriers = freight.all('carriers').filter(({ id }) => id !== params.carrier_id);
    }),
  ],
  'parcel-of-other': [
    '"A parcel of another shipment gets 404"',
    acts('getParcel', (_, freight) => ({ params }) => {
      const body = freight.all('parcels').find(({ id }) => id === params.parcel_id);
      return body && freight.has('shipments', params.shipment_id)
        ? { status: 200, body }
        : freight.refuse(404, 'No');
    }),
  ],
  'parcel-removed-of-other': [
    'a parcel of another shipment is removed',
    acts('removeParcel', (_, freight) => ({ params }) => {
      const row = freight.all('parcels').find(({ id }) => id === params.parcel_id);
      if (!row || !freight.has('shipments', params.shipment_id)) return freight.refuse(404, 'No');
      freight.rows.parcels = freight.all('parcels').filter((other) => other !== row);
      return { status: 204 };
    }),
  ],
  'parcels-of-all': [
    'listParcels shows those of all shipments',
    shows('listParcels', (_, freight) => freight.all('parcels')),
  ],
  'revoked-works': [
    '"until it is revoked. Then requests with it get 401"',
    changes('isKey', (isKey, freight) => (secret) => isKey(secret) || freight.secrets.get(secret)?.revoked),
  ],
  'expired-works': [
    '"valid until expires_at"',
    changes('isKey', (isKey, freight) => (secret) => isKey(secret) || freight.secrets.has(secret)),
  ],
  'new-key-refused': [
    '"A key is valid until ...": a new one is not',
    changes('isKey', (isKey, freight) => (secret) => isKey(secret) && !freight.secrets.has(secret)),
  ],
  'revoke-not-shown': [
    '"The key, with revoked true"',
    shows('revokeApiKey', (body) => ({ ...body, revoked: false })),
  ],
  'revoke-not-kept': [
    'a revoked key is read as not revoked',
    shows('getApiKey', (body) => ({ ...body, revoked: false })),
  ],
  'key-secret-read': ['"The key, without its secret"', keepsSecret('createApiKey', 'keys')],
  'key-secret-revoked': ['revoke shows the secret again', secretIn('revokeApiKey')],
  'endpoint-secret-read': [
    '"The endpoint, without its secret"',
    keepsSecret('createWebhookEndpoint', 'endpoints'),
  ],
  'endpoint-secret-listed': ['"shown this one time": lists show a secret', secretIn('listWebhookEndpoints')],
  'head-no-tag': ['HEAD: `ETag` is required', replies('headCarrier', () => ({ headers: {} }))],
  'head-other-tag': [
    'HEAD has another ETag than GET',
    replies('headCarrier', ({ status }) => (status === 200 ? { headers: { ETag: '"other"' } } : {})),
  ],
  'head-always': [
    'HEAD: "404: It is not": it gets 200',
    replies('headCarrier', ({ status }) =>
      status === 404 ? { status: 200, headers: { ETag: '"x"' }, body: undefined } : {},
    ),
  ],
  'head-never': [
    'HEAD: "It is there": it gets 404',
    replies('headCarrier', ({ status }) => (status === 200 ? { status: 404 } : {})),
  ],
  allow: ['`Allow` lists other methods', replies('optionsOfCarriers', () => ({ headers: { Allow: 'GET' } }))],
  'allow-none': ['`Allow` is required', replies('optionsOfCarriers', () => ({ headers: {} }))],
  'no-deprecation': [
    '`Deprecation` is required',
    replies('listTariffs', ({ headers }) => ({ headers: { Sunset: headers?.Sunset ?? '' } })),
  ],
  'deprecation-true': [
    'Deprecation: RFC 9745 has a date',
    replies('listTariffs', ({ headers }) => ({ headers: { ...headers, Deprecation: 'true' } })),
  ],
  'sunset-iso': [
    'Sunset: RFC 8594 has an HTTP date',
    replies('listTariffs', ({ headers }) => ({ headers: { ...headers, Sunset: '2026-12-31' } })),
  ],
  'sunset-first': [
    'Sunset is before Deprecation',
    replies('listTariffs', ({ headers }) => ({
      headers: { ...headers, Sunset: 'Thu, 31 Dec 2020 23:59:59 GMT' },
    })),
  ],
  'pointer-other': [
    'pointer: "to the member of the body that is wrong": to another one',
    changes('pointerOf', () => () => '/reference'),
  ],
  'pointer-dotted': [
    'pointer: "A JSON Pointer": names with dots',
    changes('pointerOf', (pointerOf) => (error) => pointerOf(error).slice(1).replaceAll('/', '.')),
  ],
  'problem-status': [
    'status of a problem is not that of its response (RFC 9457)',
    changes('refuse', (refuse) => (status, ...rest) => {
      const reply = refuse(status, ...rest);
      return { ...reply, body: { ...(reply.body as Row), status: 400 } };
    }),
  ],
};
