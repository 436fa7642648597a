import { answered, asked, type DocumentPair, documentOf, json, OK, posted } from './documents.ts';

const text = { type: 'string' };
const swapped = ([old, next]: DocumentPair): DocumentPair => [next, old];

/** An operation GET /things beside an unchanged one. */
const get = (members: object, more: object = {}) =>
  documentOf(
    { '/things': { get: { responses: OK, ...members } }, '/others': { get: { responses: OK } } },
    more,
  );
const pair = (old: object, next: object): DocumentPair => [get(old), get(next)];
const without = (old: object): DocumentPair => [
  get(old),
  documentOf({ '/others': { get: { responses: OK } } }),
];
const withoutMethod = (old: object): DocumentPair => {
  const paths = (members: object) => documentOf({ '/things': { ...members, post: { responses: OK } } });
  return [paths({ get: { responses: OK, ...old } }), paths({})];
};
const SOON = { deprecated: true, 'x-sunset': '2031-01-01' };
const PAST = { deprecated: true, 'x-sunset': '2020-01-01' };

const secured = (schemes: object, security: object[] | undefined, override?: object[]) =>
  documentOf(
    { '/things': { get: { responses: OK, ...(override && { security: override }) } } },
    { components: { securitySchemes: schemes }, ...(security && { security }) },
  );
const flow = (tokenUrl: string, scopes: object, authorizationUrl = 'https://auth.example/a') => ({
  type: 'oauth2',
  flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes } },
});
const oauth = flow('https://auth.example/t', { read: 'Read.', write: 'Write.' });
const bearer = { type: 'http', scheme: 'bearer' };
const asks = (schemes: object, next: object): DocumentPair => [
  secured(schemes, [{ auth: ['read'] }]),
  secured(next, [{ auth: ['read'] }]),
];
const scopesOf = (isOverride: boolean): DocumentPair => {
  const made = (scopes: string[]) =>
    isOverride
      ? secured({ auth: oauth }, undefined, [{ auth: scopes }])
      : secured({ auth: oauth }, [{ auth: scopes }]);
  return [made(['read']), made(['read', 'write'])];
};
const NONE = secured({ auth: bearer }, undefined);

const parameter = (members: object, place = 'query') => ({
  name: 'value',
  in: place,
  schema: text,
  ...members,
});
const parameters = (old: object[], next: object[]): DocumentPair => [asked(old), asked(next)];

const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties: { a: text, ...properties },
  ...(required.length > 0 && { required }),
});
const request = (old: object, next: object): DocumentPair => [posted(old), posted(next)];
const response = (old: object, next: object): DocumentPair => [answered(old), answered(next)];
const value = (members: object, isRequired: boolean) =>
  object({ value: { ...text, ...members } }, isRequired ? ['value'] : []);
/** `readOnly` or `writeOnly` is added to an optional or a required member. */
const becomes = (make: typeof request, flag: string, isRequired: boolean): DocumentPair =>
  make(value({}, isRequired), value({ [flag]: true }, isRequired));

const body = (requestBody: object | undefined) =>
  documentOf({ '/things': { post: { ...(requestBody && { requestBody }), responses: OK } } });
const bodies = (old: object | undefined, next: object | undefined): DocumentPair => [body(old), body(next)];
const JSON_BODY = json(object({}));
const content = (...types: string[]) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: text }])),
});
const answers = (responses: object) => documentOf({ '/things': { get: { responses } } });
const A_THING = { description: 'A thing.', ...json(object({})) };
const header = (members: object | undefined) =>
  answers({ 200: { description: 'A thing.', ...(members && { headers: { 'X-Value': members } }) } });
const versioned = (version: string) => ({
  ...documentOf({ '/things': { get: { responses: OK } } }),
  info: { title: 'Things', version },
});
const apiKey = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
const lines = (itemSchema: object | undefined) => ({
  content: { 'application/jsonl': { ...(itemSchema && { itemSchema }) } },
});
const streamed = (itemSchema: object | undefined) => ({
  ...body({ required: true, ...lines(itemSchema) }),
  openapi: '3.2.0',
});
const streaming = (itemSchema: object | undefined) => ({
  ...answers({ 200: { description: 'Things.', ...lines(itemSchema) } }),
  openapi: '3.2.0',
});
const webhook = { webhooks: { arrived: { post: { responses: OK } } } };

