import { isRecord, nearest, stringifyJson } from '#spec';

type Form = readonly [allowed: string, accepts: (value: unknown) => boolean];

const isPlain = (value: unknown) => ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
const byName = (accepts: (value: unknown) => boolean) => (value: unknown) =>
  isRecord(value) && Object.values(value).every(accepts);

const HEADERS: Form = [
  'an object of texts by name, null for a header to remove',
  byName((value) => value === null || isPlain(value)),
];
const BODY: Form = ['a text, bytes, or a value of JSON', () => true];
const SKIP: Form = ['the reason, a text', (value) => typeof value === 'string'];
const PATH: Form = ['an object of values by path parameter', byName((value) => value !== undefined)];

/** What hooks may return, by member. */
const RETURNED = {
  beforeRequest: {
    headers: HEADERS,
    query: ['an object of texts by name', byName(isPlain)],
    body: BODY,
    skip: SKIP,
  },
  afterResponse: { headers: HEADERS, body: BODY, skip: SKIP },
  prepare: { path: PATH, body: BODY },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Form>>>>;

/** What is wrong with what a hook has returned; undefined: nothing. */
export function returnedProblem(hook: keyof typeof RETURNED, returned: unknown): string | undefined {
  if (returned === undefined || returned === null) return undefined;
  const forms: Readonly<Record<string, Form>> = RETURNED[hook];
  const names = Object.keys(forms).join(', ');
  if (!isRecord(returned))
    return `it returned ${stringifyJson(returned) ?? typeof returned}: return nothing, or an object of ${names}`;
  for (const [name, value] of Object.entries(returned)) {
    const problem = memberProblem(name, value, forms);
    if (problem !== undefined) return `it returned ${problem}`;
  }
  return undefined;
}

/** What is wrong with values for path parameters; undefined: nothing. */
export function pathProblem(
  path: Readonly<Record<string, unknown>> = {},
  parameters: readonly string[] = [],
): string | undefined {
  const unknown = Object.keys(path).find((name) => !parameters.includes(name));
  if (unknown === undefined) return undefined;
  return `it returned a value for "${unknown}", and the path has ${parameters.join(', ') || 'no parameters'}`;
}

function memberProblem(
  name: string,
  value: unknown,
  forms: Readonly<Record<string, Form>>,
): string | undefined {
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (!form) {
    const meant = nearest(name, Object.keys(forms));
    const hint =
      meant === undefined ? `there are ${Object.keys(forms).join(', ')}` : `did you mean ${meant}?`;
    return `a member "${name}", which is none: ${hint}`;
  }
  const [allowed, accepts] = form;
  return value === undefined || accepts(value) ? undefined : `${name} that is not ${allowed}`;
}
