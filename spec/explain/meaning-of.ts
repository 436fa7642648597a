import type { Contract } from '../contract.ts';
import { placeOf, type Spot, showPlace } from '../document/spot.ts';
import { toPointer } from '../json/json-value.ts';
import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { conditionalOf } from '../meaning/conditional.ts';
import { refusedAs } from '../meaning/may.ts';
import type {
  AccountMeaning,
  CollectionMeaning,
  FactBasis,
  Meaning,
  MemberMeaning,
  OperationMeaning,
  QueryMeaning,
} from '../meaning/meaning.ts';
import { foldedName } from '../meaning/names.ts';
import { firstPosition } from '../meaning/paging.ts';
import { uniqueKeys } from '../meaning/unique.ts';
import { upsertOf } from '../meaning/upsert.ts';
import { type Said, saidOfRecord } from '../meaning/x-paddock.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { type AccountOperation, accountOperation, isRefreshToken } from '../resources/accounts.ts';
import { effectOf } from '../resources/effects.ts';
import { familiesOf, namedInBody } from '../resources/families.ts';
import { referredTo } from '../resources/list-meanings.ts';
import { memberMeanings } from '../resources/members.ts';
import { answerShape, bodyPath, memberShape, recordPath } from '../resources/record-schema.ts';
import { referencesOf } from '../resources/references.ts';
import type {
  Action,
  Further,
  FurtherRole,
  Identity,
  IdSign,
  ListForm,
  Parent,
  Resource,
  RoleSign,
  Singleton,
} from '../resources/resource.ts';
import { queryFacts } from '../resources/said-query.ts';
import { saysOf } from '../resources/says.ts';
import { textsIn, valuesInUse, whereOf } from '../resources/where.ts';

/** What a document means, as one value, and why. */
export interface Explained {
  readonly meaning: Meaning;
  /** By the JSON Pointer (RFC 6901) of the fact in the meaning. */
  readonly bases: ReadonlyMap<string, FactBasis>;
}

const known = new WeakMap<readonly Operation[], Explained>();

/** The meaning of a document: computed when it is first asked for, since few ask for all of a large one. */
export function meaningOf(contract: Contract): Explained {
  const found = known.get(contract.operations) ?? project(contract);
  known.set(contract.operations, found);
  return found;
}

type Facts<Of> = { -readonly [Key in keyof Of]?: Of[Key] };

/** Gathers the facts of one part of the value with their bases. */
class Gathered<Of> {
  readonly facts: Facts<Of> = {};
  readonly #bases: Map<string, FactBasis>;
  readonly #at: readonly string[];

  constructor(bases: Map<string, FactBasis>, ...at: readonly string[]) {
    this.#bases = bases;
    this.#at = at;
  }

  set<Key extends keyof Of & string>(key: Key, value: Of[Key] | undefined, basis: Basis): void {
    if (value === undefined) return;
    this.facts[key] = value;
    this.#note([key], basis);
  }

  /** One of several facts under a key. */
  put<Key extends keyof Of & string>(key: Key, name: string, value: unknown, basis: Basis): void {
    this.facts[key] = { ...(this.facts[key] as object | undefined), [name]: value } as Of[Key];
    this.#note([key, name], basis);
  }

  /** What is said takes the place of what is inferred. */
  say({ facts, at }: Said<Facts<Of>>): void {
    for (const [key, value] of Object.entries(facts) as [keyof Of & string, never][]) {
      const isMap = typeof value === 'object' && !Array.isArray(value);
      const inner = isMap ? Object.entries(value as object) : [];
      const known = this.facts[key] as Readonly<Record<string, object>> | undefined;
      // Of a member other things may be known.
      for (const [name, one] of inner)
        this.put(key, name, key === 'members' ? { ...known?.[name], ...one } : one, said(at(key, name)));
      if (!isMap) this.set(key, value, said(at(key)));
    }
  }

  #note(path: readonly string[], { certainty, signs = [], because }: Basis): void {
    const place = showPlace(placeOf(because));
    this.#bases.set(toPointer([...this.#at, ...path]), { certainty, signs, because: [place] });
  }
}

