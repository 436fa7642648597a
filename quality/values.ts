import {
  type DocumentedResponse,
  formsOf,
  isRecord,
  loadContract,
  randomOf,
  type Shape,
  stringifyJson,
} from '#spec';
import { createFactories } from '../mock/factories/index.ts';
import { readArguments, refuse } from './arguments.ts';
import { findDocuments } from './corpus/find-documents.ts';
import { renderTable } from './table.ts';

const HELP = `npm run lab -- values [options] FOLDER|PACKAGE|FILE...

Prints a sample of the fields that the mock of each document responds with: where the field is, what its schema says of
it, and the value. For a reader: nothing is judged.

  --seed N    which fields, and which values (default: 1)
  --count N   fields of each document (default: 20)

Examples:
  npm run lab -- values spec/openapi.yaml
  npm run lab -- values --count 5 --seed 7 fixtures/specs @readme/oas-examples
`;

/** What a schema says of the values that it allows. */
const WORDS = (
  'type format enum const pattern contentEncoding minLength maxLength minimum maximum ' +
  'exclusiveMinimum exclusiveMaximum multipleOf default example description'
).split(' ');

const LONGEST = 60;

interface Field {
  readonly path: string;
  readonly shape: Shape | undefined;
  readonly value: unknown;
}

const { values, positionals } = readArguments(HELP, {
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '20' },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
if (!Number.isInteger(seed) || !(count >= 1)) refuse('--seed and --count are whole numbers');
if (positionals.length === 0) refuse('name a folder, a file or an installed package');

const rows: string[][] = [];
for (const { document, file } of positionals.flatMap(findDocuments)) {
  try {
    rows.push(...(await rowsOf(document, file)));
  } catch (error) {
    process.stderr.write(`${document}: ${(error as Error).message.split('\n')[0]}\n`);
  }
}
process.stdout.write(`${renderTable(['Document', 'Response', 'Field', 'Schema', 'Value'], rows)}\n`);

async function rowsOf(document: string, file: string): Promise<string[][]> {
  const random = randomOf(`${seed} ${document}`);
  const contract = await loadContract(file, { presumeResponses: true });
  const { respond } = await createFactories(contract, { seed });
  const responses = contract.operations.flatMap(({ method, path, responses: documented }) =>
    documented.flatMap((response) => {
      const shape = shapeOf(response);
      return shape && /^2\d\d$/.test(response.key)
        ? [{ name: `${method} ${path}`, key: response.key, shape }]
        : [];
    }),
  );
  const shuffled = responses.map((one) => ({ one, at: random.next() })).sort((a, b) => a.at - b.at);
  const each = Math.max(3, Math.ceil(count / responses.length));
  const found: string[][] = [];
  for (const {
    one: { name, key, shape },
  } of shuffled) {
    if (found.length >= count) break;
    const made = await respond(name, Number(key)).catch(() => undefined);
    const fields = fieldsOf(made?.body, shape, '');
    for (let left = Math.min(each, fields.length, count - found.length); left > 0; left--) {
      const [field] = fields.splice(random.integer(0, fields.length - 1), 1);
      if (field)
        found.push([document, `${name} ${key}`, field.path, wordsOf(field.shape), shown(field.value)]);
    }
  }
  return found;
}

function shapeOf({ content }: DocumentedResponse): Shape | undefined {
  return content.find(({ isJson }) => isJson)?.shape;
}

/** Each field of a value once: of a list the first three items stand for all. */
function fieldsOf(value: unknown, shape: Shape | undefined, path: string): Field[] {
  if (Array.isArray(value))
    return value.slice(0, 3).flatMap((item, index) => fieldsOf(item, shape?.items, `${path}/${index}`));
  if (!isRecord(value)) return value === undefined ? [] : [{ path: path || '/', shape, value }];
  return Object.entries(value).flatMap(([name, inner]) => {
    const described = shape && formsOf(shape).map((form) => form.properties.get(name) ?? form.additional);
    return fieldsOf(
      inner,
      described?.find((one) => one !== undefined),
      `${path}/${name}`,
    );
  });
}

function wordsOf(shape: Shape | undefined): string {
  const said = WORDS.flatMap((word) => {
    const keyword = shape?.find(word);
    if (!keyword) return [];
    return word === 'type' || word === 'format' ? `${keyword.value}` : `${word}: ${shown(keyword.value)}`;
  });
  return said.join('; ');
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
