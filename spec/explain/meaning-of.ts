import type { Contract } from '../contract.ts';
import { placeOf, type Spot, showPlace } from '../document/spot.ts';
import { isRecord, toPointer } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { RECORD } from '../meaning/keys.ts';
import { endingBeforeOf, exclusionsOf } from '../meaning/keyset.ts';
import type { FactBasis, Meaning } from '../meaning/meaning.ts';
import { foldedName } from '../meaning/names.ts';
import { firstPosition } from '../meaning/paging.ts';
import { conditionalOf, idempotencyKeyOf, refusedAs, upsertOf } from '../meaning/statuses.ts';
import { type Said, saidOfCollection } from '../meaning/x-paddock.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { accountOperation, isRefreshToken } from '../resources/accounts.ts';
import { effectOf, whereOf } from '../resources/effects.ts';
import { familiesOf, namedInBody } from '../resources/families.ts';
import { queryFacts } from '../resources/list-form.ts';
import { answerShape, bodyPath, memberShape, recordPath } from '../resources/record-schema.ts';
import type { ListForm, Parent, Resource, Singleton } from '../resources/resource.ts';
import { saysOf } from '../resources/says.ts';
import { summarySelection, type Tally, talliesOf } from '../resources/tallies.ts';
import { uniqueKeys } from '../resources/unique.ts';
import { textsIn, valuesInUse } from '../resources/values-in-use.ts';
import { type Fact, idBasis, memberPath, ofCollection, ofSingleton } from './collection-facts.ts';

/** The meaning of a document as one value, with the basis of each fact. */
export interface Explained {
  readonly meaning: Meaning;
  /** The basis of each fact, by its JSON Pointer (RFC 6901) in the meaning. */
  readonly bases: ReadonlyMap<string, FactBasis>;
}

/** The meaning of a document. It is computed on first use, since few commands need all of it for a large document. */
export const meaningOf = (contract: Contract): Explained => meaningBy(contract.operations, contract);

const meaningBy = oncePer((_: readonly Operation[], contract: Contract) => project(contract));

const paths = new WeakMap<Basis, readonly string[]>();

/** The path of a fact in the meaning of a document; undefined: it is not part of it. */
export function pathOfFact(contract: Contract, fact: Basis): readonly string[] | undefined {
  meaningOf(contract);
  return paths.get(fact);
}

function project(contract: Contract): Explained {
  const { operations, resources, singletons } = contract;
  const bases = new Map<string, FactBasis>();
  const roles = rolesOf(contract);
  const registers = operations.filter((operation) => accountOperation(operation)?.role === 'register');
  const accounts = registers
    .map((register) => roles.get(register)?.resource)
    .find((one) => one !== undefined);
  /** Explicit facts replace inferred ones. */
  const part = (at: readonly string[], inferred: readonly Fact[], said: Said<object>) => {
    const facts: Record<string, unknown> = {};
    for (const [basis, value, key, name] of [...inferred, ...saidFacts(said)]) {
      if (value === undefined) continue;
      const under = facts[key] as Record<string, object> | undefined;
      // A member may have several facts.
      const whole = name !== undefined && key === 'members' ? { ...under?.[name], ...value } : value;
      facts[key] = name === undefined ? value : { ...under, [name]: whole };
      const { certainty, signs = [], because } = basis;
      const path = name === undefined ? [...at, key] : [...at, key, name];
      if (!paths.has(basis)) paths.set(basis, path);
      bases.set(toPointer(path), { certainty, signs, because: [showPlace(placeOf(because))] });
    }
    const role = toPointer([...at, 'does']);
    const basis = bases.get(role);
    if (said.insteadOf !== undefined && basis) bases.set(role, { ...basis, insteadOf: said.insteadOf });
    return [at[1] ?? '', facts as unknown] as const;
  };
  return {
    bases,
    meaning: {
      collections: Object.fromEntries([
        ...resources.map((resource) =>
          part(
            ['collections', resource.path],
            ofCollection(resource, resources, accounts === resource),
            saidOfCollection(resource),
          ),
        ),
        ...singletons.map((singleton) => {
          const said = saidOfCollection(singleton);
          // Other facts about a collection do not apply to a single record with the same schema.
          const { members } = said.facts;
          return part(['collections', singleton.path], ofSingleton(singleton), {
            ...said,
            facts: members ? { members } : {},
          });
        }),
      ]),
      operations: Object.fromEntries(
        operations.map((operation) => {
          // Facts about the records of a collection belong to the collection.
          const entries = Object.entries(operation.said.facts).filter(([key]) => !(key in RECORD));
          const inferred = ofOperation(operation, roles.get(operation), contract);
          return part(['operations', keyOf(operation)], inferred, {
            ...operation.said,
            facts: Object.fromEntries(entries),
          });
        }),
      ),
    } as Meaning,
  };
}

