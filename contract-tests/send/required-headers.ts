import { encodeParameter, type Operation, type Parameter, parseJson, sample } from '#spec';

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
  const given = text === undefined || shape.mainType === 'string' ? text : parseJson(text);
  return encodeParameter(parameter, given ?? sample(shape, { key: name })).join(',');
}

/** RFC 9110 §5.5, printable ASCII only: anything else may be refused on the way. */
function isFieldValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}