const said = (spot: Spot | undefined) => basisOf(['said'], spot as Spot);

function project(contract: Contract): Explained {
  const bases = new Map<string, FactBasis>();
  const { operations, resources, singletons } = contract;
  const roles = rolesOf(resources, singletons);
  const accounts = accountsOf(contract, roles);
  return {
    bases,
    meaning: {
      collections: Object.fromEntries([
        ...resources.map((one) => [one.path, collectionOf(one, contract, accounts === one, bases)] as const),
        ...singletons.map((one) => [one.path, singletonOf(one, bases)] as const),
      ]),
      operations: Object.fromEntries(
        operations.map((one) => [keyOf(one), operationOf(one, roles.get(one), contract, bases)] as const),
      ),
    },
  };
}

const LOGINS: ReadonlySet<string> = new Set(['login', 'grant', 'refresh']);

/** What names an operation in the value: `GET /pets`. */
export const keyOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** The role of an operation with the collection as it sees it. */
interface Role {
  readonly role: FurtherRole | 'singleton';
  readonly resource: Resource | Singleton;
  readonly list: ListForm | undefined;
  readonly parents: readonly Parent[];
  readonly parameter: string | undefined;
  readonly basis: Basis;
}

const ROLE_SIGNS: Readonly<Record<RoleSign, readonly Sign[]>> = {
  extension: ['said'],
  schema: ['schema', 'path'],
  path: ['path'],
  name: ['name'],
};

/** The first collection that names an operation has it. */
function rolesOf(
  resources: readonly Resource[],
  singletons: readonly Singleton[],
): ReadonlyMap<Operation, Role> {
  const roles = new Map<Operation, Role>();
  const add = (operation: Operation, role: Role) => {
    if (!roles.has(operation)) roles.set(operation, role);
  };
  const byPath = (operation: Operation): Basis => ({
    ...{ certainty: 'promised', because: operation.spot },
    signs: operation.said.facts.does === undefined ? ['path', 'schema'] : ['said'],
  });
  for (const resource of resources) {
    const { list, parents, id } = resource;
    for (const [role, operation] of Object.entries(resource.actions) as [Action, Operation][])
      add(operation, {
        ...{ role, resource, parents, parameter: id?.parameter, basis: byPath(operation) },
        list: role === 'list' ? list : undefined,
      });
    for (const one of resource.further) add(one.operation, furtherRole(one, resource));
  }
  for (const resource of singletons) {
    const rest = { resource, role: 'singleton', list: undefined, parameter: undefined } as const;
    const { parents } = resource;
    for (const operation of Object.values(resource.actions))
      add(operation, { ...rest, parents, basis: byPath(operation) });
    for (const { operation, sign, because } of resource.further)
      add(operation, { ...rest, role: 'action', parents, basis: basisOf(ROLE_SIGNS[sign], because) });
  }
  return roles;
}

function furtherRole({ role, list, parents, parameter, sign, because }: Further, resource: Resource): Role {
  return { role, resource, list, parents, parameter, basis: basisOf(ROLE_SIGNS[sign], because) };
}

function operationOf(
  operation: Operation,
  role: Role | undefined,
  contract: Contract,
  bases: Map<string, FactBasis>,
): OperationMeaning {
  const gathered = new Gathered<OperationMeaning>(bases, 'operations', keyOf(operation));
  const account = accountOperation(operation);
  const because = operation.spot;
  const basis = account ?? role?.basis ?? { certainty: 'presumed', signs: [], because };
  gathered.set('does', account?.role ?? role?.role ?? 'none', basis);
  if (role) {
    gathered.set('of', role.resource.path, role.basis);
    addPath(operation, role, contract, gathered);
    addPlaces(operation, role, gathered);
    if (role.list) addList(operation, { ...role, list: role.list }, gathered);
    addRefusals(operation, role, contract, gathered);
    addEffect(operation, role, contract, gathered);
  }
  const values = role || account ? undefined : valuesInUse(operation, contract.resources);
  if (values && textsIn(answerShape(operation))) {
    gathered.set('does', 'values', basisOf(['name'], because));
    gathered.set('of', values.of.path, basisOf(['name'], because));
    gathered.put('in', 'values', values.property, basisOf(['name'], because));
  }
  const isEnvelope = role !== undefined && role.list?.member !== undefined;
  for (const [name, value] of Object.entries(role || account ? saysOf(operation, isEnvelope) : {}))
    gathered.put('says', name, value, basisOf(['name'], because));
  if (account) addAccount(account, gathered);
  const refused = account && LOGINS.has(account.role) && refusedAs(operation, account.role === 'grant');
  if (refused) gathered.put('refuses', String(refused), 'credentials', basisOf(['path'], because));
  const upsert = upsertOf(operation);
  if (upsert) gathered.set('upsert', true, upsert);
  addConditional(operation, contract, gathered);
  addOfResponse(operation, gathered);
  gathered.say(operation.said);
  return { does: 'none', ...gathered.facts };
}

