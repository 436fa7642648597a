import { describe, expect, test } from 'vitest';
import { mayChange, namedMembers, statedMember, useMeaning, writeMeaning } from './stated.ts';
import { contractOf as contractWith, documentOf } from './testing/contract-of.ts';

const contractOf = ({ paths, ...others }: { paths: object; components?: object }) =>
  contractWith({ 'document.json': documentOf(paths, others) });

const ok = { 200: { description: 'Done' } };

describe('the description of a member says what the service does with it', () => {
  const stated = async (description: string) => {
    const { resources } = await contractOf({
      paths: {
        '/boxes': {
          get: {
            responses: {
              200: {
                description: 'All',
                content: {
                  'application/json': {
                    schema: {
                      type: 'array',
                      items: {
                        type: 'object',
                        properties: { id: {}, state: { type: 'string', description } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    });
    const member = resources[0]?.shape.properties.get('state');
    return Object.entries(member ? statedMember(member) : {}).flatMap(([name, is]) => (is ? [name] : []));
  };

  test.each<[description: string, want: string[]]>([
    ['The state of the box.', []],
    ['The state. It is set when the box is made; nothing changes it later.', []],
    ['Set by the service.', ['isKeptByService']],
    ['Calculated using the metadata.', ['isKeptByService']],
    ['Automatically incremented.', ['isKeptByService']],
    ['Set to "Box".', ['isKeptByService']],
    ['Set to "true" to open it.', []],
    ['The version that subscribers have been notified of.', ['isKeptByService']],
    ['Whether the box has been delivered.', []],
    ['Boxes that match it get this label automatically.', []],
    ['Automatically applies the label to boxes.', []],
    ['Blanks at its ends are trimmed. It is trimmed.', ['isAdjusted']],
    ['The service may add the owner.', ['isAdjusted']],
    ['Is ignored.', ['isAdjusted']],
    ['Never returned.', ['isWrittenAlone']],
    ['Only used when creating a box.', ['isWrittenAlone']],
    ['The secret, empty when listing boxes.', ['isHiddenInLists']],
    ['Omitted in lists.', ['isHiddenInLists']],
    ['Not returned when boxes are listed in a list.', ['isHiddenInLists']],
    ['Is kept when it is left out.', ['isLeftAlone']],
  ])('%s', async (description, want) => {
    expect(await stated(description)).toEqual(want);
  });
});

const properties = { name: {}, state: {}, size: {} };
const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } };

test('a write changes only the members that a sentence names, where one does', async () => {
  const description = 'Writes a box. Only the members `state` and size are changed. The name is not.';
  const { operations } = await contractOf({
    paths: {
      '/boxes/{id}': { put: { description, requestBody, responses: ok } },
      '/boxes': { post: { description: 'Only given members are set.', requestBody, responses: ok } },
      '/sizes/{id}': { put: { 'x-paddock': { changes: ['size'] }, requestBody, responses: ok } },
    },
  });
  const changed = operations.map((one) => Object.keys(properties).filter((name) => mayChange(one, name)));
  expect(changed).toEqual([['state', 'size'], ['name', 'state', 'size'], ['size']]);
  expect(operations.map((one) => [...namedMembers(one)])).toEqual([['name', 'state', 'size'], [], []]);
});

test.each<[description: string, want: string[]]>([
  ['Opens the box.', []],
  ['Websocket, sends changes', ['isWebSocket']],
  ['NOT IMPLEMENTED', ['isNotImplemented']],
  ['Boxes can be made without authentication.', ['isPublic']],
  ['No authentication is needed.', ['isPublic']],
  ['Does not require an API key.', ['isPublic']],
  ['Authentication is optional.', ['isPublic']],
  ['Requests without authentication get 401.', []],
  ['Cannot be called without credentials.', []],
  ['Without a token the first page is shown.', []],
])('what is said of the use of an operation: %s', async (description, want) => {
  const { operations } = await contractOf({ paths: { '/boxes': { get: { description, responses: ok } } } });
  const stated = operations[0] ? useMeaning(operations[0]) : {};
  expect(Object.entries(stated).flatMap(([name, is]) => (is ? [name] : []))).toEqual(want);
});

test.each<[description: string, want: string[]]>([
  ['Replaces the box.', []],
  ['Replaces all that is kept of the box.', []],
  ['Replaces the box. Members that are left out keep their values.', ['leavesAlone']],
  ['Only the given members are changed.', ['leavesAlone']],
  ['Renames the box.', ['renames']],
  ['Changing the name removes the old box.', ['renames']],
  ['(De)activates a box.', ['acts']],
  ['Locks a box.', ['acts']],
  ['Updates a box, and locks it.', []],
  ['Stocks a box.', []],
  [
    'The only fields that can be modified are: state and size. Others are ignored.',
    ['leavesAlone', 'isLimited'],
  ],
  ['Stores a new box.', ['stores']],
])('what a write leaves: %s', async (description, want) => {
  const { operations } = await contractOf({
    paths: { '/boxes/{id}': { put: { description, requestBody, responses: ok } } },
  });
  const stated = operations[0] ? writeMeaning(operations[0]) : {};
  expect(Object.entries(stated).flatMap(([name, is]) => (is ? [name] : []))).toEqual(want);
});
