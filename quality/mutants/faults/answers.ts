import { defaultParts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import { action, type MockFault, mockOf, refusal, refuseCreate } from '../mock-faults.ts';
import { mutants } from '../suspect.ts';

const kennels = mockOf('kennels.yaml');

const takeTwice: MockFault = {
  store: (collections) =>
    defaultParts.store(collections.map((collection) => ({ ...collection, unique: [] }))),
};

const conflictAsInvalid = refusal((given, { refuse }) =>
  refuse === 'conflict' ? { ...given, status: 422, body: String(given.body).replace('409', '422') } : given,
);

/** The answer tells of a change that was not made. */
const changeToTaken = action('update', (act, context) => async (task) => {
  const outcome = await act(task);
  if (!('refuse' in outcome) || outcome.refuse !== 'conflict') return outcome;
  const before = await defaultParts.actions.read(context)?.(task);
  if (!before || 'refuse' in before) return outcome;
  const record = parseJson(String(before.body)) as object;
  return { ...before, body: stringifyJson({ ...record, ...(task.values.body as object) }) };
});

const refuseCity = action('list', (act) => (task) => {
  const { city } = task.values.parameters.query;
  return city === 'Odense' ? { refuse: 'invalid', message: 'not there' } : act(task);
});

const csvAsHtml: MockFault = {
  reply(operation, contract, basePath) {
    const finish = defaultParts.reply(operation, contract, basePath);
    return (content) => finish(content.type === 'text/csv' ? { ...content, type: 'text/html' } : content);
  },
};

const breakOn = (type: string) =>
  action('list', (act) => (task) => {
    if (task.request.headers.accept === type) throw new Error(`no writer for ${type}`);
    return act(task);
  });

/** Media types to choose from, members that are unique, examples of requests. */
export const answersMutants = [
  ...mutants('kennels', kennels, 'unique-refused', [
    ['taken-twice', 'two owners may have one email', takeTwice],
    ['taken-with-422', 'an email that is taken is refused as invalid', conflictAsInvalid],
    ['taken-by-change', 'an owner can change to the email of another', changeToTaken],
  ]),
  ...mutants('kennels', kennels, 'example-accepted', [
    ['short-name', 'a name of three letters is refused, as in an example', refuseCreate('name', 'Dan')],
    ['no-guides', 'a dog that the document shows is refused', refuseCreate('name', 'Trine')],
    ['no-odense', 'a city that the document shows is refused', refuseCity],
  ]),
  ...mutants('kennels', kennels, 'content-type', [
    ['csv-as-html', 'a table is said to be a page', csvAsHtml],
    ['csv-breaks', 'who accepts text/csv alone gets a 500', 'invalid-tolerated', breakOn('text/csv')],
  ]),
];
