import { type Operation, type Parameter, pathParameters, roughlyFits, SAFE_METHODS, sample } from '#spec';
import { parameterExamples } from '#test-values';
import { NotReached, type ReasonCode } from '../run/not-reached.ts';
import { guessedQuery, pathOfOwn } from '../run/path-values.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess } from '../send/response.ts';
import { type Data, Unreachable } from '../send/wire.ts';
import { readValue } from './body.ts';

/** Likely path parameters of an operation that changes nothing; undefined: it has none, or may change something. */
export async function guessedPath(trial: Trial, operation: Operation): Promise<Data | undefined> {
  const parameters = pathOfOwn(operation);
  if (parameters.length === 0 || trial.plan.permissions.changes(operation)) return undefined;
  const values = parameters.map(({ name, shape }) => [name, readValue(trial, name, shape)] as const);
  const preset = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  const unknown = parameters.filter(({ name }) => !(name in preset));
  return { ...preset, ...(await likelyFor(trial, operation, preset, unknown)) };
}

/** The number of requests that search for values that an operation accepts. */
const MOST_TRIED = 16;
/** How many of them change all parameters at once. */
const MOST_IN_STEP = 2;

/**
 * Path values for parameters without a known source: those with which a read succeeded. Successful query values are kept
 * for later requests.
 */
export async function likelyFor(
  trial: Trial,
  operation: Operation,
  preset: Data,
  unknown: readonly Parameter[],
): Promise<Data> {
  if (unknown.length + guessedQuery(trial.plan.contract, operation, trial.plan.settings).length === 0)
    return {};
  const first = valuesOf(unknown, (parameter) => candidatesFor(trial, operation, parameter)[0]);
  if (!SAFE_METHODS.has(operation.method) || trial.plan.settings.stateless) return first;
  const likely = await trial.share(trial.session.cache.likely, operation, (shared) =>
    findLikely(shared, operation, preset, unknown),
  );
  return valuesOf(unknown, ({ name }) => likely[name] ?? first[name]);
}

function valuesOf(parameters: readonly Parameter[], choose: (parameter: Parameter) => unknown): Data {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, choose(parameter)]));
}

/** Tries likely values, first all together, then one at a time in place of the likeliest, until the operation succeeds. */
async function findLikely(
  shared: Trial,
  operation: Operation,
  preset: Data,
  unknown: readonly Parameter[],
): Promise<Data> {
  const above = { ...(await askAbove(shared, operation)), ...preset };
  const columns = [...unknown, ...guessedQuery(shared.plan.contract, operation, shared.plan.settings)].map(
    (parameter) => {
      const { name } = parameter;
      const values = candidatesFor(shared, operation, parameter);
      return { parameter, values: name in above ? [...new Set([above[name], ...values])] : values };
    },
  );
  const valuesIn = (place: Parameter['in'], row: readonly unknown[]): Data =>
    Object.fromEntries(
      columns.flatMap(({ parameter }, index) =>
        parameter.in === place ? [[parameter.name, row[index]]] : [],
      ),
    );
  const likeliest = columns.map(({ values }) => values[0]);
  const others = columns.flatMap(({ values }, index) =>
    values.slice(1).map((value) => likeliest.with(index, value)),
  );
  const inStep = Array.from({ length: columns.length > 1 ? MOST_IN_STEP : 0 }, (_, index) =>
    columns.map(({ values }) => values[index + 1] ?? values[0]),
  );
  for (const row of [likeliest, ...inStep, ...others].slice(0, MOST_TRIED)) {
    const [path, query] = [valuesIn('path', row), valuesIn('query', row)];
    const { response } = await shared.send(operation, { path: { ...preset, ...path }, query, guessed: true });
    if (!isSuccess(response)) continue;
    shared.session.cache.queries.set(operation, query);
    return path;
  }
  return valuesIn('path', likeliest);
}

/**
 * Reads the collection above the last parameter, which may show its values.
 * @returns the path with which it succeeded
 */
async function askAbove(shared: Trial, { path }: Operation): Promise<Data> {
  const { contract, permissions } = shared.plan;
  const { cache } = shared.session;
  const lists = pathParameters(path)
    .toReversed()
    .flatMap((name) =>
      contract.operations.filter(
        (operation) =>
          operation.method === 'GET' && operation.path === path.slice(0, path.indexOf(`/{${name}}`)),
      ),
    );
  for (const list of lists) {
    if (permissions.of(list)) continue;
    const likely = await shared
      .share(cache.likely, list, (inner) => findLikely(inner, list, {}, pathOfOwn(list)))
      .catch(orNothing(undefined));
    if (likely) return likely;
  }
  return {};
}

/** Candidates for a parameter, the likeliest first. Examples and small numbers may be anybody's records: reads only. */
function candidatesFor({ plan, session }: Trial, operation: Operation, parameter: Parameter): unknown[] {
  const { name, shape } = parameter;
  const { settings, permissions } = plan;
  const { harvest } = session;
  const samples = Array.from({ length: MOST_SAMPLES }, (_, index) =>
    sample(shape, { key: [settings.seed, name, ...(index > 0 ? [index] : [])].join('/') }),
  );
  const seen = () => harvest.valuesFor(operation, parameter);
  if (!SAFE_METHODS.has(operation.method)) {
    // A POST may be about to create the record at the end of its path.
    const isNew = operation.method === 'POST' && operation.path.endsWith(`{${name}}`);
    return [...(permissions.isAllowed(operation) && !isNew ? seen() : []), ...samples];
  }
  const least = Math.max(1, Number(shape.range.low?.value ?? 1));
  const small =
    shape.mainType === 'integer' && !shape.values ? [least, least + 1, least + 9, least + 99] : [];
  const fitting = small.filter((value) => roughlyFits(shape, value));
  return [
    ...new Set([...parameterExamples(parameter), ...seen(), ...(shape.values ?? []), ...fitting, ...samples]),
  ];
}

const MOST_SAMPLES = 3;

const LIST_FAILS: ReadonlySet<ReasonCode> = new Set([
  'target',
  'unprovoked',
  'no-input',
  'excluded',
  'withheld',
]);

/** Replaces the error that a list fails by a default: other cases report that. */
export function orNothing<Nothing>(nothing: Nothing) {
  return (error: unknown): Nothing => {
    const isMissing = error instanceof NotReached && LIST_FAILS.has(error.code);
    if (isMissing || (error instanceof Unreachable && error.tries.closed > 0)) return nothing;
    throw error;
  };
}
