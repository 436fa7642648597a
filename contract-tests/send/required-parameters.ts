import { encodeParameter, type Operation, type Parameter, parseJson, type Shape, sample } from '#spec';

type Header = readonly [name: string, value: string];

/** The values that the user says are good (`--value NAME=V`), by name. */
type Values = Readonly<Record<string, string>>;

const compiled = new WeakMap<Operation, readonly Parameter[]>();

/** The headers and cookies that an operation requires, with values of their schemas. */
export function requiredHeaders(operation: Operation, values: Values = {}): Header[] {
  const required = compiled.get(operation) ?? requiredIn(operation);
  compiled.set(operation, required);
  const pairs = required.flatMap((parameter) => {
    const text = textOf(parameter, values);
    return isFieldValue(text) ? [{ place: parameter.in, pair: [parameter.name, text] as const }] : [];
  });
  const cookies = pairs.filter(({ place }) => place === 'cookie').map(({ pair }) => pair.join('='));
  return [
    ...pairs.filter(({ place }) => place === 'header').map(({ pair }) => pair),
    ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : []),
  ];
}

function requiredIn({ parameters }: Operation): Parameter[] {
  return parameters.filter(
    (parameter) => parameter.required && (parameter.in === 'header' || parameter.in === 'cookie'),
  );
}

function textOf(parameter: Parameter, values: Values): string {
  const { name, shape } = parameter;
  const [, text] = Object.entries(values).find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [];
  return encodeParameter(parameter, givenValue(text, shape) ?? sample(shape, { key: name })).join(',');
}

/** Good values for the query parameters that an operation requires. */
export function requiredQuery(
  { parameters }: Operation,
  { values, seed }: { readonly values: Values; readonly seed: number },
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
