import { type Contract, isRecord, type Spot, sample, stringifyJson } from '#spec';

/**
 * Bundles a document into one JSON text for judges. Left out are `default` responses: with them judges accept every
 * status that is not documented, and Dredd takes them for a second 200. References to other files are replaced by
 * what they name, and a required parameter gets an example, since Dredd demands one; nobody looks at its value.
 */
export function bundleDocument(contract: Contract): string {
  const parameters = contract.operations.flatMap((operation) => operation.parameters);
  const examples = new Map(parameters.map(({ name, shape }) => [name, sample(shape, { key: name })]));
  return stringifyJson(bundle(contract.document.root, examples, []));
}

/** @param inside values of references that are being written out */
function bundle(spot: Spot, examples: ReadonlyMap<string, unknown>, inside: readonly unknown[]): unknown {
  const { value, path } = spot;
  const member = ([name, content]: [string, unknown]) =>
    bundle({ ...spot, path: [...path, name], value: content }, examples, inside);
  if (Array.isArray(value)) return value.map((item, index) => member([String(index), item]));
  if (!isRecord(value)) return value;
  const { $ref, summary: _, description: __, ...siblings } = value;
  const named = typeof $ref === 'string' ? spot.document.resolve(spot) : undefined;
  if (named?.file === spot.document.root.file)
    return { ...value, $ref: `#${String($ref).split('#')[1] ?? ''}` };
  if (named) {
    // No finite document says the same as a reference that leads back to itself.
    if (inside.includes(named.value)) return {};
    const written = bundle({ ...named, path }, examples, [...inside, named.value]);
    return Object.keys(siblings).length === 0 ? written : { ...siblings, allOf: [written] };
  }
  const members = isResponses(spot) ? withoutDefault(value) : Object.entries(value);
  const bundled = Object.fromEntries(members.map((entry) => [entry[0], member(entry)]));
  return lacksExample(value) ? { ...bundled, example: examples.get(String(value.name)) } : bundled;
}

/** A Responses Object; by its keys it differs from the named responses of `components`. */
function isResponses({ path, value }: Spot): boolean {
  return (
    path.at(-1) === 'responses' &&
    path.at(-2) !== 'components' &&
    Object.keys(Object(value)).every((key) => /^(?:[1-5](?:\d\d|XX)|default|x-.*)$/.test(key))
  );
}

/** A `default` that stands alone is what is documented. */
function withoutDefault(responses: Record<string, unknown>): [string, unknown][] {
  const others = Object.entries(responses).filter(([key]) => key !== 'default');
  return others.some(([key]) => /^\d/.test(key)) ? others : Object.entries(responses);
}

function lacksExample(value: Record<string, unknown>): boolean {
  return (
    typeof value.name === 'string' &&
    (value.in === 'path' || value.in === 'query') &&
    value.required === true &&
    !('example' in value || 'examples' in value)
  );
}
