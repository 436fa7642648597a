import { asks, changes, does, type FreightFaults, pages, replies, wants } from './primitives.ts';
import type { Row } from './service.ts';

export const LISTS_FAULTS: FreightFaults = {
  'after-itself': [
    '`starting_after`: the page begins with the object itself',
    changes('page', (page) => (rows, query) => {
      const at = rows.findIndex(({ id }) => id === query.starting_after);
      return page(rows, at > 0 ? { ...query, starting_after: rows[at - 1]?.id } : query);
    }),
  ],
  'before-first': [
    '`ending_before`: it gives the first page, not the one before',
    pages((page, { ending_before: before, limit = 20 }, rows) =>
      before
        ? {
            data: rows.slice(
              0,
              Math.min(
                limit,
                rows.findIndex(({ id }) => id === before),
              ),
            ),
          }
        : page,
    ),
  ],
  'before-ignored': [
    '`ending_before` is ignored',
    changes('page', (page) => (rows, query) => page(rows, { ...query, ending_before: undefined })),
  ],
  'before-reversed': [
    '"sorted from the newest to the oldest": a page before is reversed',
    pages((page, { ending_before: before }) => (before ? { data: page.data.toReversed() } : page)),
  ],
  'never-more': ['has_more is always false', pages(() => ({ has_more: false }))],
  'always-more': ['has_more is always true', pages(() => ({ has_more: true }))],
  'more-at-full': [
    'has_more is true behind a last page that is full',
    pages((page, { limit = 20, ending_before: before }) =>
      before ? page : { has_more: page.data.length === limit },
    ),
  ],
  'before-more': [
    'has_more of a page before says what comes behind',
    pages((page, { ending_before: before }) => (before ? { has_more: true } : page)),
  ],
  'not-ignored': ['"Leaves out shipments in this state": ignored', wants(() => ({ status_not: undefined }))],
  'not-only': [
    '"Leaves out shipments in this state": it keeps them alone',
    wants(({ status_not: not }) => (not ? { status_not: undefined, status: [not] } : {})),
  ],
  'gte-excludes': [
    '"of at least this weight": equal ones are left out',
    changes(
      'isWanted',
      (isWanted) => (row, query) => isWanted(row, query) && row.weight_kg !== query.weight_kg_gte,
    ),
  ],
  'both-bounds': [
    'with both bounds the upper one is ignored',
    wants((query) => (query.weight_kg_gte === undefined ? {} : { weight_kg_lte: undefined })),
  ],
  'to-excludes': [
    '"on this day or before": that day is left out',
    changes(
      'isWantedDriver',
      (isWantedDriver) => (row, query) => isWantedDriver(row, query) && row.hired_on !== query.hired_to,
    ),
  ],
  'search-case': [
    '"whatever the case"',
    changes(
      'isWanted',
      (isWanted) => (row, query) => isWanted(row, query) && row.reference.includes(query.q ?? ''),
    ),
  ],
  'search-start': [
    '"Searches in reference": finds beginnings alone',
    changes(
      'isWanted',
      (isWanted) => (row, query) =>
        isWanted(row, query) && row.reference.toLowerCase().startsWith((query.q ?? '').toLowerCase()),
    ),
  ],
  'search-all': ['q is ignored', wants(() => ({ q: undefined }))],
  'not-insured': [
    '"or only others": insured=false is ignored',
    wants(({ insured }) => ({ insured: insured || undefined })),
  ],
  'carrier-ignored': [
    '"Only drivers of this carrier": ignored',
    changes(
      'isWantedDriver',
      (isWantedDriver) => (row, query) => isWantedDriver(row, { ...query, carrier_id: undefined }),
    ),
  ],
  'csv-short': [
    'CSV: "the same carriers": one is missing',
    changes('csv', (csv) => (rows) => csv(rows.slice(0, -1))),
  ],
  'csv-order': ['CSV: "in the same order"', changes('csv', (csv) => (rows) => csv(rows.toReversed()))],
  'csv-unquoted': [
    'CSV: a comma in a value is not quoted',
    changes(
      'csv',
      () => (rows) =>
        [
          'id,code,name,country',
          ...rows.map((row) => `${row.id},${row.code},${row.name},${row.country}`),
        ].join('\r\n'),
    ),
  ],
  'csv-json': [
    'CSV: it is JSON',
    replies('listCarriers', ({ type }, freight) =>
      type === 'text/csv' ? { body: JSON.stringify(freight.all('carriers')) } : {},
    ),
  ],
  'csv-type': [
    'CSV: its Content-Type says JSON',
    replies('listCarriers', ({ type }) => (type === 'text/csv' ? { type: 'application/json' } : {})),
  ],
  'label-html': [
    'the label is a page, not a PDF',
    replies('getLabel', ({ status }) => (status === 200 ? { body: '<h1>Label</h1>' } : {})),
  ],
  'invoice-json': [
    'the PDF of an invoice is JSON',
    replies('getInvoicePdf', ({ status }) => (status === 200 ? { body: '{"pdf":true}' } : {})),
  ],
  'no-406': [
    '"None of the media types of Accept is available": it gets JSON',
    {
      schemas: (_, { paths }) => {
        paths['/carriers'].get.responses['200'].content['image/x-paddock'] = {};
        paths['/carriers'].get.responses['200'].content['image/png'] = {};
        paths['/carriers'].get.responses['200'].content['application/x-paddock'] = {};
      },
    },
  ],
  'text-trimmed': [
    'instructions: "The text as it was put": blanks at its ends are lost',
    replies('getInstructions', ({ status, body }) => (status === 200 ? { body: `${body}`.trim() } : {})),
  ],
  'text-cut': [
    'instructions: only the first line is kept',
    replies('getInstructions', ({ status, body }) => (status === 200 ? { body: `${body}`.slice(0, 4) } : {})),
  ],
  'text-lost': [
    'instructions: nothing is kept',
    replies('getInstructions', ({ status }) => (status === 200 ? { body: '' } : {})),
  ],
  'photo-text': [
    'photo: "The bytes that were uploaded" are read as UTF-8',
    replies('getPhoto', ({ status, body }) => (status === 200 ? { body: `${body}` } : {})),
  ],
  'photo-lost': [
    'photo: nothing is stored',
    asks('putPhoto', (ask) => ({ ...ask, body: Buffer.from('') as unknown as Row })),
  ],
  'photo-of-all': [
    'photo: the last one is that of all shipments',
    does((freight) => {
      const { get } = freight.files;
      freight.files.get = (key) =>
        key.startsWith('photo')
          ? [...freight.files].findLast(([name]) => name.startsWith('photo'))?.[1]
          : get.call(freight.files, key);
    }),
  ],
};
