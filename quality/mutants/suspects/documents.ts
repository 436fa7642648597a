import type { Parts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import {
  always,
  answerAs,
  eachOf,
  keepRemoved,
  listQuery,
  loseCreated,
  type MockFault,
  mockOf,
  refusal,
  refuseIf,
  replying,
  respondTo,
  response,
  responseBody as shown,
  skipAuthentication,
  skipValidation,
  storedMember,
  storedMembers,
} from '../mock-faults.ts';
import { convert, type Data, set, setDefault } from '../record-changes.ts';
import { lookalikes, mutants, type Operators, product, type Service } from '../suspect.ts';
import { leftOpenLookalikes } from './left-open.ts';

/** Members with this value are not stored. */
const dropValue = (value: unknown) =>
  storedMembers((members) => Object.fromEntries(Object.entries(members).filter(([, one]) => one !== value)));
const errorsWith = (body: unknown) => refusal((reply) => ({ ...reply, body: stringifyJson(body) }));
const LOSSY = ['created-equals-sent', 'schema', 'created-can-be-read'] as const;
const OPEN = 'unauthorised-first';
const TEAPOT = 418;

/** Faults for the service of any document, even one that leaves much open. */
const ANYWHERE: Operators<MockFault> = {
  'created is lost': ['created-can-be-read', loseCreated],
  'created gets 200': [answerAs('create', 200)],
  'removed stays': ['removed-is-gone', keepRemoved],
  'null is not stored': [LOSSY, dropValue(null)],
  'size is ignored': ['page-size', listQuery(() => ({ limit: 1e9 }))],
  'invalid is accepted': ['invalid-refused', skipValidation(['POST', 'PUT', 'PATCH'])],
  'invalid gets 400': [['invalid-refused', 'content-type'], respondTo('invalid', 400)],
  'invalid gets 500': ['invalid-refused', respondTo('invalid', 500)],
  'missing gets 500': [['status', 'unknown-id', 'removed-is-gone'], respondTo('not found', 500)],
  'media type gets 500': ['invalid-tolerated', respondTo('media type', 500)],
  'no key gets 403': [OPEN, respondTo('unauthorized', 403)],
  'GET is open': [OPEN, skipAuthentication('GET')],
  'errors are other objects': ['schema', errorsWith({ error: 7, title: 7 })],
  'errors are plain JSON': ['content-type', refusal((reply) => ({ ...reply, type: 'application/json' }))],
  'GET gets 418': [always('GET', TEAPOT, '{')],
  'POST gets 409': [always('POST', 409)],
};

const of = (fixture: string) => mockOf(`${fixture}.yaml`);
const [warehouse, notices] = [of('warehouse'), of('notices/openapi')];
const [libraries, shelter, kennels] = [of('libraries'), of('shelter'), of('kennels')];
const trainTravel = mockOf('./node_modules/@readme/oas-examples/3.1/yaml/train-travel.yaml');
const galaxy = mockOf('./node_modules/@scalar/galaxy/dist/latest.yaml');
const OF_TRAINS = ['errors are plain JSON', 'removed stays'];
const STATUSES = ['GET gets 418', 'POST gets 409'];
const OF_MOORINGS = ['missing gets 500', 'media type gets 500'];

const anywhere = product(ANYWHERE, 'status', [
  ['warehouse', warehouse, ['created is lost', 'null is not stored', 'errors are other objects']],
  ['tide-gauges', of('tide-gauges'), ['GET is open']],
  ['notices', notices, ['invalid is accepted']],
  ['libraries', libraries, ['invalid gets 400']],
  ['train-travel', trainTravel, OF_TRAINS],
  ['shelter', shelter, ['size is ignored', 'created gets 200']],
  ['bicycles', of('bicycles'), STATUSES],
  ['bookings', of('bookings'), ['no key gets 403', 'invalid gets 500']],
  ['moorings', of('moorings'), OF_MOORINGS],
]);

const listBody = (change: (body: Data) => unknown) => shown('list', change);
const cut = (text: string) => text.slice(0, -1);
const locationOf = (article: string) =>
  response('create', (reply) => ({ ...reply, headers: { ...reply.headers, Location: article } }));
const shiftIds = shown(
  'read',
  convert('id', (id) => String(id).replace(/^.{8}/, '00000000')),
);
const refuseCity = refuseIf('list', (_, { values }) => values.parameters.query.city === 'Odense');
const csvAsHtml = replying('text/csv', () => ({ type: 'text/html' }));
const ofOne = [
  ...mutants('warehouse', warehouse, LOSSY, {
    'label-cut': ['labels are stored without their last character', storedMember('label', cut)],
    'total-text': ['the total is a string', 'schema', listBody(convert('total_count', String))],
    'location-of-another': ['Location is that of another', 'location', locationOf('/api/v2/articles/1')],
    'location-without-number': ['Location has no number', 'header', locationOf('/api/v2/articles/')],
  }),
  ...mutants('notices', notices, LOSSY, {
    'one-form': ['every order is stored as one by mail', storedMembers(set('channel', 'mail'))],
  }),
  ...mutants('train-travel', trainTravel, LOSSY, {
    'id-short': ['the id of a created booking is no UUID', 'schema', shown('create', set('id', 'b-7'))],
    'other-id': ['a booking is read with another id', 'path-id', shiftIds],
  }),
  ...mutants('galaxy', galaxy, 'schema', {
    'further-member': ['a created planet has a further member', shown('create', set('moons', {}))],
    'type-unknown': ['a planet read has a type outside the enum', shown('read', set('type', 'sun'))],
    'type-added': ['a type is added', 'replaced-is-replaced', shown('replace', setDefault('type', 'dwarf'))],
  }),
  ...mutants('shelter', shelter, 'schema', {
    'updated-status': ['POST answers another status of an animal', shown('update', set('status', 'lost'))],
    'keeper-ids': ['ids of listed keepers are texts', listBody(eachOf('data', set('id', 'k')))],
  }),
  ...mutants('kennels', kennels, 'example-accepted', {
    'short-name': ['a name of an example is refused', refuseIf('create', ({ name }) => name === 'Dan')],
    'csv-as-html': ['a table is said to be a page', 'content-type', csvAsHtml],
  }),
  // The example of an optional parameter is no promise.
  ...mutants('kennels', { ...kennels, options: { strict: ['presumed'] } }, 'example-accepted', {
    'no-odense': ['a city that the document shows is refused', refuseCity],
  }),
];

type Sent = Parameters<Parts['dispatch']>[0];

/** Only the callbacks of one document; they arrive in less than a second even on a busy machine. */
const signals: Service<MockFault> = { ...of('signals'), options: { only: '/callback-', settle: 1500 } };
/** A callback that is promised within a second and contains its sending time. */
const pagers: Service<MockFault> = { ...of('pagers'), options: { ...signals.options, allow: ['sendPage'] } };

const dispatch = (change: (request: Sent) => Partial<Sent> | undefined): MockFault => ({
  dispatch(request) {
    const changed = change(request);
    return changed && { ...request, ...changed };
  },
});
const dispatchBody = (change: (body: Data) => unknown): MockFault =>
  dispatch(({ body }) => {
    const sent = parseJson(new TextDecoder().decode(body)) as Data;
    return { body: new TextEncoder().encode(stringifyJson(change(sent))) };
  });
const header = (name: string, value: string): MockFault =>
  dispatch(({ headers }) => ({ headers: { ...headers, [name]: value } }));

/** Nothing listens at this address, so that the first attempt of each message fails. */
const failsFirst = (): MockFault => {
  const begun = new Set<string>();
  return dispatch(({ url }) => {
    if (begun.has(url)) return {};
    begun.add(url);
    return { url: 'http://127.0.0.1:2/' };
  });
};
/** The sending time in the local time of another zone, or with its offset. */
const inOtherZone = (offset: string): MockFault =>
  dispatchBody((sent) => ({
    ...sent,
    sentAt: `${new Date(Date.now() + 7_200_000).toISOString().slice(0, -1)}${offset}`,
  }));
const flagAsText = dispatchBody((sent) => ('passed' in sent ? { ...sent, passed: 'yes' } : sent));
const callbacksMutants = [
  ...mutants('callbacks', signals, 'callback', {
    suffix: ['the URL lacks its end', dispatch(({ url }) => ({ url: url.replace('/done', '') }))],
    'header-value': ['the header has no documented value', header('x-signal-event', 'signal.lit')],
    'member-type': ['a flag is a text', flagAsText],
  }),
  ...mutants('callbacks', pagers, 'callback', {
    'promised-silent': ['a callback that is promised within a second never comes', dispatch(() => undefined)],
    'moment-ahead': ['the moment of sending is in the local time of another zone', inOtherZone('Z')],
  }),
];
const callbacksLookalikes = [
  ...lookalikes('callbacks', signals, {
    silent: ['no callback is ever sent', dispatch(() => undefined)],
    charset: ['the media type has a charset', header('content-type', 'application/json; charset=utf-8')],
  }),
  ...lookalikes('callbacks', pagers, {
    'tried-again': ['the first attempt of each callback fails', failsFirst()],
    zone: ['the moment of sending has an offset from UTC', inOtherZone('+02:00')],
  }),
];

export const documents = {
  'documents of other forms, and what they are silent on': [[...anywhere, ...ofOne], leftOpenLookalikes],
  'callbacks that a service sends': [callbacksMutants, callbacksLookalikes],
} as const;
