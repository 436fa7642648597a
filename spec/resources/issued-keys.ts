import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { setOf, singular, wordsOf } from '../meaning/names.ts';
import { has, listed, spoken, textOf } from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import { isSecretName } from '../secret-name.ts';
import { lastSegment } from './paths.ts';
import {
  answerShape,
  bodyPath,
  bodyShape,
  memberShape,
  recordPath,
  shapeAt,
  successOf,
} from './record-schema.ts';
import type { Resource } from './resource.ts';

type Credential = Operation['security'][number][number];

interface Described {
  readonly resources: readonly Resource[];
  readonly operations: readonly Operation[];
}

/** A credential that a collection hands out: the response to a create shows it, and it opens other operations. */
export interface IssuedKey extends Basis {
  readonly resource: Resource;
  readonly create: Operation;
  /** Where the response to a create has it. */
  readonly path: readonly string[];
  readonly credential: Credential;
  /** The member of the body with the moment at which it ends. */
  readonly expiry: string | undefined;
  /** What ends it at once. */
  readonly end: Operation | undefined;
}

const KEYS = setOf('key token credential');
/** Keys and tokens of something else than requests. */
const OTHERS = setOf(
  'public ssh gpg pgp deploy push device webhook signing encryption payment card invite invitation reset idempotency host ' +
    'license cache tls product',
);
const SECRETS = setOf('key token value');
const OPENING = listed(
  'requests with it|requests with them|get 401|answered 401|refused with 401|authenticate requests|authenticates requests',
);
const ENDING = setOf('revoke disable deactivate expire invalidate');

/** What `account: { token }` says at a create, else what a collection of keys is called and said to be for. */
export const issuedKeysOf = ({ operations, resources }: Described): readonly IssuedKey[] =>
  issuedBy(operations, resources);

const issuedBy = oncePer(
  (operations: Described['operations'], resources: Described['resources']): IssuedKey[] => {
    const all = operations.flatMap(({ security }) =>
      security.flatMap((one) => (one.length === 1 ? one : [])),
    );
    const schemes = [...new Map(all.map((one) => [one.scheme, one])).values()].filter(
      ({ kind }) => kind !== 'basic',
    );
    return resources.flatMap((resource) => issuedIn(resource, schemes) ?? []);
  },
);

function issuedIn(resource: Resource, schemes: readonly Credential[]): IssuedKey | undefined {
  const { create, remove } = resource.actions;
  if (!create || schemes.length === 0) return undefined;
  const words = wordsOf(lastSegment(resource.path) ?? '');
  const noun = singular(words.at(-1) ?? '');
  const told = create.said.facts.account?.token;
  const isNamed = KEYS.has(noun) && !words.some((word) => OTHERS.has(word));
  if (told === undefined && !isNamed) return undefined;
  const at = recordPath(resource, create);
  const sent = shapeAt(bodyShape(create), bodyPath(resource, create));
  const shown = [...(shapeAt(answerShape(create), at)?.properties ?? [])].find(
    ([name, { mainType }]) =>
      mainType === 'string' &&
      (isSecretName(name) || SECRETS.has(name)) &&
      !(sent && memberShape(sent, name)) &&
      !memberShape(resource.shape, name),
  );
  const path = told?.split('.') ?? (shown && [...at, shown[0]]);
  // Of several schemes, keys are those that are no tokens of a session.
  const fitting = schemes.filter(({ kind }) => kind === 'apiKey' || schemes.length === 1);
  const [credential, ...others] = fitting;
  if (!path || !credential || others.length > 0) return undefined;
  const text = [create.spot, successOf(create)?.spot, resource.shape.spot].map((spot) =>
    spot ? textOf(spot) : '',
  );
  const signs: Sign[] = [
    told === undefined ? 'name' : 'said',
    ...(has(spoken(text.join('. ')), OPENING) ? ['words' as const] : []),
  ];
  const [expiry] =
    [...(sent?.properties ?? [])].find(
      ([name, member]) =>
        member.find('format')?.value === 'date-time' && wordsOf(name)[0]?.startsWith('expir'),
    ) ?? [];
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
    ...basisOf(signs, create.spot),
  };
}
