import { rawChildren } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import type { OperationMeaning } from './meaning.ts';
import { foldedName, setOf, singular, singularName, wordsOf } from './names.ts';
import { textOf } from './words.ts';

const ROLES = setOf('role permission authority');
/** Whose role it may be. */
const HOLDERS = setOf('user account');
const FLAGS = setOf('admin administrator superuser superadmin staff moderator manager owner');
/** A flag even without `is` before it. */
const BARE_FLAGS = setOf('admin superuser');
/** Whoever is one of these may do everything. */
const HIGHEST = setOf('admin superadmin superuser root');
const LEAST = setOf(
  'user member customer client viewer reader guest basic standard regular default visitor employee student normal',
);
/** Of roles that no enumeration lists. */
const COMMON = ['admin', 'superuser', 'staff', 'moderator', 'manager', 'editor', 'maintainer'];

/** Whether a member says what an account may do: `role`, `userRoles`, `is_admin`. */
export function isRole(name: string, { mainType, items }: Shape): boolean {
  if (mainType === 'boolean') return flagIn(name) !== undefined;
  const words = wordsOf(name);
  const isText = mainType === 'string' || (mainType === 'array' && items?.mainType === 'string');
  const isHeld = words.length === 1 || (words.length === 2 && HOLDERS.has(words[0] as string));
  return isText && isHeld && ROLES.has(singular(words.at(-1) as string));
}

function flagIn(name: string): string | undefined {
  const folded = foldedName(name);
  const word = folded.replace(/^is/, '');
  return (word === folded ? BARE_FLAGS : FLAGS).has(word) ? roleWord(word) : undefined;
}

/** `admin` for `ROLE_ADMIN`, `Administrators`, `is_admin`. */
export function roleWord(text: string): string {
  return singularName(text.replace(/^role[_:-]/i, '')).replace(/istrator$/, '');
}

/** The words for what only some accounts are, by a member. */
export function roleWordsOf(name: string, member: Shape): readonly string[] {
  if (member.mainType === 'boolean') return [flagIn(name) ?? name];
  const { values } = member.items ?? member;
  if (!values) return singularName(name).endsWith('role') ? COMMON : [];
  const least = leastRole(values);
  return values.flatMap((value) => (typeof value === 'string' && value !== least ? [roleWord(value)] : []));
}

/** The roles that the value of a member gives an account. */
export function rolesHeld(name: string, value: unknown): string[] {
  if (typeof value === 'boolean') return value ? [flagIn(name) ?? name] : [];
  return [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(/[\s,]+/).map(roleWord) : []));
}

export const isHighest = (word: string): boolean => HIGHEST.has(word);

/** What a new account is by a member, called after a role (`admin@...`) or not: the least. Undefined: nothing in particular. */
export function firstRole(member: Shape, called: readonly string[], name: string): unknown {
  if (member.mainType === 'boolean') return called.includes(flagIn(name) ?? name);
  const { values, patterns } = member.items ?? member;
  // Ids of roles, say.
  if (!values && patterns.length > 0) return undefined;
  const wanted = (value: unknown) => typeof value === 'string' && called.includes(roleWord(value));
  const role = values
    ? (values.find(wanted) ?? leastRole(values))
    : (COMMON.find((word) => called.includes(word)) ?? 'user');
  return member.mainType === 'array' ? [role] : role;
}

/** The role of whoever has just registered. */
function leastRole(values: readonly unknown[]): unknown {
  const texts = values.filter((value) => typeof value === 'string');
  return (
    texts.find((value) => LEAST.has(roleWord(value))) ??
    texts.find((value) => !HIGHEST.has(roleWord(value))) ??
    texts[0]
  );
}

type May = NonNullable<OperationMeaning['may']>;

/**
 * Who alone may call an operation with a 403: what is said, else accounts of the roles that scopes, extensions or words ask for, and the
 * maker of the record, where the 403 speaks of one. Undefined: everybody may.
 * @param known the roles that accounts have, see {@link roleWord}
 */
export function mayOf(
  { spot, security, responses, said }: Operation,
  known: readonly string[],
): May | undefined {
  const { may } = said.facts;
  if (may)
    return may.everybody ? undefined : { ...may, ...(may.roles && { roles: may.roles.map(roleWord) }) };
  const refusal = responses.find(({ key }) => key === '403');
  if (!refusal) return undefined;
  const refused = textOf(refusal.spot);
  const asking = [
    ...security.flat().flatMap(({ scopes }) => scopes),
    ...rawChildren(spot).flatMap(([name, { value }]) =>
      name.startsWith('x-') && /role|permission/.test(name) ? [value].flat().map(String) : [],
    ),
    ...(textOf(spot).match(ASKING) ?? []),
  ];
  const asked = [refused, ...asking].flatMap(wordsOf).map(roleWord);
  const roles = known.filter((word) => asked.includes(word));
  const isOfMaker = wordsOf(refused).some((word) => OF_MAKER.has(singular(word)));
  if (roles.length === 0 && !isOfMaker) return undefined;
  return { ...(roles.length > 0 && { roles }), ...(isOfMaker && { maker: true }) };
}

/** Sentences that say who may, and what stands in brackets. */
const ASKING = /[^.\n]*\b(?:only|require[sd]?|must|needs?|reserved|restricted)\b[^.\n]*|[([][\w ]+[)\]]/gi;
const OF_MAKER = setOf('author owner creator own owned your belong another other else');
