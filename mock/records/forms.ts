import {
  type Data,
  formsOf,
  oncePer,
  roughlyFits,
  type Shape,
  saidOfRecord,
  toPointer,
  violationsOf,
} from '#spec';

/**
 * Compiles something for each form (`oneOf`, `anyOf`) of a schema.
 * @returns the result for the form that members fit best
 */
export function compileForms<T>(shape: Shape, compile: (form: Shape) => T): (members: Data) => T {
  const forms = formsOf(shape).map((form) => ({ ...compileFit(form), made: compile(form) }));
  const [only, ...others] = forms;
  return only && others.length === 0 ? () => only.made : (members) => bestFit(forms, members).made;
}

const compileForm = oncePer((shape: Shape) => compileForms(shape, (form) => form));

/** The form of a schema that members fit best. */
export const formOf = (shape: Shape, members: Data): Shape => compileForm(shape)(members);

/** How well members fit one form. */
interface Fit {
  /** A check without a validator. */
  mayFit(members: Data): boolean;
  /** Whether the form has a member that may have the value. */
  lists(name: string, value: unknown): boolean;
  /** @param isElsewhere whether one of the forms lists a value */
  misfitOf(members: Data, isElsewhere: Fit['lists']): Misfit;
}

/**
 * Counts, in order of importance: values that another form lists and this one does not; members that a record of this form
 * cannot have; members that it does not name; wrong members; all violations, of which missing members may be the service's
 * to set. A null that the form does not allow removes the member, and only counts as wrong.
 */
type Misfit = readonly [unlisted: number, unfit: number, unnamed: number, wrong: number, all: number];

function compileFit(form: Shape): Fit {
  const named = namedMembers(form);
  return {
    mayFit: (members) => roughlyFits(form, members),
    lists: (name, value) => named.get(name)?.allows(value) === true,
    misfitOf(members, isElsewhere) {
      // Checked as a request, since members that the service sets are still missing.
      const violations = violationsOf(form, members, 'request');
      const entries = Object.entries(members);
      const nulls = new Set(entries.flatMap(([name, value]) => (value === null ? toPointer([name]) : [])));
      const wrong = violations.filter(({ keyword }) => keyword !== 'required');
      const unfit = wrong.filter(({ pointer }) => !nulls.has(pointer)).length;
      const unknown = entries.filter(([name]) => !named.has(name)).length;
      const unlisted = entries.filter(([name, value]) => {
        const member = named.get(name);
        return value !== null && member?.values && !member.allows(value) && isElsewhere(name, value);
      }).length;
      return [unlisted, unfit + unknown, unknown, wrong.length, violations.length];
    },
  };
}

/** The form that fits best. It need not fit fully: a stored record lacks its `writeOnly` members. */
function bestFit<T extends Fit>(forms: readonly T[], members: Data): T {
  // A check without a validator usually decides; some validators take half a second to compile.
  const [only, ...others] = forms.filter((form) => form.mayFit(members));
  if (only && others.length === 0) return only;
  const isListed: Fit['lists'] = (name, value) => forms.some((form) => form.lists(name, value));
  const misfits = new Map(forms.map((form) => [form, form.misfitOf(members, isListed)]));
  const [best] = [...forms].sort((left, right) => compare(misfits.get(left), misfits.get(right)));
  return best as T;
}

function compare(one: Misfit | undefined, other: Misfit | undefined): number {
  const differences = (one ?? []).map((count, index) => count - (other?.[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** The members that a schema or one of its forms names, also under a condition. */
export function namedMembers(shape: Shape): ReadonlyMap<string, Shape> {
  return new Map([...conditionalForms(shape), ...formsOf(shape), shape].flatMap(propertiesOf));
}

function propertiesOf({ properties }: Shape): [name: string, member: Shape][] {
  return [...properties];
}

function conditionalForms(shape: Shape): readonly Shape[] {
  return shape.conditional.flatMap(formsOf);
}

/** The members that `x-paddock` marks as set by the service. */
export function setByService(shape: Shape): ReadonlySet<string> {
  const { members = {} } = saidOfRecord(shape).facts;
  return new Set(Object.entries(members).flatMap(([name, { set }]) => (set ? [name] : [])));
}

/** The members that only the service sets (OpenAPI 3.1 §4.8.24, `x-paddock`), in every form. */
export function readOnlyMembers(shape: Shape): string[] {
  // The schema itself takes precedence over its conditions.
  const levels = [formsOf(shape), conditionalForms(shape)].map((forms) =>
    forms.map((form) => form.properties),
  );
  const isWritable = (name: string) =>
    levels
      .find((level) => level.some((properties) => properties.has(name)))
      ?.some((properties) => properties.get(name)?.readOnly === false);
  const generated = setByService(shape);
  return [...namedMembers(shape).keys()].filter((name) => generated.has(name) || !isWritable(name));
}

/** Whether unnamed members are stored: one of the forms allows them explicitly, or names no members. */
export function keepsUnnamed(shape: Shape): boolean {
  return formsOf(shape).some((form) => {
    const unnamed = UNNAMED.some((keyword) =>
      form.all(keyword).some(({ value }) => value === true || (typeof value === 'object' && value !== null)),
    );
    return unnamed || (form.properties.size === 0 && (form.mainType ?? 'object') === 'object');
  });
}

const UNNAMED = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];

/** Whether something holds for a schema or one within it, even in a recursive schema. */
export function someWithin(
  shape: Shape | undefined,
  holds: (shape: Shape) => boolean,
  seen = new Set<unknown>(),
): boolean {
  if (!shape) return false;
  // Joined schemas are new objects each time, so their parts are compared.
  const values = shape.parts.map(({ value }) => value);
  if (values.every((value) => seen.has(value))) return false;
  for (const value of values) seen.add(value);
  const inside = [...shape.properties.values(), ...shape.alternatives, shape.items, shape.additional];
  return holds(shape) || inside.some((one) => someWithin(one, holds, seen));
}
