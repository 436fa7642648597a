import { type Edit, OK, type Verdict } from './documents.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const things = (get: object, more: object = {}, item: object = {}) => ({
  openapi: '3.1.1',
  info: { title: 'Things', version: '1.0.0' },
  paths: { '/things/{id}': { ...item, get: { operationId: 'read', responses: OK, ...get } } },
  ...more,
});
const id = { name: 'id', in: 'path', required: true, schema: integer };
const withParameters = (...parameters: object[]) => things({ parameters: [id, ...parameters] });
const query = (members: object = {}, place = 'query') => ({ name: 'q', in: place, schema: text, ...members });
const list = { type: 'array', items: text };
const answers = (responses: object) => things({ parameters: [id], responses });
const body = (content: object, more: object = {}) => ({
  ...things({}),
  paths: {
    '/things': {
      post: { operationId: 'add', requestBody: { required: true, content, ...more }, responses: OK },
    },
  },
});
const typed = (type: string, schema: object = ref2) => ({ [type]: { schema } });
const ref2 = object({ name: text });
const schemes = {
  a: { type: 'apiKey', in: 'header', name: 'X-A' },
  b: { type: 'apiKey', in: 'header', name: 'X-B' },
  q: { type: 'apiKey', in: 'query', name: 'X-A' },
  c: { type: 'apiKey', in: 'header', name: 'X-A' },
  lower: { type: 'apiKey', in: 'header', name: 'x-a' },
  bearer: { type: 'http', scheme: 'bearer' },
  Bearer: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' },
  basic: { type: 'http', scheme: 'basic' },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://auth.example/o' },
};
const secured = (security: object[] | undefined, override?: object[]) =>
  things(
    { parameters: [id], ...(override && { security: override }) },
    { components: { securitySchemes: schemes }, ...(security && { security }) },
  );
const at = (servers: object[], prefix = '') => {
  const { paths, ...others } = things({ parameters: [id] });
  return { ...others, servers, paths: { [`${prefix}/things/{id}`]: paths['/things/{id}'] } };
};
const apart = (override?: object[], ofPath?: object[]) => {
  const read = {
    operationId: 'read',
    parameters: [id],
    responses: OK,
    ...(override && { servers: override }),
  };
  return {
    ...at([{ url: 'https://a.example/v1' }]),
    paths: { '/things/{id}': { ...(ofPath && { servers: ofPath }), get: read } },
  };
};
const described = (more: object) => ({ description: 'Done.', ...more });
const named = (schema: object) => ({ content: { 'application/json': { schema } } });