/** The checks that are not about a single schema. */
export const SPECIAL_PAIRS: Readonly<Record<string, DocumentPair>> = {
  'api-deprecated-sunset-missing': pair({}, { deprecated: true }),
  'api-deprecated-sunset-parse': pair({}, { deprecated: true, 'x-sunset': 'soon' }),
  'api-sunset-date-too-small': pair({}, PAST),
  'api-sunset-date-changed-too-small': pair(SOON, PAST),
  'sunset-deleted': pair(SOON, { deprecated: true }),
  'endpoint-deprecated': pair({}, { deprecated: true }),
  'endpoint-deprecated-with-sunset': pair({}, SOON),
  'endpoint-reactivated': pair({ deprecated: true }, {}),
  'endpoint-added': swapped(without({})),
  'api-path-removed-without-deprecation': without({}),
  'api-path-removed-with-deprecation': without(PAST),
  'api-path-removed-before-sunset': without(SOON),
  'api-path-sunset-parse': without({ deprecated: true, 'x-sunset': 'soon' }),
  'api-removed-without-deprecation': withoutMethod({}),
  'api-removed-with-deprecation': withoutMethod(PAST),
  'api-removed-before-sunset': withoutMethod(SOON),
  'api-operation-id-added': pair({}, { operationId: 'getThings' }),
  'api-operation-id-removed': pair({ operationId: 'getThings' }, {}),
  'api-tag-added': pair({}, { tags: ['things'] }),
  'api-tag-removed': pair({ tags: ['things'] }, {}),
  'api-stability-decreased': pair({}, { 'x-stability': 'beta' }),
  'api-stability-increased': pair({ 'x-stability': 'beta' }, {}),
  'api-invalid-stability-level': pair({}, { 'x-stability': 'firm' }),
  'api-version-decreased': [versioned('2.0.0'), versioned('1.0.0')],
  'api-version-not-bumped': [versioned('1.0.0'), versioned('1.0.0')],
  'api-major-version-not-bumped': [versioned('1.0.0'), versioned('1.1.0')],
  'api-schema-removed': [
    documentOf({ '/things': { get: { responses: OK } } }, { components: { schemas: { Thing: text } } }),
    documentOf({ '/things': { get: { responses: OK } } }, { components: { schemas: {} } }),
  ],
  'webhook-added': [get({}), get({}, webhook)],
  'webhook-removed': [get({}, webhook), get({})],

  'api-global-security-added': [NONE, secured({ auth: bearer }, [{ auth: [] }])],
  'api-global-security-removed': [secured({ auth: bearer }, [{ auth: [] }]), NONE],
  'api-global-security-scope-added': scopesOf(false),
  'api-global-security-scope-removed': swapped(scopesOf(false)),
  'api-security-added': [NONE, secured({ auth: bearer }, undefined, [{ auth: [] }])],
  'api-security-removed': [secured({ auth: bearer }, undefined, [{ auth: [] }]), NONE],
  'api-security-scope-added': scopesOf(true),
  'api-security-scope-removed': swapped(scopesOf(true)),
  'api-security-component-added': [NONE, secured({ auth: bearer, other: oauth }, undefined)],
  'api-security-component-removed': [secured({ auth: bearer, other: oauth }, undefined), NONE],
  'api-security-component-type-changed': asks(
    { auth: bearer },
    { auth: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  ),
  'api-security-component-oauth-url-changed': asks(
    { auth: oauth },
    { auth: flow('https://auth.example/t', { read: 'Read.', write: 'Write.' }, 'https://auth.example/b') },
  ),
  'api-security-component-oauth-token-url-changed': asks(
    { auth: oauth },
    { auth: flow('https://auth.example/u', { read: 'Read.', write: 'Write.' }) },
  ),
  'api-security-component-oauth-scope-added': asks(
    { auth: oauth },
    { auth: flow('https://auth.example/t', { read: 'Read.', write: 'Write.', all: 'All.' }) },
  ),
  'api-security-component-oauth-scope-removed': asks(
    { auth: oauth },
    { auth: flow('https://auth.example/t', { read: 'Read.' }) },
  ),
  'api-security-component-oauth-scope-changed': asks(
    { auth: oauth },
    { auth: flow('https://auth.example/t', { read: 'Read all.', write: 'Write.' }) },
  ),

  'api-security-anonymous-access-added': [
    secured({ auth: bearer }, [{ auth: [] }]),
    secured({ auth: bearer }, [{ auth: [] }, {}]),
  ],
  'api-security-anonymous-access-removed': [
    secured({ auth: bearer }, [{ auth: [] }, {}]),
    secured({ auth: bearer }, [{ auth: [] }]),
  ],
  'api-security-component-api-key-in-changed': asks(
    { auth: apiKey('header', 'key') },
    { auth: apiKey('query', 'key') },
  ),
  'api-security-component-api-key-name-changed': asks(
    { auth: apiKey('query', 'key') },
    { auth: apiKey('query', 'id') },
  ),
  'api-security-component-bearer-format-changed': asks(
    { auth: { ...bearer, bearerFormat: 'JWT' } },
    { auth: { ...bearer, bearerFormat: 'opaque' } },
  ),
  'api-security-component-http-scheme-changed': asks(
    { auth: bearer },
    { auth: { type: 'http', scheme: 'basic' } },
  ),
  'api-security-component-oauth-refresh-url-changed': asks(
    { auth: oauth },
    {
      auth: {
        ...oauth,
        flows: {
          authorizationCode: { ...oauth.flows.authorizationCode, refreshUrl: 'https://auth.example/r' },
        },
      },
    },
  ),
  'api-security-component-openid-connect-url-changed': asks(
    { auth: { type: 'openIdConnect', openIdConnectUrl: 'https://auth.example/1' } },
    { auth: { type: 'openIdConnect', openIdConnectUrl: 'https://auth.example/2' } },
  ),
  'request-property-removed-before-sunset': request(value(SOON, false), object({})),
  'request-property-removed-with-deprecation': request(value(PAST, false), object({})),
  'response-required-property-removed-before-sunset': response(value(SOON, true), object({})),
  'response-required-property-removed-with-deprecation': response(value(PAST, true), object({})),
  'request-required-property-became-not-read-only-in-openapi-31': swapped(becomes(request, 'readOnly', true)),
  'request-body-media-type-item-schema-added': [streamed(undefined), streamed(text)],
  'request-body-media-type-item-schema-removed': [streamed(text), streamed(undefined)],
  'response-body-media-type-item-schema-added': [streaming(undefined), streaming(text)],
  'response-body-media-type-item-schema-removed': [streaming(text), streaming(undefined)],
  'response-body-media-type-item-schema-removed-untyped': [streaming(text), streaming(undefined)],

  'new-optional-request-parameter': parameters([], [parameter({})]),
  'new-required-request-parameter': parameters([], [parameter({ required: true })]),
  'new-optional-request-default-parameter-to-existing-path': parameters(
    [],
    [parameter({ schema: { ...text, default: 'a' } })],
  ),
  'new-required-request-default-parameter-to-existing-path': parameters(
    [],
    [parameter({ required: true, schema: { ...text, default: 'a' } })],
  ),
  'new-request-path-parameter': [
    documentOf({ '/things': { get: { responses: OK } } }),
    documentOf({
      '/things/{value}': { get: { parameters: [parameter({ required: true }, 'path')], responses: OK } },
    }),
  ],
  'new-required-request-header-property': parameters(
    [
      {
        name: 'X-Value',
        in: 'header',
        content: { 'application/json': { schema: object({}) } },
        required: true,
      },
    ],
    [
      {
        name: 'X-Value',
        in: 'header',
        content: { 'application/json': { schema: value({}, true) } },
        required: true,
      },
    ],
  ),
  'request-header-property-became-required': parameters(
    [
      {
        name: 'X-Value',
        in: 'header',
        content: { 'application/json': { schema: value({}, false) } },
        required: true,
      },
    ],
    [
      {
        name: 'X-Value',
        in: 'header',
        content: { 'application/json': { schema: value({}, true) } },
        required: true,
      },
    ],
  ),
  'request-parameter-became-optional': parameters([parameter({ required: true })], [parameter({})]),
  'request-parameter-became-required': parameters([parameter({})], [parameter({ required: true })]),
  'request-parameter-removed': parameters([parameter({})], []),
  'request-parameter-removed-with-deprecation': parameters([parameter(PAST)], []),
  'request-parameter-removed-before-sunset': parameters([parameter(SOON)], []),
  'request-parameter-sunset-parse': parameters([parameter({ deprecated: true, 'x-sunset': 'soon' })], []),
  'request-parameter-deprecated': parameters([parameter({})], [parameter({ deprecated: true })]),
  'request-parameter-deprecated-sunset-missing': parameters(
    [parameter({})],
    [parameter({ deprecated: true })],
  ),
  'request-parameter-reactivated': parameters([parameter({ deprecated: true })], [parameter({})]),
  'request-parameter-sunset-date-too-small': parameters([parameter({})], [parameter(PAST)]),
  'request-parameter-sunset-date-changed-too-small': parameters([parameter(SOON)], [parameter(PAST)]),
  'request-parameter-sunset-deleted': parameters([parameter(SOON)], [parameter({ deprecated: true })]),

  'request-body-added-optional': bodies(undefined, JSON_BODY),
  'request-body-added-required': bodies(undefined, { ...JSON_BODY, required: true }),
  'request-body-removed': bodies({ ...JSON_BODY, required: true }, undefined),
  'request-body-became-optional': bodies({ ...JSON_BODY, required: true }, JSON_BODY),
  'request-body-became-required': bodies(JSON_BODY, { ...JSON_BODY, required: true }),
  'request-body-media-type-added': bodies(
    content('application/json'),
    content('application/json', 'text/plain'),
  ),
  'request-body-media-type-removed': bodies(
    content('application/json', 'text/plain'),
    content('application/json'),
  ),
  'request-body-media-type-schema-added': bodies({ content: { 'application/json': {} } }, JSON_BODY),
  'request-body-media-type-schema-removed': bodies(JSON_BODY, { content: { 'application/json': {} } }),

  'new-optional-request-property': request(object({}), value({}, false)),
  'new-required-request-property': request(object({}), value({}, true)),
  'new-required-request-property-with-default': request(object({}), value({ default: 'b' }, true)),
  'request-property-removed': request(value({}, false), object({})),
  'request-property-became-optional': request(value({}, true), value({}, false)),
  'request-property-became-required': request(value({}, false), value({}, true)),
  'request-property-became-required-with-default': request(
    value({ default: 'b' }, false),
    value({ default: 'b' }, true),
  ),
  'request-optional-property-became-read-only': becomes(request, 'readOnly', false),
  'request-optional-property-became-write-only': becomes(request, 'writeOnly', false),
  'request-optional-property-became-not-read-only': swapped(becomes(request, 'readOnly', false)),
  'request-optional-property-became-not-write-only': swapped(becomes(request, 'writeOnly', false)),
  'request-required-property-became-read-only': becomes(request, 'readOnly', true),
  'request-required-property-became-write-only': becomes(request, 'writeOnly', true),
  'request-required-property-became-not-read-only': swapped(becomes(request, 'readOnly', true)),
  'request-required-property-became-not-write-only': swapped(becomes(request, 'writeOnly', true)),

  'response-optional-property-became-read-only': becomes(response, 'readOnly', false),
  'response-optional-property-became-write-only': becomes(response, 'writeOnly', false),
  'response-optional-property-became-not-read-only': swapped(becomes(response, 'readOnly', false)),
  'response-optional-property-became-not-write-only': swapped(becomes(response, 'writeOnly', false)),
  'response-required-property-became-read-only': becomes(response, 'readOnly', true),
  'response-required-property-became-write-only': becomes(response, 'writeOnly', true),
  'response-required-property-became-not-read-only': swapped(becomes(response, 'readOnly', true)),
  'response-required-property-became-not-write-only': swapped(becomes(response, 'writeOnly', true)),
  'response-optional-property-added': response(object({}), value({}, false)),
  'response-optional-property-removed': response(value({}, false), object({})),
  'response-required-property-added': response(object({}), value({}, true)),
  'response-required-property-removed': response(value({}, true), object({})),
  'response-property-became-optional': response(value({}, true), value({}, false)),
  'response-property-became-required': response(value({}, false), value({}, true)),
  'response-optional-write-only-property-added': response(object({}), value({ writeOnly: true }, false)),
  'response-optional-write-only-property-removed': response(value({ writeOnly: true }, false), object({})),
  'response-required-write-only-property-added': response(object({}), value({ writeOnly: true }, true)),
  'response-required-write-only-property-removed': response(value({ writeOnly: true }, true), object({})),
  'response-write-only-property-became-optional': response(
    value({ writeOnly: true }, true),
    value({ writeOnly: true }, false),
  ),
  'response-write-only-property-became-required': response(
    value({ writeOnly: true }, false),
    value({ writeOnly: true }, true),
  ),

  'response-header-added': [header(undefined), header({ schema: text })],
  'optional-response-header-removed': [header({ schema: text }), header(undefined)],
  'required-response-header-removed': [header({ schema: text, required: true }), header(undefined)],
  // A text may be any type.
  'response-header-type-changed': [header({ schema: { type: 'integer' } }), header({ schema: text })],
  'response-header-became-optional': [header({ schema: text, required: true }), header({ schema: text })],
  'response-body-media-type-schema-added': [
    answers({ 200: { description: 'A thing.', content: { 'application/json': {} } } }),
    answers({ 200: A_THING }),
  ],
  'response-body-media-type-schema-removed': [
    answers({ 200: A_THING }),
    answers({ 200: { description: 'A thing.', content: { 'application/json': {} } } }),
  ],
  ...mediaTypes('response-media-type-added', ['application/json'], ['application/json', 'text/plain']),
  ...mediaTypes('response-media-type-removed', ['application/json', 'text/plain'], ['application/json']),
  ...mediaTypes(
    'response-media-type-name-changed',
    ['application/json'],
    ['application/json; charset=utf-8'],
  ),
  ...mediaTypes('response-media-type-parameter-added', ['text/plain'], ['text/plain; charset=utf-8']),
  ...mediaTypes('response-media-type-parameter-removed', ['text/plain; charset=utf-8'], ['text/plain']),
  ...mediaTypes(
    'response-media-type-parameter-changed',
    ['text/plain; charset=utf-8'],
    ['text/plain; charset=utf-16'],
  ),
  ...mediaTypes('response-media-type-name-generalized', ['application/problem+json'], ['application/json']),
  ...mediaTypes('response-media-type-name-specialized', ['application/json'], ['application/problem+json']),
  'response-success-status-added': [answers({ 200: A_THING }), answers({ 200: A_THING, 202: A_THING })],
  'response-success-status-removed': [answers({ 200: A_THING, 202: A_THING }), answers({ 202: A_THING })],
  'response-non-success-status-added': [answers({ 200: A_THING }), answers({ 200: A_THING, 409: A_THING })],
  'response-non-success-status-removed': [answers({ 200: A_THING, 409: A_THING }), answers({ 200: A_THING })],
};

function mediaTypes(check: string, old: string[], next: string[]): Record<string, DocumentPair> {
  const made = (types: string[]) => answers({ 200: { description: 'A thing.', ...content(...types) } });
  return { [check]: [made(old), made(next)] };
}
