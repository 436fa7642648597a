import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { setOf, singular, wordsOf } from '../meaning/names.ts';
import { has, listed, spoken, textOf } from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { isSecretName } from '../secret-name.ts';
import { lastSegment } from './paths.ts';
import {
  answerShape,
  memberShape,
  memberWith,
  recordPath,
  sentShape,
  shapeAt,
  successOf,
} from './record-schema.ts';
import type { Described, Resource } from './resource.ts';

type Credential = Operation['security'][number][number];

/** A credential that a collection issues: the response to a create shows it, and other operations accept it. */
export interface IssuedKey extends Basis {
  readonly resource: Resource;
  readonly create: Operation;
  /** Its path in the response to a create. */
  readonly path: readonly string[];
  readonly credential: Credential;
  /** The member of the body with its expiry. */
  readonly expiry: string | undefined;
  /** The operation that revokes it. */
  readonly end: Operation | undefined;
}

const KEYS = setOf('key token credential');
/** Words for keys and tokens that authenticate no requests. */
const OTHERS = setOf(
  'public ssh gpg pgp deploy push device webhook signing encryption payment card invite invitation reset idempotency host ' +
    'license cache tls product',
);
const SECRETS = setOf('key token value');
const OPENING = listed(
  'requests with it|requests with them|get 401|answered 401|refused with 401|authenticate requests|authenticates requests',
);
const ENDING = setOf('revoke disable deactivate expire invalidate');

/** The keys that a document's collections issue: as `account: { token }` says at a create, else by name and description. */
export const issuedKeysOf = oncePer(({ operations, resources }: Described): readonly IssuedKey[] => {
  const alone = operations.flatMap(({ security }) =>
    security.filter((requirement) => requirement.length === 1).flat(),
  );
  const schemes = new Map(alone.map((credential) => [credential.scheme, credential]));
  const meant = [...schemes.values()].filter(({ kind }) => kind !== 'basic');
  return resources.flatMap((resource) => issuedIn(resource, meant) ?? []);
});

function issuedIn(resource: Resource, schemes: readonly Credential[]): IssuedKey | undefined {
  const { create, remove } = resource.actions;
  if (!create || schemes.length === 0) return undefined;
  const words = wordsOf(lastSegment(resource.path) ?? '');
  const noun = singular(words.at(-1) ?? '');
  const told = create.said.facts.account?.token;
  const isNamed = KEYS.has(noun) && !words.some((word) => OTHERS.has(word));
  if (told === undefined && !isNamed) return undefined;
  const at = recordPath(resource, create);
  const sent = sentShape(resource, create);
  const isSecret = (name: string, { mainType }: Shape) =>
    mainType === 'string' &&
    (isSecretName(name) || SECRETS.has(name)) &&
    !(sent && memberShape(sent, name)) &&
    !memberShape(resource.shape, name);
  const keyMember = memberWith(shapeAt(answerShape(create), at), isSecret);
  const path = told?.split('.') ?? (keyMember === undefined ? undefined : [...at, keyMember]);
  // Of several security schemes, the one for API keys rather than for session tokens.
  const [credential, ...others] = schemes.filter(({ kind }) => kind === 'apiKey' || schemes.length === 1);
  if (!path || !credential || others.length > 0) return undefined;
  const spots = [create.spot, successOf(create)?.spot, resource.shape.spot].filter(
    (spot) => spot !== undefined,
  );
  const isInWords = has(spoken(spots.map(textOf).join('. ')), OPENING);
  const expiry = memberWith(sent, isExpiry);
  const ended = resource.further.find(
    ({ role, operation, parameter }) =>
      role === 'action' && parameter !== undefined && ENDING.has(lastSegment(operation.path) ?? ''),
  );
  return {
    resource,
    create,
    path,
    credential,
    expiry,
    end: ended?.operation ?? remove,
    ...basisOf([told === undefined ? 'name' : 'said', isInWords && 'words'], create.spot),
  };
}

const isExpiry = (name: string, member: Shape) =>
  member.find('format')?.value === 'date-time' && wordsOf(name)[0]?.startsWith('expir') === true;
