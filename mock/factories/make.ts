import {
  bodyShape,
  type Contract,
  type Direction,
  formsOf,
  nameHint,
  nearest,
  parseJson,
  rawChild,
  rawChildren,
  Shape,
  type Spot,
  schemaKey,
  stringifyJson,
  violationsOf,
} from '#spec';
import {
  FactoryError,
  type FactoryProblem,
  isOverridden,
  merged,
  minimal,
  nameProblem,
  unnamed,
  violationProblem,
} from './members.ts';
import type { Extent, SchemaValues, Wanted } from './schema-values.ts';

export interface MakeOptions {
  /** Default: the seed of `createFactories`. */
  readonly seed?: number | undefined;
  /** `minimal`: only required members; `full`: all members. Default: those that the server shows. */
  readonly shape?: 'minimal' | 'full' | undefined;
  /** The length of a list of values. Default: one value, no list. */
  readonly count?: number | undefined;
}

export type Make = (name: string, overrides?: unknown, options?: MakeOptions) => unknown;

export function compileMake(contract: Contract, valuesOf: (seed: number | undefined) => SchemaValues): Make {
  const schemas = new Map(rawChildren(schemasOf(contract)));
  const requestKeys = new Set(contract.operations.map((operation) => keyOf(bodyShape(operation))));
  const responseKeys = new Set(
    contract.operations.flatMap(({ responses }) =>
      responses.flatMap(({ content }) => content.map(({ shape }) => keyOf(shape))),
    ),
  );

  function directionOf(shape: Shape): Direction {
    const key = keyOf(shape);
    return requestKeys.has(key) && !responseKeys.has(key) ? 'request' : 'response';
  }

  return (name, overrides, options = {}) => {
    const { seed, shape: asked, count } = options;
    const call = `make(${JSON.stringify(name)})`;
    const spot = schemas.get(name);
    if (!spot) throw new FactoryError(call, [unknownName('schema', name, schemas.keys())]);
    const shape = Shape.of([spot]);
    const extent: Extent = asked ?? 'usual';
    const wanted: Wanted = { name, shape, direction: directionOf(shape), extent };
    const problem = unknownOption(options, OPTIONS) ?? optionProblem(seed, extent, count);
    if (problem) throw new FactoryError(call, [problem]);
    const values = valuesOf(seed);
    const one = (ordinal: number) => fitting(call, wanted, values, ordinal, overrides);
    return count === undefined ? one(1) : Array.from({ length: count }, (_, index) => one(index + 1));
  };

  function fitting(
    call: string,
    wanted: Wanted,
    values: SchemaValues,
    ordinal: number,
    overrides: unknown,
  ): unknown {
    const { shape, direction, extent } = wanted;
    let problems: readonly FactoryProblem[] | undefined;
    for (const made of candidates(call, wanted, values, ordinal)) {
      const base = extent === 'minimal' ? minimal(shape, made, direction) : made;
      const value = copied(merged(base, overrides));
      const misfits = problemsWith(wanted, value, overrides);
      if (misfits.length === 0) return value;
      problems ??= misfits;
    }
    throw new FactoryError(call, problems ?? []);
  }
}

/** A value, and one for each form of the schema, since overrides may require another form. */
function* candidates(
  call: string,
  wanted: Wanted,
  values: SchemaValues,
  ordinal: number,
): Generator<unknown> {
  try {
    yield values.value(wanted, ordinal);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FactoryError(call, [nameProblem(error.message, 'make fewer, or raise it')]);
  }
  for (const form of formsOf(wanted.shape)) yield values.sampled(wanted, form, ordinal);
  // In case optional members exclude each other.
  yield values.sampled({ ...wanted, extent: 'full' }, wanted.shape, ordinal);
}

export function problemsWith(
  { shape, direction }: Pick<Wanted, 'shape' | 'direction'>,
  value: unknown,
  overrides: unknown,
): FactoryProblem[] {
  const others = unnamed(shape, value, overrides);
  if (others.length > 0) return others;
  const problems = violationsOf(shape, value, direction).map((violation) =>
    violationProblem(violation, (path) => isOverridden(overrides, path)),
  );
  // Several parts of a schema may have the same constraint.
  return [
    ...new Map(
      problems.map((problem) => [`${problem.member} ${problem.message} ${problem.at}`, problem]),
    ).values(),
  ];
}

/** A copy as JSON that nothing else refers to. */
export function copied(value: unknown): unknown {
  const text = stringifyJson(value);
  return text === undefined ? undefined : parseJson(text);
}

export function unknownName(kind: string, name: string, names: Iterable<string>): FactoryProblem {
  const all = [...names];
  const near = nearest(name, all);
  const listed =
    all.length > MOST_LISTED ? [...all.slice(0, MOST_LISTED), `${all.length - MOST_LISTED} more`] : all;
  const remedy =
    near === undefined ? `there are ${listed.join(', ') || 'none'}` : `did you mean ${JSON.stringify(near)}?`;
  return nameProblem(`the document has no ${kind} ${JSON.stringify(name)}`, remedy);
}

const MOST_LISTED = 20;
const EXTENTS: ReadonlySet<Extent> = new Set(['minimal', 'usual', 'full']);

const OPTIONS = ['seed', 'shape', 'count'];

export function unknownOption(options: object, names: readonly string[]): FactoryProblem | undefined {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return undefined;
  return nameProblem(`there is no option ${JSON.stringify(unknown)}`, nameHint(unknown, names));
}

export function optionProblem(seed: unknown, extent: Extent, count: unknown): FactoryProblem | undefined {
  if (seed !== undefined && !Number.isSafeInteger(seed))
    return nameProblem(`option seed must be a whole number, not ${String(seed)}`, 'change it');
  if (!EXTENTS.has(extent))
    return nameProblem(`there is no shape ${JSON.stringify(extent)}`, 'take "minimal" or "full"');
  if (count !== undefined && !(Number.isSafeInteger(count) && Number(count) >= 0))
    return nameProblem(`option count must be a whole number from 0, not ${String(count)}`, 'change it');
  return undefined;
}

const keyOf = (shape: Shape | undefined): unknown => shape && (schemaKey(shape) ?? shape.spot.value);

function schemasOf({ document: { root } }: Contract): Spot | undefined {
  const components = rawChild(root, 'components');
  return components && rawChild(components, 'schemas');
}
