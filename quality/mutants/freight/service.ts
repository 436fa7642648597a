import type { ErrorObject } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: records of a service that faults put anything into
export type Row = Record<string, any>;

export interface Ask {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Row;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed body; its bytes for types other than JSON. */
  readonly body: Row;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  type?: string;
  /** Bytes, text, or a value to write as JSON. */
  body?: unknown;
}

export type Act = (ask: Ask) => Reply;

/** A freight company's service. A fault changes its schemas before the start, or replaces a part of its behaviour. */
export class Freight {
  /** The document; faults change it. */
  readonly document: Row;
  readonly rows: Record<string, Row[]> = {};
  readonly files = new Map<string, Buffer>();
  readonly replies = new Map<string, { sent: string; reply: Reply }>();
  readonly secrets = new Map<string, Row>();
  readonly act: Record<string, Act>;
  count = 0;

  constructor(document: Row, actsOf: (freight: Freight) => Record<string, Act>) {
    this.document = document;
    this.act = actsOf(this);
    for (const name of COLLECTIONS) this.rows[name] = [];
    stock(this);
  }

  /** Whether a credential is valid. */
  isKey = (secret: string): boolean => {
    const key = this.secrets.get(secret);
    return secret === KEY || (!!key && !key.revoked && !(Date.parse(key.expires_at) <= Date.now()));
  };
  now = (): string => new Date().toISOString();
  id = (prefix: string): string => `${prefix}_${(++this.count).toString(36).padStart(6, '0')}`;
  has = (name: string, id: unknown): boolean => this.all(name).some((row) => row.id === id);
  all = (name: string): Row[] => this.rows[name] ?? [];
  keep = (name: string, row: Row): Row => {
    this.rows[name] = [row, ...this.all(name)];
    return row;
  };
  /** The members of a request that are stored. */
  pick = (schema: string, sent: Row): Row => {
    const { properties } = this.document.components.schemas[schema];
    return Object.fromEntries(Object.entries(sent).filter(([name]) => name in properties));
  };
  /** Adds the schema's defaults for missing members. */
  defaults = (schema: string, sent: Row): Row => {
    const members = Object.entries(this.document.components.schemas[schema].properties as Row);
    const all = members.flatMap(([name, { default: of }]) => (of === undefined ? [] : [[name, of] as const]));
    return { ...Object.fromEntries(all), ...this.pick(schema, sent) };
  };
  /** The states from which each action is possible, and the resulting state. */
  readonly transitions: Record<string, readonly [from: readonly string[], to: string]> = {
    bookShipment: [['draft'], 'booked'],
    dispatchShipment: [['booked'], 'in_transit'],
    deliverShipment: [['in_transit'], 'delivered'],
    cancelShipment: [['draft', 'booked'], 'cancelled'],
    payInvoice: [['open'], 'paid'],
  };
  showShipment = (row: Row): Row => ({ ...row, parcel_count: this.parcelsOf(row.id).length });
  parcelsOf = (id: unknown): Row[] => this.all('parcels').filter((parcel) => parcel.shipment_id === id);
  isWanted = (row: Row, query: Row): boolean =>
    (!query.status || query.status.includes(row.status)) &&
    row.status !== (query.status_not ?? '') &&
    row.weight_kg >= (query.weight_kg_gte ?? 0) &&
    row.weight_kg <= (query.weight_kg_lte ?? Number.POSITIVE_INFINITY) &&
    row.insured === (query.insured ?? row.insured) &&
    row.reference.toLowerCase().includes((query.q ?? '').toLowerCase());
  isWantedDriver = (row: Row, query: Row): boolean =>
    row.carrier_id === (query.carrier_id ?? row.carrier_id) &&
    row.active === (query.active ?? row.active) &&
    (query.hired_from === undefined || row.hired_on >= query.hired_from) &&
    (query.hired_to === undefined || row.hired_on <= query.hired_to);
  page = (rows: Row[], { starting_after: after, ending_before: before, limit = 20 }: Row): Row => {
    const at = rows.findIndex(({ id }) => id === (after ?? before));
    if (before !== undefined) {
      const start = Math.max(0, at - limit);
      return { object: 'list', has_more: start > 0, data: at < 0 ? [] : rows.slice(start, at) };
    }
    const start = after === undefined ? 0 : at < 0 ? rows.length : at + 1;
    return { object: 'list', has_more: start + limit < rows.length, data: rows.slice(start, start + limit) };
  };
  csv = (rows: Row[]): string =>
    ['id,code,name,country', ...rows.map((row) => CSV.map((name) => quoted(row[name])).join(','))]
      .map((line) => `${line}\r\n`)
      .join('');
  refuse = (status: number, title: string, errors?: readonly Row[]): Reply => ({
    status,
    type: 'application/problem+json',
    body: { type: 'about:blank', title, status, ...(errors && { errors }) },
  });
  /** The JSON Pointer of the first error in a body. */
  pointerOf = ({ instancePath, params }: ErrorObject): string =>
    'missingProperty' in params ? `${instancePath}/${params.missingProperty}` : instancePath;
}

export const KEY = 'sk_live_Freight-7Qx';
const COLLECTIONS = [
  'shipments',
  'parcels',
  'carriers',
  'drivers',
  'jobs',
  'pickups',
  'manifests',
  'invoices',
];
const CSV = ['id', 'code', 'name', 'country'];
const quoted = (value: unknown) =>
  /[",\r\n]/.test(`${value}`) ? `"${`${value}`.replaceAll('"', '""')}"` : value;
export const sum = (all: readonly Row[], of: string): number => all.reduce((all, row) => all + row[of], 0);

function stock(freight: Freight): void {
  const { keep, id } = freight;
  for (const [code, name] of [
    ['NORD', 'Nordfracht'],
    ['ALPS', 'Alps, Roads & Co'],
    ['SEAS', 'Sea "Star" Lines'],
  ])
    keep('carriers', {
      id: id('car'),
      code,
      name,
      country: 'DE',
      contacts: [{ role: 'dispatcher', phone: '+4930123456' }],
    });
  for (const [index, carrier] of [0, 1, 0, 1, 0].entries())
    keep('drivers', {
      id: id('drv'),
      name: `Driver ${index}`,
      carrier_id: freight.all('carriers')[carrier]?.id,
      active: index % 2 === 0,
      hired_on: `202${index}-03-0${index + 1}`,
      languages: ['de'],
    });
  for (const [index, status] of [
    'draft',
    'booked',
    'in_transit',
    'delivered',
    'cancelled',
    'draft',
  ].entries()) {
    const at = `2026-01-0${index + 1}T08:00:00.000Z`;
    const { id: shipment } = keep('shipments', {
      id: id('shp'),
      object: 'shipment',
      status,
      reference: `Order ${index}-A`,
      service: 'standard',
      insured: index % 2 === 1,
      weight_kg: 10 * (index + 1),
      created_at: at,
      destination: { name: 'Mills', street: 'Quay 4', city: 'Bremen', country: 'DE' },
      ...(status === 'delivered' && { delivered_at: at }),
    });
    keep('parcels', {
      id: id('pcl'),
      shipment_id: shipment,
      description: 'A box',
      dimensions_cm: [30, 20, 10],
      fragile: false,
    });
  }
  for (const amount of [1200, 800])
    keep('invoices', {
      id: id('inv'),
      status: 'open',
      customer: 'Mills',
      currency: 'EUR',
      total_cents: amount + 300,
      lines: [
        { text: 'Freight', amount_cents: amount },
        { text: 'Toll', amount_cents: 300 },
      ],
    });
}