const saidFacts = ({ facts, at }: Said<object>): Fact[] =>
  Object.entries(facts).flatMap(([key, value]): Fact[] => {
    const stands = (...path: string[]) => basisOf(['said'], at(...path) as Spot);
    if (!isRecord(value)) return [[stands(key === 'does' ? String(value) : key), value, key]];
    return Object.entries(value).map(([name, one]): Fact => [stands(key, name), one, key, name]);
  });

/** The facts of a key with several names. */
const named = (basis: Basis, key: string, facts: object = {}): Fact[] =>
  Object.entries(facts).map(([name, value]): Fact => [basis, value, key, name]);

/** The key of an operation in the meaning: `GET /pets`. */
export const keyOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** The role of an operation in a collection, with what the role implies. */
interface Role {
  readonly operation: Operation;
  readonly role: string;
  readonly resource: Resource | Singleton;
  readonly list: ListForm | undefined;
  readonly parents: readonly Parent[];
  readonly parameter: string | undefined;
  readonly basis: Basis;
}

/** The role of each operation, in the first collection that has it. */
function rolesOf({ resources, singletons }: Contract): ReadonlyMap<Operation, Role> {
  const all = [...resources, ...singletons].flatMap((resource): Role[] => {
    const { list, id }: Partial<Resource> = 'id' in resource ? (resource as Resource) : {};
    const common = { resource, parents: resource.parents, parameter: id?.parameter };
    const main = Object.entries(resource.actions).map(([role, operation]: [string, Operation]) => ({
      ...common,
      operation,
      role: 'id' in resource ? role : 'singleton',
      list: role === 'list' ? list : undefined,
      basis: basisOf(operation.said.facts.does === undefined ? ['path', 'schema'] : ['said'], operation.spot),
    }));
    return [...main, ...resource.further.map((further) => ({ ...common, ...further, basis: further }))];
  });
  return new Map(all.toReversed().map((role) => [role.operation, role]));
}