type Of = Gathered<OperationMeaning>;

/** Parameters that choose what a response shows, by their folded names. */
const CHOOSING: ReadonlyMap<string, '$expand' | '$fields'> = new Map([
  ...['expand', 'include', 'includes', 'embed', 'with'].map((name) => [name, '$expand'] as const),
  ...['fields', 'field', 'select', 'attributes'].map((name) => [name, '$fields'] as const),
]);

/** What a response shows, where its job is (RFC 9110 §15.3.3), and the header by which a repeated request is known. */
function addOfResponse({ parameters, responses }: Operation, gathered: Of): void {
  for (const { in: place, name, spot } of parameters) {
    const chosen = place === 'query' && !gathered.facts.query?.[name] && CHOOSING.get(foldedName(name));
    if (chosen) gathered.put('query', name, chosen, basisOf(['name'], spot));
    if (place === 'header' && foldedName(name) === 'idempotencykey')
      gathered.set('idempotencyKey', name, basisOf(['name'], spot));
  }
  const accepted = responses.find(({ key }) => key === '202');
  const location = accepted?.headers.find(({ name }) => name === 'location');
  if (location) gathered.set('job', '$Location', basisOf(['schema', 'name'], location.spot));
}

function addPath(
  { path, parameters }: Operation,
  { resource, parents, parameter }: Role,
  { resources }: Contract,
  gathered: Of,
): void {
  const { kin = [] } = familiesOf(resources).get(resource as Resource) ?? {};
  const id = 'id' in resource ? resource.id : undefined;
  for (const name of pathParameters(path)) {
    const because =
      parameters.find((one) => one.in === 'path' && one.name === name)?.spot ?? resource.shape.spot;
    const parent = parents.find((one) => one.parameter === name);
    const member = parent && [parent.property, parent.inner].filter(Boolean).join('.');
    if (name === parameter) gathered.put('path', name, '$id', id ? idBasis(id) : basisOf(['path'], because));
    else if (member) gathered.put('path', name, member, basisOf(['path', 'name'], because));
    else if (kin.some((one) => one.parameter === name))
      gathered.put('path', name, '$parent', basisOf(['path', 'schema'], because));
    else gathered.put('path', name, '$scope', basisOf(['path'], because));
  }
}

function addPlaces(operation: Operation, { resource, list }: Role, gathered: Of): void {
  const answer = answerShape(operation);
  const because = answer?.spot ?? operation.spot;
  const basis = basisOf(['schema', 'name'], because);
  const put = (key: string, path: readonly (string | undefined)[]) => {
    const text = path.filter((one) => one !== undefined).join('.');
    if (text !== '') gathered.put('in', key, text, basis);
  };
  if (list) put('records', [list.within, list.member]);
  const record = { id: undefined, ...resource };
  if (!list) put('record', recordPath(record, operation));
  put('body', bodyPath(record, operation));
}

function addList(operation: Operation, { resource, list }: Role & { list: ListForm }, gathered: Of): void {
  const query = (name: string, meaning: QueryMeaning, basis: Basis) =>
    gathered.put('query', name, meaning, basis);
  for (const [name, meaning, basis] of queryFacts(list)) query(name, meaning, basis);
  for (const { name, property } of referredTo(operation, { list, shape: resource.shape }))
    if (!gathered.facts.query?.[name])
      query(name, property, basisOf(['name'], parameterSpot(operation, name)));
  const counted = list.page ?? list.offset;
  const first = counted && firstPosition(counted, list);
  if (first && (first.value === 0 || first.value === 1)) gathered.set('first', first.value, first);
  for (const one of list.members) gathered.put('page', one.path.join('.'), one.says, one);
  for (const one of list.headers) gathered.put('page', one.name, one.says, one);
}

