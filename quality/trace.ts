import { readArguments, refuse } from './arguments.ts';
import { type Entered, noteEntered } from './entered.ts';
import { renderTable } from './table.ts';
import { ROOT, start } from './testing/command.ts';

const HELP = `npm run lab -- trace [options]

Prints which functions of this project are entered, in order, while the mock of the Pet Store responds to a POST /pets
for the second time, and while the suite runs one case against that mock for the second time: by file, in the order in
which the files are first entered. A change of file is a function that is entered after one of another file.

  --case ID   the case (default: createPet/201/ordinary)
  --steps     prints each function in order, not by file

Examples:
  npm run lab -- trace
  npm run lab -- trace --case listPets/200/limit
`;

const { values } = readArguments(HELP, {
  case: { type: 'string', default: 'createPet/201/ordinary' },
  steps: { type: 'boolean', default: false },
});

const takeEntered = noteEntered();
const { BUILT_IN_KEY, createMock } = await import('#mock');
const { prepare } = await import('#contract-tests');

const DOCUMENT = 'spec/openapi.yaml';

const mock = await createMock({ document: DOCUMENT, port: 0 });
const { url } = mock;
const create = async (): Promise<Entered[]> => {
  takeEntered();
  const response = await fetch(`${url}/pets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${BUILT_IN_KEY}` },
    body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
  });
  await response.text();
  if (response.status !== 201) throw new Error(`POST /pets responded with ${response.status}`);
  return takeEntered();
};
await create();
print('POST /pets', await create());
await mock.close();

// In its own process, whose functions are not recorded.
const command = [process.execPath, 'cli/paddock.js', 'mock', DOCUMENT, '--port', '0'];
const { found: match, stop } = await start(ROOT, command, /base URL\s+(\S+)/);
try {
  const suite = await prepare({ target: match[1] as string, document: DOCUMENT, apiKey: BUILT_IN_KEY });
  const one = suite.cases.find(({ id }) => id === values.case);
  if (!one) refuse(`there is no case "${values.case}": ${suite.cases.map(({ id }) => id).join(', ')}`);
  await suite.execute(one);
  takeEntered();
  const { outcome } = await suite.execute(one);
  print(`${one.id} (${outcome})`, takeEntered());
  await suite.finish();
} finally {
  stop();
}

function print(title: string, entered: readonly Entered[]): void {
  const files = new Map<string, Map<string, number>>();
  let changes = 0;
  entered.forEach(({ file, name }, at) => {
    const functions = files.get(file) ?? new Map<string, number>();
    files.set(file, functions.set(name, (functions.get(name) ?? 0) + 1));
    if (at > 0 && entered[at - 1]?.file !== file) changes += 1;
  });
  const functions = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  const rows = values.steps
    ? entered.map(({ file, name }) => [file, name])
    : [...files].map(([file, names]) => [
        file,
        [...names].map(([name, times]) => (times > 1 ? `${name} (${times})` : name)).join(', '),
      ]);
  process.stdout.write(
    `## ${title}\n\n${files.size} files, ${functions} functions, ${changes} changes of file\n\n${renderTable(['File', 'Functions'], rows)}\n\n`,
  );
}
