import { content, error, petStore, type ResponseChange, response, wireIf } from '../shop-faults.ts';
import { mutants, using } from '../suspect.ts';

const on404 = (change: ResponseChange) => response('read', 404, change);

/** The read of an id that does not exist gets another response. */
const wrongNotFound = mutants('missing', using(petStore, on404), 'unknown-id', [
  ['200-null', 'an unknown id gets 200 null', { status: 200, body: null }],
  ['200-object', 'an unknown id gets 200 {}', { status: 200, body: {} }],
  ['200-array', 'an unknown id gets 200 []', { status: 200, body: [] }],
  ['200-error', 'an unknown id gets 200 with an error body', error(200)],
  ['200-empty', 'an unknown id gets 200 without a body', { status: 200 }],
  ['204', 'an unknown id gets 204', { status: 204 }],
  ['400', 'an unknown id gets 400', error(400)],
  ['403', 'an unknown id gets 403', error(403)],
  ['410', 'an unknown id gets 410', error(410)],
  ['500', 'an unknown id gets 500', error(500)],
  ['501', 'an unknown id gets 501', error(501)],
  ['302', 'an unknown id is redirected to the list', { status: 302, headers: { Location: '/v1/pets' } }],
  ['without-body', 'a 404 has no body', ['content-type', 'whole-json'], { status: 404 }],
]);

const STATUS = ['schema', 'error-status'] as const;

const wrongNotFoundBodies = mutants('missing', using(petStore, on404), 'schema', [
  ['body-status', 'the 404 body says 400', STATUS, error(404, { status: 400 })],
  ['body-status-text', 'the status in the 404 body is a string', STATUS, error(404, { status: '404' })],
  ['without-message', 'the 404 body lacks its message', error(404, { message: undefined })],
  ['without-code', 'the 404 body lacks its code', error(404, { code: undefined })],
  ['message-null', 'the message in the 404 body is null', error(404, { message: null })],
  ['detail', 'the 404 body is { detail }', { status: 404, body: { detail: 'Not found' } }],
]);

const htmlNotFound = mutants('missing', petStore, 'content-type', [
  ['html', 'a 404 is an HTML page', wireIf((status) => status === 404, content('text/html', '<h1>404</h1>'))],
]);

export const unknownRecordsMutants = [...wrongNotFound, ...wrongNotFoundBodies, ...htmlNotFound];
