import type { Ask } from '../by-hand/behaviour.ts';
import { correct } from '../by-hand/correct.ts';
import { every } from '../record-changes.ts';
import { content, error, petStore, type ShopFault, unauthorized, when, wireIf } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const hasKey = ({ headers }: Ask) => headers.authorization !== undefined;
const isOtherScheme = ({ headers }: Ask) => !/^bearer /i.test(headers.authorization ?? 'bearer ');
const hasNoSpace = ({ headers }: Ask) => /^\S+$/.test(headers.authorization ?? '');
const isRead = ({ path }: Ask) => path !== '/pets';
const isList = ({ method, path }: Ask) => method === 'GET' && path === '/pets';

/** A request without a valid key is refused, but not as documented. */
const wrongRefusals = mutants('auth', using(petStore, unauthorized), 'unauthorised-first', [
  ['403', 'a refusal is 403', error(403)],
  ['403-wrong-key', 'a wrong key gets 403, a missing one 401', when(hasKey, error(403))],
  ['403-missing-key', 'a missing key gets 403, a wrong one 401', when((ask) => !hasKey(ask), error(403))],
  ['400-malformed', 'another scheme than Bearer gets 400', when(isOtherScheme, error(400))],
  ['404', 'a request without a key gets 404', error(404)],
  ['200', 'a refusal is 200 with the error body of a 401', error(200, { status: 401 })],
  ['redirect', 'a refusal redirects to a login page', { status: 302, headers: { Location: '/login' } }],
  ['500-no-scheme', 'an Authorization header without a space gets 500', when(hasNoSpace, error(500))],
  ['empty-list', 'the list without a key is empty', when(isList, { status: 200, body: [] })],
]);

const wrongBody = { status: 401, body: { error: 'no' } };
const STATUS = ['schema', 'error-status'] as const;

const wrongUnauthorizedBodies = mutants('auth', using(petStore, unauthorized), 'schema', [
  ['body-status', 'the 401 body says 403', STATUS, error(401, { status: 403 })],
  ['body-status-text', 'the status in the 401 body is a string', STATUS, error(401, { status: '401' })],
  ['body-without-code', 'the 401 body lacks its code', error(401, { code: undefined })],
  ['body-without-message', 'the 401 body lacks its message', error(401, { message: undefined })],
  ['body-without-status', 'the 401 body lacks its status', error(401, { status: undefined })],
  ['body-numeric-code', 'the code in the 401 body is a number', error(401, { code: 401n })],
  ['body-wrapped', 'the 401 body is wrapped in "error"', { status: 401, body: { error: error(401).body } }],
  ['body-text', 'the 401 body is a JSON string', { status: 401, body: 'unauthorized' }],
  ['body-empty', 'the 401 has no body', ['content-type', 'whole-json'], { status: 401 }],
  ['one-wrong-body', 'only the read has a wrong 401 body', when(isRead, wrongBody)],
]);

const refuseEveryNinth: ShopFault = () => {
  const isNinth = every(9);
  return {
    authenticate: (ask, shop) =>
      correct.authenticate(ask, shop) ?? (isNinth() ? shop.does.refuse(401, 'no') : undefined),
  };
};

const html = (type: string) => wireIf((status) => status === 401, content(type, '<h1>Unauthorized</h1>'));
const STATUSES = ['status', 'invalid-refused', 'unknown-id', 'created-can-be-read'] as const;

const otherUnauthorizedResponses = mutants('auth', petStore, 'content-type', [
  ['html', 'the 401 is an HTML page', html('text/html')],
  ['html-as-json', 'the 401 is HTML labelled as JSON', 'whole-json', html('application/json')],
  ['good-key-refused', 'every ninth valid key is refused', STATUSES, refuseEveryNinth],
]);

export const unauthorizedResponsesMutants = [
  ...wrongRefusals,
  ...wrongUnauthorizedBodies,
  ...otherUnauthorizedResponses,
];