function parameterSpot({ parameters, spot }: Operation, name: string): Spot {
  return parameters.find((one) => one.in === 'query' && one.name === name)?.spot ?? spot;
}

function addRefusals(
  operation: Operation,
  { resource, role, parents }: Role,
  { resources }: Contract,
  gathered: Of,
): void {
  if (!('further' in resource) || !('list' in resource)) return;
  const family = familiesOf(resources).get(resource);
  const refused = uniqueKeys(resource).find(({ refusedBy }) => refusedBy.includes(operation));
  if (refused) gathered.put('refuses', '409', 'taken', refused);
  const [held] = role === 'remove' ? (family?.heldBy ?? []) : [];
  if (held) gathered.put('refuses', '409', 'kept', held);
  if (!family || !['create', 'replace', 'update'].includes(role)) return;
  const path = new Set(parents.flatMap(({ property }) => property ?? []));
  const named = namedInBody(resource, family, operation, path);
  const [kin] = named?.kin ?? [];
  if (named && kin) gathered.put('refuses', String(named.status), 'parent', kin);
}

function addEffect(
  operation: Operation,
  { role, resource }: Role,
  { resources }: Contract,
  gathered: Of,
): void {
  const put = (key: 'sets' | 'where', facts: object = {}, signs: readonly Sign[] = ['name', 'path']) => {
    for (const [name, value] of Object.entries(facts))
      gathered.put(key, name, value, { ...basisOf(signs, operation.spot), certainty: 'presumed' });
  };
  const effect = role === 'action' ? effectOf(operation, { id: undefined, ...resource }) : undefined;
  put('sets', effect?.sets, effect?.signs);
  if (effect && operation.responses.some(({ key }) => key === '409'))
    gathered.put('refuses', '409', 'state', basisOf(['path'], operation.spot));
  const family = 'id' in resource && familiesOf(resources).get(resource);
  if (family && (role === 'list' || role === 'view'))
    put('where', whereOf(operation, resource, resources, family));
}

function addConditional(operation: Operation, contract: Contract, gathered: Of): void {
  const { tag, refusesStale, needsCondition, notModified } = conditionalOf(contract, operation);
  const all = { tag, stale: refusesStale, required: needsCondition, notModified };
  const found = Object.entries(all).filter(
    (entry): entry is [keyof typeof all, Basis] => entry[1] !== undefined,
  );
  for (const [, basis] of found)
    gathered.set(
      'conditional',
      found.map(([name]) => name),
      basis,
    );
}

function addAccount(account: AccountOperation, gathered: Of): void {
  const { identities, password, tokens, sent } = account;
  const put = (key: keyof AccountMeaning, value: unknown) => {
    if (value !== undefined) gathered.put('account', key, value, account);
  };
  const inBody = (name: string) => [...sent, name].join('.');
  put('identity', identities.length > 0 ? identities.map(inBody) : undefined);
  put('proof', password === undefined ? undefined : inBody(password));
  put('token', tokens.find((one) => !isRefreshToken(one))?.join('.'));
  put('refresh', tokens.find(isRefreshToken)?.join('.'));
}

/** The collection of those that register. */
function accountsOf({ operations }: Contract, roles: ReadonlyMap<Operation, Role>) {
  const registers = operations.find((one) => accountOperation(one)?.role === 'register');
  return registers && roles.get(registers)?.resource;
}

const ID_SIGNS: Readonly<Record<IdSign, readonly Sign[]>> = {
  said: ['said'],
  link: ['said'],
  'name of the parameter': ['name', 'path'],
  'end of the parameter': ['name', 'path'],
  'name id': ['name', 'schema'],
  undeclared: ['name', 'path'],
};

function idBasis({ sign, because }: Identity): Basis {
  return basisOf(ID_SIGNS[sign], because);
}

