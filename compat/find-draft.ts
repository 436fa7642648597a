import {
  type Contract,
  compileRequestReader,
  isJsonType,
  type Operation,
  pathParameters,
  type Requirement,
  sample,
} from '#spec';
import { parameterExamples } from '#test-values';
import { candidates } from './candidates.ts';
import { type Draft, keyOf, rawOf, type Sent, sentFor } from './draft.ts';
import { type Answer, type Twins, worked } from './twins.ts';

/** A request, and the response of OLD's mock. */
export interface Tried {
  readonly draft: Draft;
  readonly sent: Sent;
  readonly answer: Answer | undefined;
}

/** The maximum number of requests until one works. */
const MOST = 24;

/**
 * A request that works with the mock of OLD; otherwise the first one that OLD's schemas allow. Undefined: none can be
 * made.
 */
export async function findDraft(
  { old, sendOld }: Twins,
  contract: Contract,
  operation: Operation,
  requirement: Requirement | undefined,
): Promise<Tried | undefined> {
  const read = compileRequestReader(operation, contract.validators);
  const { records } = await old.state();
  let first: Tried | undefined;
  /** If no sample is valid, one of the generated values may be. */
  async function unusual(): Promise<Tried | undefined> {
    const [draft] = draftsOf(operation, requirement, records);
    const media = draft?.body?.media;
    if (!draft || !media?.schema) return undefined;
    for (const value of candidates([media.schema], [])) {
      const tried = { ...draft, body: { media, value } };
      const sent = sentFor(operation, tried);
      if (read(rawOf(operation, sent)).violations.length === 0)
        return { draft: tried, sent, answer: await sendOld(sent) };
    }
    return undefined;
  }

  for (const draft of draftsOf(operation, requirement, records)) {
    const sent = sentFor(operation, draft);
    if (read(rawOf(operation, sent)).violations.length > 0) continue;
    const answer = await sendOld(sent);
    first ??= { draft, sent, answer };
    if (worked(answer)) return { draft, sent, answer };
  }
  return first ?? unusual();
}

function* draftsOf(
  operation: Operation,
  requirement: Requirement | undefined,
  records: Readonly<Record<string, readonly unknown[]>>,
): Generator<Draft> {
  const { parameters, body } = operation;
  const media = body?.content.find(({ type }) => isJsonType(type)) ?? body?.content[0];
  const names = pathParameters(operation.path);
  const paths = pathsToRecords(operation, records);
  for (let index = 0; index < MOST; index++) {
    const values = new Map<string, unknown>();
    for (const parameter of parameters)
      if (parameter.required) {
        const examples = parameterExamples(parameter);
        const value = examples[index] ?? safeSample(() => sample(parameter.shape, { key: `draft ${index}` }));
        values.set(keyOf(parameter), value);
      }
    for (const [at, value] of (paths[index % Math.max(1, paths.length)] ?? []).entries())
      values.set(`path ${names[at]}`, value);
    const examples = [...(media?.examples.values() ?? [])];
    const shape = media?.shape;
    const made = shape
      ? safeSample(() => sample(shape, { key: `draft ${index}`, direction: 'request' }))
      : {};
    const value = index < examples.length ? examples[index] : made;
    yield { values, body: media && { media, value }, requirement };
    if (index === 0 && body && !body.required) yield { values, body: undefined, requirement };
  }
}

function safeSample(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return '';
  }
}

type Records = Readonly<Record<string, readonly unknown[]>>;

/** The maximum number of records of a collection that are tried. */
const MOST_RECORDS = 3;

/** Values for path parameters that name records: a collection is matched by its path, and a record by any of its members. */
function pathsToRecords({ path }: Operation, records: Records): unknown[][] {
  const template = path.split('/').slice(1);
  return Object.entries(records).flatMap(([key, all]) => {
    const values = valuesAlong(template, key.split('/').slice(1));
    if (!values) return [];
    const { prefix, rest } = values;
    if (rest.filter(isParameter).length === 0) return [prefix];
    return all
      .slice(0, MOST_RECORDS)
      .flatMap((record) => valuesOf(record).map((value) => [...prefix, value]));
  });
}

const isParameter = (segment: string) => segment.includes('{');

function valuesAlong(template: readonly string[], concrete: readonly string[]) {
  if (concrete.length > template.length) return undefined;
  const prefix: unknown[] = [];
  for (const [index, text] of concrete.entries()) {
    const segment = template[index] ?? '';
    if (isParameter(segment)) prefix.push(decodeURIComponent(text));
    else if (segment !== text) return undefined;
  }
  return { prefix, rest: template.slice(concrete.length) };
}

function valuesOf(record: unknown): unknown[] {
  const members = typeof record === 'object' && record !== null ? Object.entries(record) : [];
  const rank = ([name]: [string, unknown]) => (/^id$/i.test(name) ? 0 : /id$|key|code/i.test(name) ? 1 : 2);
  return members
    .filter(([, value]) => ['string', 'number', 'bigint'].includes(typeof value))
    .toSorted((left, right) => rank(left) - rank(right))
    .slice(0, 6)
    .map(([, value]) => value);
}
