import { rawChildren, textAt } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses, responseFor } from '../response.ts';
import { roleWord } from './account-roles.ts';
import type { OperationMeaning } from './meaning.ts';
import { singular, wordsOf } from './names.ts';

type May = NonNullable<OperationMeaning['may']>;

const FORBIDDEN = 403;

/**
 * Who alone may call an operation with a 403: what is said, else accounts of the roles that scopes, extensions or words ask
 * for, and the maker of the record, where the 403 speaks of one. Undefined: everybody may.
 * @param known the roles that accounts have, see {@link roleWord}
 */
export function mayOf(operation: Operation, known: readonly string[]): May | undefined {
  const { may } = operation.said.facts;
  if (may)
    return may.everybody ? undefined : { ...may, ...(may.roles && { roles: may.roles.map(roleWord) }) };
  const { spot, security, responses, summary = '' } = operation;
  if (!explicitStatuses(responses).includes(FORBIDDEN)) return undefined;
  const refusal = responseFor(responses, FORBIDDEN);
  const refused = (refusal && textAt(refusal.spot, 'description')) ?? '';
  const texts = [
    refused,
    ...[summary, textAt(spot, 'description') ?? ''].flatMap((text) => text.match(ASKING) ?? []),
    ...security.flat().flatMap(({ scopes }) => scopes),
    ...rawChildren(spot).flatMap(([name, { value }]) =>
      name.startsWith('x-') && wordsOf(name).some((word) => OF_ACCESS.has(word))
        ? [value].flat().map(String)
        : [],
    ),
  ];
  const asked = new Set(texts.flatMap(rolesIn));
  const roles = known.filter((word) => asked.has(word));
  const isOfMaker = wordsOf(refused).some((word) => OF_MAKER.has(singular(word)));
  if (roles.length === 0 && !isOfMaker) return undefined;
  return { ...(roles.length > 0 && { roles }), ...(isOfMaker && { maker: true }) };
}

/** Sentences that say who may, and what stands in brackets. */
const ASKING =
  /[^.\n]*\b(?:only|require[sd]?|must|need|needs|reserved|restricted)\b[^.\n]*|[([][\w ]+[)\]]/gi;
const OF_ACCESS = new Set([
  'role',
  'roles',
  'permission',
  'permissions',
  'access',
  'auth',
  'allow',
  'allowed',
]);
const OF_MAKER = new Set(
  'author owner creator created own owned your belong another other else somebody'.split(' '),
);

const rolesIn = (text: string) =>
  text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => [roleWord(word), ...word.split(/[_-]/).map(roleWord)]);

/**
 * The status by which wrong credentials are refused, by what RFC 9110 §15.5.2 and, for a token endpoint, RFC 6749 §5.2 have
 * for it. Undefined: the document knows no refusal of them.
 */
export function refusedAs({ responses, said }: Operation, isGrant: boolean): number | undefined {
  const [own] = Object.entries(said.facts.refuses ?? {}).find(([, why]) => why === 'credentials') ?? [];
  if (own !== undefined) return Number(own);
  const documented = new Set(responses.map(({ key }) => key));
  const usual = (isGrant ? [400, 401, 403] : [401, 403, 400]).find((status) =>
    documented.has(String(status)),
  );
  if (usual !== undefined) return usual;
  const hasBody = responses.some(({ key, content }) => key === 'default' && content.length > 0);
  const isOther = documented.has('4XX') || (hasBody && responses.some(({ key }) => key.startsWith('2')));
  return isOther ? (isGrant ? 400 : 401) : undefined;
}
