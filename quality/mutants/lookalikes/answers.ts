import { defaultParts } from '#mock';
import { isRecord } from '#spec';
import { action, type MockFault, mockOf } from '../mock-faults.ts';
import { lookalikes } from '../suspect.ts';

/** A service may disregard what a client accepts (RFC 9110 §12.5.1). */
const oneType: MockFault = {
  authenticate(operation, keys) {
    const guard = defaultParts.authenticate(operation, keys);
    return (request) => {
      Reflect.deleteProperty(request.headers, 'accept');
      return guard(request);
    };
  },
};

const refuseTables = action('list', (act) => (task) => {
  const isTable = task.request.headers.accept === 'text/csv';
  return isTable ? { refuse: 'not acceptable', message: 'only JSON' } : act(task);
});

const examplesTaken = action('create', (act) => (task) => {
  const { body } = task.values;
  const isExample = isRecord(body) && /@kennels\.example$/.test(String(body.email));
  return isExample ? { refuse: 'conflict', message: 'there is such an owner' } : act(task);
});

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