function ofOperation(operation: Operation, role: Role | undefined, contract: Contract): Fact[] {
  const { spot, responses } = operation;
  const account = accountOperation(operation);
  const byName = basisOf(['name'], spot);
  const unknown: Basis = { certainty: 'presumed', signs: [], because: spot };
  const values = role || account ? undefined : valuesInUse(operation, contract.resources);
  const lists = values && textsIn(answerShape(operation)) ? values : undefined;
  const isGrant = account?.role === 'grant';
  const asks = account && ['login', 'grant', 'refresh'].includes(account.role);
  const refused = asks ? refusedAs(operation, isGrant) : undefined;
  const { tag, refusesStale, needsCondition, notModified } = conditionalOf(contract, operation);
  const conditions = Object.entries({
    tag,
    stale: refusesStale,
    required: needsCondition,
    notModified,
  }).filter(([, basis]) => basis);
  const upsert = upsertOf(operation);
  const key = idempotencyKeyOf(operation);
  const accepted = responses.find((response) => response.key === '202');
  const location = accepted?.headers.find(({ name }) => name === 'location');
  return [
    [account ?? role?.basis ?? unknown, account?.role ?? role?.role ?? 'none', 'does'],
    ...(role ? ofRole(operation, role, contract) : []),
    ...(lists
      ? ([
          [byName, 'values', 'does'],
          [byName, lists.of.path, 'of'],
          [byName, lists.property, 'in', 'values'],
        ] as const)
      : []),
    ...(role || account ? named(byName, 'says', saysOf(operation, role?.list?.member !== undefined)) : []),
    ...(account ? named(account, 'account', placesOf(account)) : []),
    ...(refused === undefined ? [] : named(basisOf(['path'], spot), 'refuses', { [refused]: 'credentials' })),
    ...(upsert ? [[upsert, true, 'upsert'] as const] : []),
    ...conditions.map(
      ([, basis]): Fact => [basis ?? unknown, conditions.map(([name]) => name), 'conditional'],
    ),
    ...choosing(operation, role?.list),
    ...(role?.list ? leavingOut(operation, role.resource.shape) : []),
    ...talliesOf(operation, contract).flatMap((tally) => named(tally, 'tallies', tallyFact(tally))),
    ...[...new Set(talliesOf(operation, contract).map(({ of }) => of))].flatMap((resource) =>
      queriesOf(summarySelection(operation, resource)),
    ),
    ...(key ? [[basisOf(['name'], key.spot), key.name, 'idempotencyKey'] as const] : []),
    ...(location ? [[basisOf(['schema', 'name'], location.spot), '$Location', 'job'] as const] : []),
  ];
}

/** Parameters that exclude records, and the cursor parameter that a page ends before. */
function leavingOut(operation: Operation, record: Resource['shape']): Fact[] {
  const back = endingBeforeOf(operation);
  return [
    ...exclusionsOf(operation, record).map(
      (exclusion): Fact => [exclusion, `!= ${exclusion.property}`, 'query', exclusion.parameter.name],
    ),
    ...(back ? [[basisOf(['name'], back.spot), '$before', 'query', back.name] as const] : []),
  ];
}

const tallyFact = ({ path, of, sum, by, where }: Tally) => ({
  [path.join('.')]: {
    of: of.path,
    ...(sum !== undefined && { sum }),
    ...(by !== undefined && { by }),
    ...(where && { where: Object.fromEntries([where]) }),
  },
});

/** Parameters that select what a response contains, by their folded names. */
const CHOOSING: Readonly<Record<string, string>> = {
  expand: '$expand',
  include: '$expand',
  embed: '$expand',
  fields: '$fields',
  select: '$fields',
};

function choosing({ parameters }: Operation, list: ListForm | undefined): Fact[] {
  const taken = new Set(list ? queryFacts(list).map(({ name }) => name) : []);
  const rest = parameters.filter((parameter) => parameter.in === 'query' && !taken.has(parameter.name));
  return rest.map(({ name, spot }) => [basisOf(['name'], spot), CHOOSING[foldedName(name)], 'query', name]);
}

function placesOf({ identities, password, tokens, sent }: NonNullable<ReturnType<typeof accountOperation>>) {
  const inBody = (name: string) => [...sent, name].join('.');
  return {
    identity: identities.length > 0 ? identities.map(inBody) : undefined,
    proof: password === undefined ? undefined : inBody(password),
    token: tokens.find((token) => !isRefreshToken(token))?.join('.'),
    refresh: tokens.find(isRefreshToken)?.join('.'),
  };
}

