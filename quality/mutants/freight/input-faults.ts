import {
  defaultOf,
  does,
  type FaultRow,
  keeps,
  localTime,
  looser,
  refuses,
  wants,
  without,
} from './primitives.ts';

export const INPUT_FAULTS: readonly FaultRow[] = [
  [
    1,
    'four-dimensions',
    'dimensions_cm: `items: false` is not looked at',
    without('ParcelCreate', 'properties', 'dimensions_cm', 'items'),
  ],
  [
    1,
    'long-route',
    'route: `items: false` is not looked at',
    without('ManifestCreate', 'properties', 'route', 'items'),
  ],
  [
    1,
    'route-of-any',
    'route: the second of `prefixItems` is not looked at',
    looser('ManifestCreate', ({ properties }) => properties.route.prefixItems.splice(1, 1, {})),
  ],
  [
    1,
    'metadata-names',
    'Metadata: names of capitals are accepted',
    without('Metadata', 'additionalProperties'),
  ],
  [
    1,
    'metadata-values',
    'Metadata: values are not looked at',
    looser('Metadata', (of) => Object.assign(of, { patternProperties: { '^[a-z][a-z0-9_]{0,19}$': true } })),
  ],
  [
    1,
    'seals-names',
    'seals: other names are accepted',
    without('ManifestCreate', 'properties', 'seals', 'additionalProperties'),
  ],
  [
    1,
    'seals-values',
    'seals: values are not looked at',
    looser('ManifestCreate', ({ properties }) =>
      Object.assign(properties.seals, { patternProperties: { '^(front|rear)_[0-9]$': true } }),
    ),
  ],
  ...['address', 'depot_code', 'locker_id'].map(
    (name, at) =>
      [
        1,
        `place-without-${name}`,
        `Place: \`${name}\` is not required of its variant`,
        looser('Place', ({ oneOf }) => Object.assign(oneOf[at], { required: ['type'] })),
      ] as const,
  ),
  [
    1,
    'locker-pin',
    'Place: the pin of a locker is not looked at',
    looser('Place', ({ oneOf }) => Object.assign(oneOf[2].properties, { pin: true })),
  ],
  [1, 'no-duties', '`if` DDP `then` duties_account: not looked at', without('ShipmentCreate', 'then')],
  [
    1,
    'group-alone',
    'hazard: dependentRequired of packing_group is not looked at',
    without('ShipmentCreate', 'properties', 'hazard', 'dependentRequired', 'packing_group'),
  ],
  [
    1,
    'technical-alone',
    'hazard: dependentRequired of technical_name is not looked at',
    without('ShipmentCreate', 'properties', 'hazard', 'dependentRequired', 'technical_name'),
  ],
  [
    1,
    'service-names',
    'service_codes: propertyNames is not looked at',
    without('CarrierWrite', 'properties', 'service_codes', 'propertyNames'),
  ],
  [
    1,
    'service-values',
    'service_codes: the values are not looked at',
    looser('CarrierWrite', ({ properties }) =>
      Object.assign(properties.service_codes, { additionalProperties: true }),
    ),
  ],
  [
    1,
    'no-dispatcher',
    'contacts: `contains` is not looked at',
    without('CarrierWrite', 'properties', 'contacts', 'contains'),
  ],
  [1, 'metadata-lost', 'metadata is not kept', keeps('shipments', ({ metadata, ...row }) => row)],
  [
    1,
    'seals-lost',
    'seals are kept empty',
    keeps('manifests', (row) => (row.seals ? { ...row, seals: {} } : row)),
  ],
  [
    1,
    'locker-is-depot',
    'a pickup is at another locker',
    keeps('pickups', (row) =>
      row.place.type === 'locker' ? { ...row, place: { ...row.place, locker_id: 1 } } : row,
    ),
  ],
  [2, 'service-default', '`default: standard` of service', defaultOf('ShipmentCreate', 'service', 'express')],
  [2, 'insured-default', '`default: false` of insured', defaultOf('ShipmentCreate', 'insured', true)],
  [2, 'fragile-default', '`default: false` of fragile', defaultOf('ParcelCreate', 'fragile', true)],
  [2, 'active-default', '`default: true` of active', defaultOf('DriverCreate', 'active', false)],
  [2, 'currency-default', '`default: EUR` of currency', defaultOf('InvoiceCreate', 'currency', 'USD')],
  [2, 'country-default', '`default: DE` of country', defaultOf('CarrierWrite', 'country', 'AT')],
  [
    2,
    'limit-default',
    '`default: 20` of limit',
    does((freight) => {
      const { page } = freight;
      freight.page = (rows, query) => page(rows, { limit: 10, ...query });
    }),
  ],
  [
    2,
    'no-terminal',
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
  [
    2,
    'any-terminal',
    'the pattern of Freight-Terminal is not looked at',
    {
      schemas: (_, { paths }) => {
        paths['/manifests'].post.parameters[0].schema = {};
      },
    },
  ],
  [
    2,
    'terminal-of-any',
    'terminal shows another one than Freight-Terminal',
    keeps('manifests', (row) => ({ ...row, terminal: 'HAM' })),
  ],
  [
    2,
    'one-status',
    'of two values of `status` the first one counts',
    wants(({ status }) => ({ status: status?.slice(0, 1) })),
  ],
  [
    2,
    'two-refused',
    'two values of `status` are refused',
    {
      schemas: (_, { paths }) => {
        paths['/shipments'].get.parameters[0].schema = { type: 'array', maxItems: 1 };
      },
    },
  ],
  [
    2,
    'local-ready',
    'ready_at: "The instant is kept, whatever the offset"',
    keeps('pickups', (row) => ({ ...row, ready_at: localTime(row.ready_at) })),
  ],
  [
    2,
    'local-pickup',
    'pickup_at: "The instant is kept"',
    keeps('shipments', (row) => (row.pickup_at ? { ...row, pickup_at: localTime(row.pickup_at) } : row)),
  ],
  [
    2,
    'offset-refused',
    '"Times may be sent with any offset"',
    refuses('schedulePickup', ({ body }) => !body.ready_at.endsWith('Z'), 400),
  ],
];
