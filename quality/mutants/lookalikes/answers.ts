import { guarding, mockOf, refuseIf } from '../mock-faults.ts';
import { lookalikes } from '../suspect.ts';

/** A service may disregard what a client accepts (RFC 9110 §12.5.1). */
const oneType = guarding((guard) => (request) => {
  Reflect.deleteProperty(request.headers, 'accept');
  return guard(request);
});

const refuseTables = refuseIf(
  'list',
  (_, { request }) => request.headers.accept === 'text/csv',
  'not acceptable',
);
const examplesTaken = refuseIf('create', ({ email }) => /@kennels\.example$/.test(String(email)), 'conflict');

/** What the document leaves to the service in the choice of media types, and of its own examples. */
export const answersLookalikes = [
  ...lookalikes('kennels', mockOf('kennels.yaml'), [
    ['as-it-is', 'kennels that keep their document', {}],
    ['one-type', 'whatever a client accepts, it gets JSON', oneType],
    ['no-tables', 'who accepts text/csv alone gets 406', refuseTables],
    ['examples-taken', 'the owners of the examples are there already', examplesTaken],
  ]),
  ...lookalikes('kennels', mockOf('kennels.yaml', { count: 0 }), [['empty', 'kennels without owners', {}]]),
];