function ofRole(operation: Operation, at: Role, contract: Contract): Fact[] {
  const { resources } = contract;
  const { role, resource, list, basis } = at;
  const { spot } = operation;
  const answerBasis = basisOf(['schema', 'name'], answerShape(operation)?.spot ?? spot);
  const record = { id: undefined, ...resource };
  const places = {
    records: list && [list.within, list.member],
    record: list ? undefined : recordPath(record, operation),
    body: bodyPath(record, operation),
  };
  const joined = Object.entries(places).map(([key, path]) => [
    key,
    path?.filter((one) => one !== undefined).join('.') || undefined,
  ]);
  const effect = role === 'action' ? effectOf(operation, record) : undefined;
  const isList = 'id' in resource && (role === 'list' || role === 'view');
  const where = isList ? whereOf(operation, resource, contract) : undefined;
  const presumed = (signs: readonly Sign[]): Basis => ({ ...basisOf(signs, spot), certainty: 'presumed' });
  const isRefused = effect && operation.responses.some(({ key }) => key === '409');
  return [
    [basis, resource.path, 'of'],
    ...ofPath(operation, at, resources),
    ...named(answerBasis, 'in', Object.fromEntries(joined)),
    ...(list ? ofList(list) : []),
    ...('id' in resource ? refusals(operation, role, at, resource, resources) : []),
    ...named(presumed(effect?.signs ?? []), 'sets', effect?.sets),
    ...(isRefused ? named(basisOf(['path'], spot), 'refuses', { 409: 'state' }) : []),
    ...named(presumed(['name', 'path']), 'where', where),
  ];
}

function ofPath({ path, parameters }: Operation, at: Role, resources: readonly Resource[]): Fact[] {
  const { resource, parents, parameter } = at;
  const { kin = [] } = familiesOf(resources).get(resource as Resource) ?? {};
  const id = 'id' in resource ? resource.id : undefined;
  return pathParameters(path).map((name): Fact => {
    const spot =
      parameters.find((one) => one.in === 'path' && one.name === name)?.spot ?? resource.shape.spot;
    const parent = parents.find((one) => one.parameter === name);
    const member = parent && memberPath(parent);
    if (
      name === parameter &&
      id &&
      ![id.parameter, id.property].includes(name) &&
      memberShape(resource.shape, name)
    )
      return [basisOf(['path', 'name'], spot), name, 'path', name];
    if (name === parameter) return [id ? idBasis(id) : basisOf(['path'], spot), '$id', 'path', name];
    if (member) return [basisOf(['path', !parent.isOtherWord && 'name'], spot), member, 'path', name];
    if (kin.some((one) => one.parameter === name))
      return [basisOf(['path', 'schema'], spot), '$parent', 'path', name];
    return [basisOf(['path'], spot), '$scope', 'path', name];
  });
}

function ofList(list: ListForm): Fact[] {
  const counted = list.page ?? list.offset;
  const first = counted && firstPosition(counted, list);
  const { usual } = list;
  const listed = usual?.keys.map(({ property, descending }) => `${descending ? '-' : ''}${property}`);
  return [
    ...(usual && listed ? [[usual, listed, 'order'] as const] : []),
    ...queriesOf(list),
    ...(first && (first.value === 0 || first.value === 1) ? [[first, first.value, 'first'] as const] : []),
    ...list.members.map((member): Fact => [member, member.says, 'page', member.path.join('.')]),
    ...list.headers.map((header): Fact => [header, header.says, 'page', header.name]),
  ];
}

const queriesOf = (list: ListForm): Fact[] =>
  queryFacts(list).map(({ name, meaning, basis }): Fact => [basis, meaning, 'query', name]);

function refusals(
  operation: Operation,
  role: string,
  { parents }: Role,
  resource: Resource,
  resources: readonly Resource[],
): Fact[] {
  const family = familiesOf(resources).get(resource);
  const refused = uniqueKeys(resource).find(({ refusedBy }) => refusedBy.includes(operation));
  const [held] = role === 'remove' ? (family?.heldBy ?? []) : [];
  const path = new Set(parents.flatMap(({ property }) => property ?? []));
  const isWrite = ['create', 'replace', 'update'].includes(role);
  const naming = family && isWrite ? namedInBody(resource, family, operation, path, resources) : undefined;
  const [kin] = [...(naming?.kin ?? []), ...(naming?.lists ?? [])];
  return [
    ...(refused ? named(refused, 'refuses', { 409: 'taken' }) : []),
    ...(held ? named(held, 'refuses', { 409: 'kept' }) : []),
    ...(naming && kin ? named(kin, 'refuses', { [naming.status]: 'parent' }) : []),
  ];
}