function collectionOf(
  resource: Resource,
  { resources }: Contract,
  isOfAccounts: boolean,
  bases: Map<string, FactBasis>,
): CollectionMeaning {
  const { path, shape, id, parents } = resource;
  const gathered = new Gathered<CollectionMeaning>(bases, 'collections', path);
  const family = familiesOf(resources).get(resource);
  gathered.set('record', pointerOf(shape.spot), basisOf(['schema', 'path'], shape.spot));
  if (id) gathered.set('id', [id.property, id.inner].filter(Boolean).join('.'), idBasis(id));
  if (isOfAccounts) gathered.set('accounts', true, basisOf(['name'], shape.spot));
  for (const { parameter, property, inner } of parents) {
    const kin = family?.kin.find((one) => one.parameter === parameter);
    const facts = {
      ...(kin && { of: kin.parent.path }),
      ...(property !== undefined && { member: [property, inner].filter(Boolean).join('.') }),
      ...(kin?.isOwned && { owned: true }),
    };
    gathered.put('parents', parameter, facts, kin ?? basisOf(['path'], shape.spot));
  }
  if (family?.sharedWith)
    gathered.set('sharedWith', family.sharedWith.path, basisOf(['schema', 'path'], shape.spot));
  for (const [name, { signs, ...fact }] of memberMeanings(resource))
    if (fact.holds !== undefined || fact.per !== undefined)
      gathered.put('members', name, fact, basisOf(signs, memberShape(shape, name)?.spot ?? shape.spot));
  const member = (name: string, fact: MemberMeaning, basis: Basis) =>
    gathered.put('members', name, { ...gathered.facts.members?.[name], ...fact }, basis);
  for (const kin of family?.kin ?? [])
    if (kin.parameter === undefined && kin.property !== undefined)
      member(kin.property, { names: kin.parent.path }, kin);
  const embedded = family?.embedded ?? [];
  for (const one of embedded) member(one.property, { shows: one.child.path }, one);
  for (const one of referencesOf(shape, resources))
    if (one.shape && !embedded.some(({ property }) => property === one.property))
      member(one.property, { names: one.to.path }, one);
  const keys = uniqueKeys(resource);
  for (const key of keys)
    gathered.set(
      'unique',
      keys.map(({ properties, isPerParent, freed }) => ({
        members: properties,
        ...(isPerParent && { perParent: true as const }),
        ...(freed && { freed: true as const }),
      })),
      key,
    );
  const [held] = family?.heldBy ?? [];
  if (held)
    gathered.set(
      'keptBy',
      family?.heldBy.map(({ child }) => child.path),
      held,
    );
  gathered.say(saidOfRecord(shape));
  return gathered.facts;
}

function singletonOf({ path, shape }: Singleton, bases: Map<string, FactBasis>): CollectionMeaning {
  const gathered = new Gathered<CollectionMeaning>(bases, 'collections', path);
  gathered.set('single', true, basisOf(['schema', 'path'], shape.spot));
  gathered.set('record', pointerOf(shape.spot), basisOf(['schema', 'path'], shape.spot));
  gathered.say(saidOfRecord(shape));
  return gathered.facts;
}

/** A JSON Pointer, after the file where that is not the document's own. */
function pointerOf({ document, file, path }: Spot): string {
  const pointer = `#${toPointer(path)}`;
  return file === document.root.file ? pointer : `${file.uri}${pointer}`;
}

/** The parameters of an operation of which nothing is known but their schemas. */
export function unknownParameters(
  operation: Operation,
  { query = {}, idempotencyKey }: OperationMeaning,
): string[] {
  const names = new Set(Object.keys(query).map((name) => name.replace(/\[.*\]$/, '')));
  return operation.parameters.flatMap(({ in: place, name }) => {
    const isKnown = place === 'query' ? names.has(name) : KNOWN_HEADERS.has(name) || name === idempotencyKey;
    return place === 'path' || isKnown ? [] : [name];
  });
}

/** RFC 9110 §13.1 and RFC 7240. */
const KNOWN_HEADERS: ReadonlySet<string> = new Set([
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'prefer'],
]);
