import {
  encodeParameter,
  type Operation,
  type Parameter,
  parseJson,
  queryPairs,
  type Shape,
  sample,
} from '#spec';

type Header = readonly [name: string, value: string];

/** What the user says (`--value NAME=V`, by name of the parameter), and the seed of the other values. */
interface Source {
  readonly values?: Readonly<Record<string, string>>;
  readonly seed?: number;
}

const compiled = new WeakMap<Operation, readonly Parameter[]>();

/** The headers and cookies that an operation requires, with values of their schemas. */
export function requiredHeaders(operation: Operation, { values = {} }: Source): Header[] {
  const required = compiled.get(operation) ?? requiredIn(operation);
  compiled.set(operation, required);
  const headers = required
    .filter((parameter) => parameter.in === 'header')
    .map(
      (parameter): Header => [
        parameter.name,
        encodeParameter(parameter, goodValue(parameter, values)).join(','),
      ],
    );
  const cookies = required
    .filter((parameter) => parameter.in === 'cookie')
    .flatMap((parameter) =>
      queryPairs(parameter, goodValue(parameter, values)).map((pair) => pair.join('=')),
    );
  const sendable = [...headers, ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : [])];
  return sendable.filter(([, text]) => isFieldValue(text));
}

function requiredIn({ parameters }: Operation): Parameter[] {
  return parameters.filter(
    (parameter) => parameter.required && (parameter.in === 'header' || parameter.in === 'cookie'),
  );
}

function goodValue({ name, shape }: Parameter, values: Readonly<Record<string, string>>): unknown {
  const [, text] = Object.entries(values).find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [];
  // An empty text says nothing, and an empty header may be dropped on the way.
  const [shown] = shape.examples.filter((example) => example !== '');
  return givenValue(text, shape) ?? shown ?? sample(shape, { key: name });
}

/** Good values for the query parameters that an operation requires. */
export function requiredQuery(
  { parameters }: Operation,
  { values = {}, seed = 0 }: Source,
): Readonly<Record<string, unknown>> {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return Object.fromEntries(
    required.map(({ name, shape }) => [
      name,
      givenValue(values[name], shape) ?? sample(shape, { key: `${seed}/${name}` }),
    ]),
  );
}

/** A value that the user gives as a text, as the schema's type. */
function givenValue(text: string | undefined, { mainType }: Shape): unknown {
  return text === undefined || mainType === 'string' ? text : parseJson(text);
}

/** RFC 9110 §5.5, printable ASCII only: anything else may be refused on the way. */
function isFieldValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}
