import {
  changes,
  defaultOf,
  type FreightFaults,
  keeps,
  localTime,
  looser,
  refuses,
  wants,
  without,
} from './primitives.ts';

export const INPUT_FAULTS: FreightFaults = {
  'four-dimensions': [
    'dimensions_cm: `items: false` is not looked at',
    without('ParcelCreate', 'properties', 'dimensions_cm', 'items'),
  ],
  'long-route': [
    'route: `items: false` is not looked at',
    without('ManifestCreate', 'properties', 'route', 'items'),
  ],
  'route-of-any': [
    'route: the second of `prefixItems` is not looked at',
    looser('ManifestCreate', ({ properties }) => properties.route.prefixItems.splice(1, 1, {})),
  ],
  'metadata-names': ['Metadata: names of capitals are accepted', without('Metadata', 'additionalProperties')],
  'metadata-values': [
    'Metadata: values are not looked at',
    looser('Metadata', (of) => Object.assign(of, { patternProperties: { '^[a-z][a-z0-9_]{0,19}$': true } })),
  ],
  'seals-names': [
    'seals: other names are accepted',
    without('ManifestCreate', 'properties', 'seals', 'additionalProperties'),
  ],
  'seals-values': [
    'seals: values are not looked at',
    looser('ManifestCreate', ({ properties }) =>
      Object.assign(properties.seals, { patternProperties: { '^(front|rear)_[0-9]$': true } }),
    ),
  ],
  ...Object.fromEntries(
    ['address', 'depot_code', 'locker_id'].map((name, at) => [
      `place-without-${name}`,
      [
        `Place: \`${name}\` is not required of its variant`,
        looser('Place', ({ oneOf }) => Object.assign(oneOf[at], { required: ['type'] })),
      ],
    ]),
  ),
  'locker-pin': [
    'Place: the pin of a locker is not looked at',
    looser('Place', ({ oneOf }) => Object.assign(oneOf[2].properties, { pin: true })),
  ],
  'no-duties': ['`if` DDP `then` duties_account: not looked at', without('ShipmentCreate', 'then')],
  'group-alone': [
    'hazard: dependentRequired of packing_group is not looked at',
    without('ShipmentCreate', 'properties', 'hazard', 'dependentRequired', 'packing_group'),
  ],
  'technical-alone': [
    'hazard: dependentRequired of technical_name is not looked at',
    without('ShipmentCreate', 'properties', 'hazard', 'dependentRequired', 'technical_name'),
  ],
  'service-names': [
    'service_codes: propertyNames is not looked at',
    without('CarrierWrite', 'properties', 'service_codes', 'propertyNames'),
  ],
  'service-values': [
    'service_codes: the values are not looked at',
    looser('CarrierWrite', ({ properties }) =>
      Object.assign(properties.service_codes, { additionalProperties: true }),
    ),
  ],
  'no-dispatcher': [
    'contacts: `contains` is not looked at',
    without('CarrierWrite', 'properties', 'contacts', 'contains'),
  ],
  'metadata-lost': ['metadata is not kept', keeps('shipments', ({ metadata, ...row }) => row)],
  'seals-lost': [
    'seals are kept empty',
    keeps('manifests', (row) => (row.seals ? { ...row, seals: {} } : row)),
  ],
  'locker-is-depot': [
    'a pickup is at another locker',
    keeps('pickups', (row) =>
      row.place.type === 'locker' ? { ...row, place: { ...row.place, locker_id: 1 } } : row,
    ),
  ],
  'service-default': ['`default: standard` of service', defaultOf('ShipmentCreate', 'service', 'express')],
  'insured-default': ['`default: false` of insured', defaultOf('ShipmentCreate', 'insured', true)],
  'fragile-default': ['`default: false` of fragile', defaultOf('ParcelCreate', 'fragile', true)],
  'active-default': ['`default: true` of active', defaultOf('DriverCreate', 'active', false)],
  'currency-default': ['`default: EUR` of currency', defaultOf('InvoiceCreate', 'currency', 'USD')],
  'country-default': ['`default: DE` of country', defaultOf('CarrierWrite', 'country', 'AT')],
  'limit-default': [
    '`default: 20` of limit',
    changes('page', (page) => (rows, query) => page(rows, { limit: 10, ...query })),
  ],
  'no-terminal': [
    'Freight-Terminal is not required',
    {
      schemas: (_, { paths }) => {
        paths['/manifests'].post.parameters[0].required = false;
      },
      freight: (freight) => {
        const { keep } = freight;
        freight.keep = (of, row) =>
          keep(of, of === 'manifests' ? { ...row, terminal: row.terminal ?? 'XXX' } : row);
      },
    },
  ],
  'any-terminal': [
    'the pattern of Freight-Terminal is not looked at',
    {
      schemas: (_, { paths }) => {
        paths['/manifests'].post.parameters[0].schema = {};
      },
    },
  ],
  'terminal-of-any': [
    'terminal shows another one than Freight-Terminal',
    keeps('manifests', (row) => ({ ...row, terminal: 'HAM' })),
  ],
  'one-status': [
    'of two values of `status` the first one counts',
    wants(({ status }) => ({ status: status?.slice(0, 1) })),
  ],
  'two-refused': [
    'two values of `status` are refused',
    {
      schemas: (_, { paths }) => {
        paths['/shipments'].get.parameters[0].schema = { type: 'array', maxItems: 1 };
      },
    },
  ],
  'local-ready': [
    'ready_at: "The instant is kept, whatever the offset"',
    keeps('pickups', (row) => ({ ...row, ready_at: localTime(row.ready_at) })),
  ],
  'local-pickup': [
    'pickup_at: "The instant is kept"',
    keeps('shipments', (row) => (row.pickup_at ? { ...row, pickup_at: localTime(row.pickup_at) } : row)),
  ],
  'offset-refused': [
    '"Times may be sent with any offset"',
    refuses('schedulePickup', ({ body }) => !body.ready_at.endsWith('Z'), 400),
  ],
};
