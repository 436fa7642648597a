import { rawChildren } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import type { OperationMeaning } from './meaning.ts';
import { foldedName, setOf, singular, singularName, wordsOf } from './names.ts';
import { textOf } from './words.ts';

const ROLES = setOf('role permission authority');
/** Nouns before `role` in the name of a member with an account's role: `user_role`. */
const HOLDERS = setOf('user account');
const FLAGS = setOf('admin administrator superuser superadmin staff moderator manager owner');
/** Names that are flags even without `is` before them. */
const BARE_FLAGS = setOf('admin superuser');
/** Roles that may do everything. */
const HIGHEST = setOf('admin superadmin superuser root');
const LEAST = setOf(
  'user member customer client viewer reader guest basic standard regular default visitor employee student normal',
);
/** The usual roles, for documents that do not enumerate theirs. */
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

/** The names of the privileged roles that a member can hold. */
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

/** The role of a new account: the one its name mentions (`admin@...`), else the least privileged. Undefined: no role fits. */
export function firstRole(member: Shape, called: readonly string[], name: string): unknown {
  if (member.mainType === 'boolean') return called.includes(flagIn(name) ?? name);
  const { values, patterns } = member.items ?? member;
  // A pattern without an enumeration describes ids of roles, not their names.
  if (!values && patterns.length > 0) return undefined;
  const wanted = (value: unknown) => typeof value === 'string' && called.includes(roleWord(value));
  const role = values
    ? (values.find(wanted) ?? leastRole(values))
    : (COMMON.find((word) => called.includes(word)) ?? 'user');
  return member.mainType === 'array' ? [role] : role;
}

/** The least privileged role of an enumeration. */
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
 * Who may call an operation that documents a 403: what `x-paddock` says, else the roles in its scopes, extensions and
 * description, and the maker of the record, where the description of the 403 mentions one. Undefined: everybody may.
 * @param roleNames the roles that accounts have, see {@link roleWord}
 */
export function mayOf(
  { spot, security, responses, said }: Operation,
  roleNames: readonly string[],
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
  const roles = roleNames.filter((word) => asked.includes(word));
  const isOfMaker = wordsOf(refused).some((word) => OF_MAKER.has(singular(word)));
  if (roles.length === 0 && !isOfMaker) return undefined;
  return { ...(roles.length > 0 && { roles }), ...(isOfMaker && { maker: true }) };
}

/** Sentences that restrict who may call an operation, and words in brackets such as `(admin)`. */
const ASKING = /[^.\n]*\b(?:only|require[sd]?|must|needs?|reserved|restricted)\b[^.\n]*|[([][\w ]+[)\]]/gi;
const OF_MAKER = setOf('author owner creator own owned your belong another other else');