const ROWS: readonly (readonly [name: string, old: object, next: object, verdict: Verdict])[] = [
  // Parameters.
  [
    'a parameter of the path item stands in the operation',
    things({}, {}, { parameters: [id] }),
    things({ parameters: [id] }),
    'same',
  ],
  [
    'a parameter of the operation stands in the path item',
    withParameters(query()),
    things({}, {}, { parameters: [id, query()] }),
    'same',
  ],
  [
    'a parameter is a reference',
    withParameters(query()),
    things(
      { parameters: [{ $ref: '#/components/parameters/Q' }, id] },
      { components: { parameters: { Q: query() } } },
    ),
    'same',
  ],
  [
    'another name of a parameter of the path',
    withParameters(),
    {
      ...things({}),
      paths: {
        '/things/{thingId}': {
          get: { operationId: 'read', parameters: [{ ...id, name: 'thingId' }], responses: OK },
        },
      },
    },
    'same',
  ],
  [
    'two parameters of the path are named the other way around',
    {
      ...things({}),
      paths: {
        '/a/{x}/{y}': {
          get: {
            operationId: 'read',
            parameters: [
              { ...id, name: 'x' },
              { ...id, name: 'y', schema: text },
            ],
            responses: OK,
          },
        },
      },
    },
    {
      ...things({}),
      paths: {
        '/a/{y}/{x}': {
          get: {
            operationId: 'read',
            parameters: [
              { ...id, name: 'y' },
              { ...id, name: 'x', schema: text },
            ],
            responses: OK,
          },
        },
      },
    },
    'same',
  ],
  [
    'a renamed parameter of the path is another integer, too',
    withParameters(),
    {
      ...things({}),
      paths: {
        '/things/{thingId}': {
          get: {
            operationId: 'read',
            parameters: [{ ...id, name: 'thingId', schema: { ...integer, minimum: 100 } }],
            responses: OK,
          },
        },
      },
    },
    'breaking',
  ],
  [
    'the case of the name of a header',
    withParameters(query({ name: 'X-Trace' }, 'header')),
    withParameters(query({ name: 'x-trace' }, 'header')),
    'same',
  ],
  [
    'the case of the name of a required header',
    withParameters(query({ name: 'X-Trace', required: true }, 'header')),
    withParameters(query({ name: 'x-trace', required: true }, 'header')),
    'same',
  ],
  [
    'the case of the name of a required query parameter',
    withParameters(query({ name: 'Q', required: true })),
    withParameters(query({ name: 'q', required: true })),
    'breaking',
  ],
  [
    'a header that is required now',
    withParameters(query({}, 'header')),
    withParameters(query({ required: true }, 'header')),
    'breaking',
  ],
  [
    'a cookie that is required',
    withParameters(),
    withParameters(query({ required: true }, 'cookie')),
    'breaking',
  ],
  ['an optional cookie', withParameters(), withParameters(query({}, 'cookie')), 'same'],
  [
    'a cookie of another enum',
    withParameters(query({ schema: { enum: ['a', 'b'] } }, 'cookie')),
    withParameters(query({ schema: { enum: ['a'] } }, 'cookie')),
    'breaking',
  ],
  [
    'a header with a pattern',
    withParameters(query({}, 'header')),
    withParameters(query({ schema: { ...text, pattern: '^[A-Z]+$' } }, 'header')),
    'breaking',
  ],
  [
    'a parameter moves from the query to a header',
    withParameters(query({ required: true })),
    withParameters(query({ required: true }, 'header')),
    'breaking',
  ],
  [
    'the usual style, written down',
    withParameters(query({ schema: list })),
    withParameters(query({ schema: list, style: 'form', explode: true })),
    'same',
  ],
  [
    'a list that is not exploded',
    withParameters(query({ schema: list })),
    withParameters(query({ schema: list, explode: false })),
    'breaking',
  ],
  ['a text that is not exploded', withParameters(query()), withParameters(query({ explode: false })), 'same'],
  [
    'a list with pipes',
    withParameters(query({ schema: list, explode: false })),
    withParameters(query({ schema: list, style: 'pipeDelimited', explode: false })),
    'breaking',
  ],
  [
    'an object with brackets',
    withParameters(query({ schema: object({ a: text }) })),
    withParameters(query({ schema: object({ a: text }), style: 'deepObject' })),
    'breaking',
  ],
  [
    'an object as JSON',
    withParameters(query({ schema: object({ a: text }) })),
    withParameters({
      name: 'q',
      in: 'query',
      content: { 'application/json': { schema: object({ a: text }) } },
    }),
    'breaking',
  ],
  [
    'an integer of the query is any text',
    withParameters(query({ schema: integer })),
    withParameters(query()),
    'same',
  ],
  [
    'a text of the query is an integer',
    withParameters(query()),
    withParameters(query({ schema: integer })),
    'breaking',
  ],
  [
    'a boolean of the query is an enum of texts',
    withParameters(query({ schema: { type: 'boolean' } })),
    withParameters(query({ schema: { ...text, enum: ['true', 'false'] } })),
    'safe',
  ],
  [
    'a list of one limit',
    withParameters(query({ schema: list })),
    withParameters(query({ schema: { ...list, maxItems: 2 } })),
    'breaking',
  ],
  // A comma was part of the single value.
  ['a list where one value was', withParameters(query()), withParameters(query({ schema: list })), 'safe'],
  [
    'allowEmptyValue is gone',
    withParameters(query({ allowEmptyValue: true })),
    withParameters(query()),
    'safe',
  ],
  [
    'a default that is new',
    withParameters(query({ schema: integer })),
    withParameters(query({ schema: { ...integer, default: 5 } })),
    'safe',
  ],
  ['an optional parameter is gone', withParameters(query()), withParameters(), 'safe'],
  ['a required parameter is gone', withParameters(query({ required: true })), withParameters(), 'safe'],
  [
    'a nullable parameter',
    withParameters(query({ schema: { type: ['string', 'null'] } })),
    withParameters(query()),
    'same',
  ],

  [
    'an object of the query has a member that is no plain value, too',
    withParameters(query({ required: true, schema: object({ a: text }, { required: ['a'] }) })),
    withParameters(
      query({ required: true, schema: object({ a: text, b: object({ c: text }) }, { required: ['a'] }) }),
    ),
    'same',
  ],

  // Bodies.
  [
    'a range of media types that has the old one',
    body(typed('application/json')),
    body(typed('application/*')),
    'same',
  ],
  ['any media type', body(typed('application/json')), body(typed('*/*')), 'same'],
  [
    'a range of media types that is narrower',
    body(typed('application/*')),
    body(typed('application/json')),
    'breaking',
  ],
  [
    'a parameter of a media type',
    body(typed('application/json')),
    body(typed('application/json; charset=utf-8')),
    'same',
  ],
  [
    'a media type more',
    body(typed('application/json')),
    body({ ...typed('application/json'), ...typed('application/x-www-form-urlencoded') }),
    'same',
  ],
  [
    'a media type less',
    body({ ...typed('application/json'), ...typed('application/x-www-form-urlencoded') }),
    body(typed('application/json')),
    'breaking',
  ],
  ['the case of a media type', body(typed('application/JSON')), body(typed('application/json')), 'same'],
  [
    'a body as a reference',
    body(typed('application/json')),
    {
      ...body({}),
      paths: {
        '/things': {
          post: { operationId: 'add', requestBody: { $ref: '#/components/requestBodies/B' }, responses: OK },
        },
      },
      components: { requestBodies: { B: { required: true, content: typed('application/json') } } },
    },
    'same',
  ],
  [
    'a body that is required now',
    body(typed('application/json'), { required: false }),
    body(typed('application/json')),
    'breaking',
  ],
  [
    'a body that is optional now',
    body(typed('application/json')),
    body(typed('application/json'), { required: false }),
    'same',
  ],
  [
    'a member of a form',
    body(typed('application/x-www-form-urlencoded', object({ n: integer }))),
    body(typed('application/x-www-form-urlencoded', object({ n: { ...integer, maximum: 5 } }))),
    'breaking',
  ],
  [
    'a part of a multipart body that is required',
    body(typed('multipart/form-data', object({ n: text, m: text }))),
    body(typed('multipart/form-data', object({ n: text, m: text }, { required: ['m'] }))),
    'breaking',
  ],
  [
    'an optional part of a multipart body',
    body(typed('multipart/form-data', object({ n: text }))),
    body(typed('multipart/form-data', object({ n: text, m: { ...text, format: 'binary' } }))),
    'same',
  ],

  // Responses.
  [
    'a response as a reference',
    answers({ 200: described(named(ref2)) }),
    things(
      { parameters: [id], responses: { 200: { $ref: '#/components/responses/R' } } },
      { components: { responses: { R: described(named(ref2)) } } },
    ),
    'same',
  ],
  [
    'a status of a range',
    answers({ '2XX': described(named(ref2)) }),
    answers({ 200: described(named(ref2)) }),
    'safe',
  ],
  [
    'a range for a status',
    answers({ 200: described(named(ref2)) }),
    answers({ '2XX': described(named(ref2)) }),
    'safe',
  ],
  [
    'a range for a status, with another schema',
    answers({ 200: described(named(ref2)) }),
    answers({ '2XX': described(named(object({ name: integer }))) }),
    'breaking',
  ],
  [
    'a default for an error',
    answers({ 200: described({}), 404: described(named(ref2)) }),
    answers({ 200: described({}), default: described(named(ref2)) }),
    'safe',
  ],
  [
    'an error of the default, with another schema',
    answers({ 200: described({}), default: described(named(object({ e: text }, { required: ['e'] }))) }),
    answers({
      200: described({}),
      404: described(named(object({ e: integer }, { required: ['e'] }))),
      default: described(named(object({ e: text }, { required: ['e'] }))),
    }),
    'breaking',
  ],
  [
    'another error',
    answers({ 200: described({}) }),
    answers({ 200: described({}), 404: described({}) }),
    'same',
  ],
  [
    'another status of success',
    answers({ 200: described({}) }),
    answers({ 200: described({}), 202: described({}) }),
    'safe',
  ],
  [
    'a body that is gone',
    answers({ 200: described(named(ref2)) }),
    answers({ 200: described({}) }),
    'breaking',
  ],
  ['a body that is new', answers({ 200: described({}) }), answers({ 200: described(named(ref2)) }), 'same'],
  [
    'a media type of a response more',
    answers({ 200: described({ content: typed('application/json') }) }),
    answers({ 200: described({ content: { ...typed('application/json'), ...typed('application/xml') } }) }),
    'same',
  ],
  [
    'any type where one was',
    answers({ 200: described({ content: typed('application/json') }) }),
    answers({ 200: described({ content: typed('application/xml') }) }),
    'breaking',
  ],
  [
    'one of a range',
    answers({ 200: described({ content: typed('application/*') }) }),
    answers({ 200: described({ content: typed('application/json') }) }),
    'same',
  ],
  [
    'a problem type for errors',
    answers({ 200: described({}), 400: described({ content: typed('application/json') }) }),
    answers({ 200: described({}), 400: described({ content: typed('application/problem+json') }) }),
    'breaking',
  ],
  [
    'the case of the name of a header of a response',
    answers({ 200: described({ headers: { 'X-Total': { required: true, schema: integer } } }) }),
    answers({ 200: described({ headers: { 'x-total': { required: true, schema: integer } } }) }),
    'same',
  ],
  [
    'a header of a response is a text',
    answers({ 200: described({ headers: { 'X-Total': { required: true, schema: integer } } }) }),
    answers({ 200: described({ headers: { 'X-Total': { required: true, schema: text } } }) }),
    'breaking',
  ],
  [
    'a header of a response as a reference',
    answers({ 200: described({ headers: { 'X-Total': { schema: integer } } }) }),
    things(
      {
        parameters: [id],
        responses: { 200: described({ headers: { 'X-Total': { $ref: '#/components/headers/T' } } }) },
      },
      { components: { headers: { T: { schema: integer } } } },
    ),
    'same',
  ],
  [
    'a link is gone',
    answers({ 200: described({ links: { self: { operationId: 'read' } } }) }),
    answers({ 200: described({}) }),
    'same',
  ],

  // Credentials.
  ['both where either was enough', secured([{ a: [] }, { b: [] }]), secured([{ a: [], b: [] }]), 'breaking'],
  ['either where both were needed', secured([{ a: [], b: [] }]), secured([{ a: [] }, { b: [] }]), 'same'],
  ['one of two is not enough any more', secured([{ a: [] }, { b: [] }]), secured([{ a: [] }]), 'breaking'],
  ['one more of both', secured([{ a: [] }]), secured([{ a: [], b: [] }]), 'breaking'],
  ['the same scheme under another name', secured([{ a: [] }]), secured([{ c: [] }]), 'same'],
  ['the case of the name of the header', secured([{ a: [] }]), secured([{ lower: [] }]), 'same'],
  ['the case of the scheme', secured([{ bearer: [] }]), secured([{ Bearer: [] }]), 'same'],
  ['the key moves to the query', secured([{ a: [] }]), secured([{ q: [] }]), 'breaking'],
  ['bearer as openIdConnect', secured([{ bearer: [] }]), secured([{ oidc: [] }]), 'same'],
  ['bearer to basic', secured([{ bearer: [] }]), secured([{ basic: [] }]), 'breaking'],
  ['optional credentials', secured([{ a: [] }]), secured([{ a: [] }, {}]), 'same'],
  ['credentials that are optional no more', secured([{ a: [] }, {}]), secured([{ a: [] }]), 'breaking'],
  [
    'security of the document, in the operation',
    secured([{ a: [] }]),
    secured(undefined, [{ a: [] }]),
    'same',
  ],
  ['an operation that opts out no more', secured([{ a: [] }], []), secured([{ a: [] }]), 'breaking'],
  ['alternatives in another order', secured([{ a: [] }, { b: [] }]), secured([{ b: [] }, { a: [] }]), 'same'],

  // Addresses.
  [
    'the base path moves into the paths',
    at([{ url: 'https://a.example/v1' }]),
    at([{ url: 'https://a.example' }], '/v1'),
    'same',
  ],
  ['another host', at([{ url: 'https://a.example/v1' }]), at([{ url: 'https://b.example/v1' }]), 'same'],
  [
    'a server with a variable',
    at([{ url: 'https://a.example/v1' }]),
    at([{ url: 'https://{host}/v1', variables: { host: { default: 'a.example' } } }]),
    'same',
  ],
  [
    'servers of the path',
    at([{ url: 'https://a.example/v1' }]),
    {
      ...at([]),
      paths: {
        '/things/{id}': {
          servers: [{ url: 'https://a.example/v1' }],
          get: { operationId: 'read', parameters: [id], responses: OK },
        },
      },
    },
    'safe',
  ],
  ['another server', at([{ url: '/v1' }]), at([{ url: '/v2' }]), 'breaking'],
  ['a server less', at([{ url: '/v1' }, { url: '/v2' }]), at([{ url: '/v2' }]), 'breaking'],
  ['a server more', at([{ url: '/v1' }]), at([{ url: '/v2' }, { url: '/v1' }]), 'same'],
  [
    'a value of a server variable less',
    at([{ url: '/v{n}', variables: { n: { default: '2', enum: ['1', '2'] } } }]),
    at([{ url: '/v{n}', variables: { n: { default: '2', enum: ['2'] } } }]),
    'breaking',
  ],
  ['an operation gets servers', apart(), apart([{ url: '/v9' }]), 'breaking'],
  [
    'an operation gets the servers of the document',
    apart(),
    apart([{ url: 'https://a.example/v1' }]),
    'same',
  ],
  ['an operation gets servers beside', apart(), apart([{ url: '/v9' }, { url: '/v1' }]), 'same'],
  ['an operation loses servers', apart([{ url: '/v9' }]), apart(), 'breaking'],
  [
    'a path has other servers',
    apart(undefined, [{ url: '/p' }]),
    apart(undefined, [{ url: '/q' }]),
    'breaking',
  ],
  [
    'servers of the path stand in the operation',
    apart(undefined, [{ url: '/p' }]),
    apart([{ url: '/p' }]),
    'same',
  ],
  [
    'an operation is at another host',
    apart([{ url: 'https://b.example/v1' }]),
    apart([{ url: 'https://c.example/v1' }]),
    'breaking',
  ],
  [
    'an operation leaves the host of the document',
    apart(),
    apart([{ url: 'https://b.example/v1' }]),
    'breaking',
  ],
  [
    'a slash at the end of a path',
    at([{ url: '/' }]),
    {
      ...at([{ url: '/' }]),
      paths: { '/things/{id}/': { get: { operationId: 'read', parameters: [id], responses: OK } } },
    },
    'breaking',
  ],
  [
    'a path item as a reference',
    at([{ url: '/' }]),
    {
      ...at([{ url: '/' }]),
      paths: { '/things/{id}': { $ref: '#/components/pathItems/T' } },
      components: { pathItems: { T: { get: { operationId: 'read', parameters: [id], responses: OK } } } },
    },
    'same',
  ],
  [
    'another method',
    at([{ url: '/' }]),
    {
      ...at([{ url: '/' }]),
      paths: { '/things/{id}': { post: { operationId: 'read', parameters: [id], responses: OK } } },
    },
    'breaking',
  ],
  [
    'another operationId',
    things({ parameters: [id] }),
    things({ parameters: [id], operationId: 'get' }),
    'safe',
  ],
  [
    'deprecated until a day',
    things({ parameters: [id] }),
    things({ parameters: [id], deprecated: true, 'x-sunset': '2031-01-01' }),
    'safe',
  ],
  [
    'removed before its day',
    { ...things({ parameters: [id], deprecated: true, 'x-sunset': '2099-01-01' }) },
    { ...things({}), paths: { '/others': { get: { responses: OK } } } },
    'breaking',
  ],
  [
    'removed after its day',
    { ...things({ parameters: [id], deprecated: true, 'x-sunset': '2020-01-01' }) },
    { ...things({}), paths: { '/others': { get: { responses: OK } } } },
    'safe',
  ],
  [
    'a callback more',
    things({ parameters: [id] }),
    things({
      parameters: [id],
      callbacks: { done: { '{$request.query.url}': { post: { responses: OK } } } },
    }),
    'same',
  ],
];

/** Edits of operations, their parameters, bodies, responses, credentials and addresses. */
export const OPERATION_EDITS: readonly Edit[] = ROWS.map(([name, old, next, verdict]) => [
  name,
  [old, next],
  verdict,
]);
