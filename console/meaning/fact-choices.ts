import type { MeaningPart, MeaningView } from '../wire.ts';

/** What an operation does, after "it": by its role. */
const ROLES: Readonly<Record<string, string>> = {
  list: 'lists the records',
  view: 'lists some of the records',
  create: 'creates a record',
  createMany: 'creates several records',
  read: 'reads a record',
  replace: 'replaces a record',
  update: 'changes a record',
  updateMany: 'changes several records',
  remove: 'removes a record',
  removeMany: 'removes several records',
  action: 'is an action on a record',
  values: 'lists the values of a member',
  singleton: 'is for the one record of its path',
  register: 'is the registration',
  login: 'is the login',
  grant: 'hands out tokens',
  refresh: 'renews a token',
  logout: 'is the logout',
  current: 'is for the current account',
  none: 'does none of this',
};

/** The effects of a parameter. */
const WORDS: Readonly<Record<string, string>> = {
  $id: 'names the record',
  $parent: 'names the parent',
  $scope: 'names what no record shows',
  $search: 'is searched for',
  $order: 'orders',
  $direction: 'is the direction of the order',
  $limit: 'is the page size',
  $offset: 'is the offset',
  $page: 'is the page number',
  $cursor: 'is the cursor',
  $before: 'is where the page ends',
  $fields: 'chooses members',
  $expand: 'embeds records',
  none: 'has no effect',
};

const BOUNDS: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '>': 'more than',
  '<=': 'at most',
  '<': 'less than',
  '!=': 'not',
};

/** The meaning of a fact's value, in words. */
export function textOfChoice([key]: readonly string[], value: unknown): string {
  if (typeof value !== 'string') return textOfValue(value);
  if (key === 'does') return ROLES[value] ?? value;
  if (key === 'members') return `refers to ${value}`;
  if (key !== 'query' && key !== 'path') return value;
  const [sign = '', member = ''] = value.split(/\s+/);
  if (BOUNDS[sign]) return `filters by ${member}, which is ${BOUNDS[sign]} this`;
  return WORDS[value] ?? (key === 'path' ? `is the member ${value}` : `filters by ${value}`);
}

function textOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [value]
      .flat()
      .map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)))
      .join(', ');
  const { search, order, names, shows } = value as Readonly<Record<string, unknown>>;
  if (search) return `is searched for in ${textOfValue(search)}`;
  if (order) return `orders by ${textOfValue(order)}`;
  if (names) return `refers to ${names}`;
  if (shows) return `shows records of ${shows}`;
  return JSON.stringify(value);
}

/** The possible values of a fact; none: it cannot be changed. */
export function choicesFor(
  path: readonly string[],
  choices: MeaningView['choices'] = {},
): readonly unknown[] {
  const [key = ''] = path;
  return (key === 'members' ? choices.names : choices[key]) ?? [];
}

/** The selected option: for a reference, its collection. */
export function chosenOf([key]: readonly string[], value: unknown): unknown {
  const names = key === 'members' && (value as { names?: unknown } | undefined)?.names;
  return names || value;
}

/** The facts for a choice, in the form of `x-paddock`; null removes one. */
export function factsFor(
  { facts }: Pick<MeaningPart, 'facts'>,
  [key = '', name]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const valueAt = (factPath: string) => facts.find(({ path }) => path.join() === factPath)?.value;
  const role = String(valueAt('does') ?? 'of');
  if (key === 'of') return value === null ? { [role]: null, of: null } : { [role]: value };
  if (key === 'does') {
    if (value === null) return { [role]: null };
    return { [String(value)]: value === 'none' ? true : (valueAt('of') ?? true) };
  }
  if (name === undefined) return { [key]: value };
  return { [key]: { [name]: key === 'members' ? { names: value } : value } };
}
