import type { Contract } from '../contract.ts';
import { placeOf, type Spot, showPlace } from '../document/spot.ts';
import { isRecord, toPointer } from '../json/json-value.ts';
import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { RECORD } from '../meaning/keys.ts';
import type { FactBasis, Meaning, MemberMeaning, OperationMeaning } from '../meaning/meaning.ts';
import { foldedName } from '../meaning/names.ts';
import { firstPosition } from '../meaning/paging.ts';
import { conditionalOf, idempotencyKeyOf, refusedAs, upsertOf } from '../meaning/statuses.ts';
import { type Said, saidOfCollection } from '../meaning/x-paddock.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { type AccountOperation, accountOperation, isRefreshToken } from '../resources/accounts.ts';
import { effectOf, textsIn, valuesInUse, whereOf } from '../resources/effects.ts';
import { familiesOf, namedInBody } from '../resources/families.ts';
import { queryFacts } from '../resources/list-form.ts';
import { memberMeanings } from '../resources/members.ts';
import { recordSpot } from '../resources/presumed-responses.ts';
import { answerShape, bodyPath, memberShape, recordPath } from '../resources/record-schema.ts';
import { referencesOf } from '../resources/references.ts';
import type {
  Action,
  FurtherRole,
  Identity,
  IdSign,
  ListForm,
  Parent,
  Resource,
  Singleton,
} from '../resources/resource.ts';
import { saysOf } from '../resources/says.ts';
import { uniqueKeys } from '../resources/unique.ts';

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

const paths = new WeakMap<Basis, readonly string[]>();

/** Where a fact of a document is in its meaning; undefined: nowhere. */
export function pathOfFact(contract: Contract, fact: Basis): readonly string[] | undefined {
  meaningOf(contract);
  return paths.get(fact);
}

/** Gathers the facts of one part of the value with their bases. */
class Notes {
  readonly facts: Record<string, unknown> = {};
  readonly #bases: Map<string, FactBasis>;
  readonly #at: readonly string[];

  constructor(bases: Map<string, FactBasis>, ...at: readonly string[]) {
    this.#bases = bases;
    this.#at = at;
  }

  /** @param name of one of several facts under a key */
  add(basis: Basis, value: unknown, key: string, name?: string): void {
    if (value === undefined) return;
    this.facts[key] = name === undefined ? value : { ...this.under(key), [name]: value };
    const { certainty, signs = [], because } = basis;
    const path = [...this.#at, key, ...(name === undefined ? [] : [name])];
    if (!paths.has(basis)) paths.set(basis, path);
    this.#bases.set(toPointer(path), { certainty, signs, because: [showPlace(placeOf(because))] });
  }

  under(key: string): Readonly<Record<string, object>> {
    return (this.facts[key] ?? {}) as Readonly<Record<string, object>>;
  }

  /** Of a member several things may be known. */
  addMember(basis: Basis, fact: MemberMeaning, name: string): void {
    this.add(basis, { ...this.under('members')[name], ...fact }, 'members', name);
  }

  /** What is said takes the place of what is inferred. */
  say({ facts, at, insteadOf }: Said<object>): void {
    for (const [key, value] of Object.entries(facts)) {
      const stands = (...path: string[]) => basisOf(['said'], at(...path) as Spot);
      if (!isRecord(value)) this.add(stands(key === 'does' ? String(value) : key), value, key);
      else
        for (const [name, one] of Object.entries(value))
          if (key === 'members') this.addMember(stands(key, name), one as MemberMeaning, name);
          else this.add(stands(key, name), one, key, name);
    }
    const role = toPointer([...this.#at, 'does']);
    const basis = this.#bases.get(role);
    if (insteadOf !== undefined && basis) this.#bases.set(role, { ...basis, insteadOf });
  }
}

function project(contract: Contract): Explained {
  const bases = new Map<string, FactBasis>();
  const { operations, resources, singletons } = contract;
  const roles = rolesOf(resources, singletons);
  const registers = operations.find((one) => accountOperation(one)?.role === 'register');
  const accounts = registers && roles.get(registers)?.resource;
  const noted = (one: Resource | Singleton, note: (notes: Notes) => void) => {
    const { path } = one;
    const notes = new Notes(bases, 'collections', path);
    note(notes);
    const said = saidOfCollection(one);
    // What is said of a collection is not meant of the one record at a path with the same schema.
    const { members } = said.facts;
    notes.say('id' in one ? said : { ...said, facts: members ? { members } : {} });
    return [path, notes.facts] as const;
  };
  return {
    bases,
    meaning: {
      collections: Object.fromEntries([
        ...resources.map((one) =>
          noted(one, (notes) => noteCollection(one, resources, accounts === one, notes)),
        ),
        ...singletons.map((one) => noted(one, (notes) => noteSingleton(one, notes))),
      ]),
      operations: Object.fromEntries(
        operations.map((one) => {
          const notes = new Notes(bases, 'operations', keyOf(one));
          noteOperation(one, roles.get(one), contract, notes);
          // What it says of the records of its collection is a fact of that.
          const facts = Object.entries(one.said.facts).filter(([key]) => !(key in RECORD));
          notes.say({ ...one.said, facts: Object.fromEntries(facts) });
          return [keyOf(one), notes.facts as unknown as OperationMeaning];
        }),
      ),
    },
  };
}

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

/** The first collection that names an operation has it. */
function rolesOf(
  resources: readonly Resource[],
  singletons: readonly Singleton[],
): ReadonlyMap<Operation, Role> {
  const byPath = ({ spot, said }: Operation) =>
    basisOf(said.facts.does === undefined ? ['path', 'schema'] : ['said'], spot);
  const all = [
    ...resources.flatMap((resource): [Operation, Role][] => {
      const { list, parents, id } = resource;
      const own = { resource, parents, parameter: id?.parameter };
      return [
        ...(Object.entries(resource.actions) as [Action, Operation][]).map(
          ([role, one]): [Operation, Role] => [
            one,
            { ...own, role, basis: byPath(one), list: role === 'list' ? list : undefined },
          ],
        ),
        ...resource.further.map((one): [Operation, Role] => [
          one.operation,
          { ...one, resource, basis: one },
        ]),
      ];
    }),
    ...singletons.flatMap((resource): [Operation, Role][] => {
      const { parents, actions, further } = resource;
      const own = { resource, parents, list: undefined, parameter: undefined };
      return [
        ...Object.values(actions).map((one): [Operation, Role] => [
          one,
          { ...own, role: 'singleton', basis: byPath(one) },
        ]),
        ...further.map((one): [Operation, Role] => [one.operation, { ...own, role: 'action', basis: one }]),
      ];
    }),
  ];
  return new Map(all.toReversed());
}

const LOGINS: ReadonlySet<string> = new Set(['login', 'grant', 'refresh']);

function noteOperation(operation: Operation, role: Role | undefined, contract: Contract, notes: Notes): void {
  const account = accountOperation(operation);
  const because = operation.spot;
  const unknown = { certainty: 'presumed', signs: [], because } as const;
  notes.add(account ?? role?.basis ?? unknown, account?.role ?? role?.role ?? 'none', 'does');
  if (role) {
    notes.add(role.basis, role.resource.path, 'of');
    notePath(operation, role, contract, notes);
    notePlaces(operation, role, notes);
    if (role.list) noteList(role.list, notes);
    noteRefusals(operation, role, contract, notes);
    noteEffect(operation, role, contract, notes);
  }
  const values = role || account ? undefined : valuesInUse(operation, contract.resources);
  if (values && textsIn(answerShape(operation))) {
    const basis = basisOf(['name'], because);
    notes.add(basis, 'values', 'does');
    notes.add(basis, values.of.path, 'of');
    notes.add(basis, values.property, 'in', 'values');
  }
  const isEnvelope = role?.list?.member !== undefined;
  for (const [name, value] of Object.entries(role || account ? saysOf(operation, isEnvelope) : {}))
    notes.add(basisOf(['name'], because), value, 'says', name);
  if (account) noteAccount(account, notes);
  const refused = account && LOGINS.has(account.role) && refusedAs(operation, account.role === 'grant');
  if (refused) notes.add(basisOf(['path'], because), 'credentials', 'refuses', String(refused));
  const upsert = upsertOf(operation);
  if (upsert) notes.add(upsert, true, 'upsert');
  const {
    tag,
    refusesStale: stale,
    needsCondition: required,
    notModified,
  } = conditionalOf(contract, operation);
  const conditions = Object.entries({ tag, stale, required, notModified }).filter(([, basis]) => basis);
  for (const [, basis] of conditions)
    if (basis)
      notes.add(
        basis,
        conditions.map(([name]) => name),
        'conditional',
      );
  noteResponse(operation, notes);
}

/** Parameters that choose what a response shows, by their folded names. */
const CHOOSING: ReadonlyMap<string, '$expand' | '$fields'> = new Map([
  ...['expand', 'include', 'includes', 'embed', 'with'].map((name) => [name, '$expand'] as const),
  ...['fields', 'field', 'select', 'attributes'].map((name) => [name, '$fields'] as const),
]);

/** What a response shows, where its job is (RFC 9110 §15.3.3), and the header by which a repeated request is known. */
function noteResponse(operation: Operation, notes: Notes): void {
  const { parameters, responses } = operation;
  for (const { in: place, name, spot } of parameters) {
    const isOpen = place === 'query' && !notes.under('query')[name];
    notes.add(basisOf(['name'], spot), isOpen ? CHOOSING.get(foldedName(name)) : undefined, 'query', name);
  }
  const key = idempotencyKeyOf(operation);
  if (key) notes.add(basisOf(['name'], key.spot), key.name, 'idempotencyKey');
  const accepted = responses.find(({ key }) => key === '202');
  const location = accepted?.headers.find(({ name }) => name === 'location');
  if (location) notes.add(basisOf(['schema', 'name'], location.spot), '$Location', 'job');
}

function notePath(
  { path, parameters }: Operation,
  { resource, parents, parameter }: Role,
  { resources }: Contract,
  notes: Notes,
): void {
  const { kin = [] } = familiesOf(resources).get(resource as Resource) ?? {};
  const id = 'id' in resource ? resource.id : undefined;
  for (const name of pathParameters(path)) {
    const own = parameters.find((one) => one.in === 'path' && one.name === name)?.spot;
    const because = own ?? resource.shape.spot;
    const parent = parents.find((one) => one.parameter === name);
    const member = parent && memberPath(parent);
    const [says, basis] =
      name === parameter
        ? ['$id', id ? idBasis(id) : basisOf(['path'], because)]
        : member
          ? [member, basisOf(['path', 'name'], because)]
          : kin.some((one) => one.parameter === name)
            ? ['$parent', basisOf(['path', 'schema'], because)]
            : ['$scope', basisOf(['path'], because)];
    notes.add(basis as Basis, says, 'path', name);
  }
}

const memberPath = ({ property, inner }: { property?: string | undefined; inner?: string | undefined }) =>
  [property, inner].filter(Boolean).join('.') || undefined;

function notePlaces(operation: Operation, { resource, list }: Role, notes: Notes): void {
  const because = answerShape(operation)?.spot ?? operation.spot;
  const put = (key: string, path: readonly (string | undefined)[]) => {
    const text = path.filter((one) => one !== undefined).join('.');
    notes.add(basisOf(['schema', 'name'], because), text || undefined, 'in', key);
  };
  if (list) put('records', [list.within, list.member]);
  const record = { id: undefined, ...resource };
  if (!list) put('record', recordPath(record, operation));
  put('body', bodyPath(record, operation));
}

function noteList(list: ListForm, notes: Notes): void {
  for (const { name, meaning, basis } of queryFacts(list)) notes.add(basis, meaning, 'query', name);
  const counted = list.page ?? list.offset;
  const first = counted && firstPosition(counted, list);
  if (first && (first.value === 0 || first.value === 1)) notes.add(first, first.value, 'first');
  for (const one of list.members) notes.add(one, one.says, 'page', one.path.join('.'));
  for (const one of list.headers) notes.add(one, one.says, 'page', one.name);
}

function noteRefusals(
  operation: Operation,
  { resource, role, parents }: Role,
  { resources }: Contract,
  notes: Notes,
): void {
  if (!('further' in resource) || !('list' in resource)) return;
  const family = familiesOf(resources).get(resource);
  const refused = uniqueKeys(resource).find(({ refusedBy }) => refusedBy.includes(operation));
  if (refused) notes.add(refused, 'taken', 'refuses', '409');
  const [held] = role === 'remove' ? (family?.heldBy ?? []) : [];
  if (held) notes.add(held, 'kept', 'refuses', '409');
  if (!family || !['create', 'replace', 'update'].includes(role)) return;
  const path = new Set(parents.flatMap(({ property }) => property ?? []));
  const named = namedInBody(resource, family, operation, path);
  const [kin] = named?.kin ?? [];
  if (named && kin) notes.add(kin, 'parent', 'refuses', String(named.status));
}

function noteEffect(
  operation: Operation,
  { role, resource }: Role,
  { resources }: Contract,
  notes: Notes,
): void {
  const put = (key: 'sets' | 'where', facts: object = {}, signs: readonly Sign[] = ['name', 'path']) => {
    for (const [name, value] of Object.entries(facts))
      notes.add({ ...basisOf(signs, operation.spot), certainty: 'presumed' }, value, key, name);
  };
  const effect = role === 'action' ? effectOf(operation, { id: undefined, ...resource }) : undefined;
  put('sets', effect?.sets, effect?.signs);
  if (effect && operation.responses.some(({ key }) => key === '409'))
    notes.add(basisOf(['path'], operation.spot), 'state', 'refuses', '409');
  const family = 'id' in resource && familiesOf(resources).get(resource);
  if (family && (role === 'list' || role === 'view')) put('where', whereOf(operation, resource, resources));
}

function noteAccount(account: AccountOperation, notes: Notes): void {
  const { identities, password, tokens, sent } = account;
  const inBody = (name: string) => [...sent, name].join('.');
  const facts = {
    identity: identities.length > 0 ? identities.map(inBody) : undefined,
    proof: password === undefined ? undefined : inBody(password),
    token: tokens.find((one) => !isRefreshToken(one))?.join('.'),
    refresh: tokens.find(isRefreshToken)?.join('.'),
  };
  for (const [key, value] of Object.entries(facts)) notes.add(account, value, 'account', key);
}

const ID_SIGNS: Readonly<Record<IdSign, readonly Sign[]>> = {
  said: ['said'],
  link: ['said'],
  'name of the parameter': ['name', 'path'],
  'end of the parameter': ['name', 'path'],
  'name id': ['name', 'schema'],
  undeclared: ['name', 'path'],
};

const idBasis = ({ sign, because }: Identity): Basis => basisOf(ID_SIGNS[sign], because);

function noteCollection(
  resource: Resource,
  resources: readonly Resource[],
  isOfAccounts: boolean,
  notes: Notes,
): void {
  const { shape, id, parents } = resource;
  const byShape = basisOf(['schema', 'path'], shape.spot);
  const families = familiesOf(resources);
  const family = families.get(resource);
  // Of members the schema says it, which other paths have, too.
  const own = families.get(family?.sharedWith ?? resource);
  const described = recordSpot(resource);
  notes.add(byShape, described && pointerOf(described), 'record');
  if (id) notes.add(idBasis(id), memberPath(id), 'id');
  if (isOfAccounts) notes.add(basisOf(['name'], shape.spot), true, 'accounts');
  for (const parent of parents) {
    const kin = family?.kin.find((one) => one.parameter === parent.parameter);
    const member = memberPath(parent);
    const facts = {
      ...(kin && { of: kin.parent.path }),
      ...(member !== undefined && { member }),
      ...(kin?.isOwned && { owned: true }),
    };
    const basis = kin ? ({ signs: ['path', 'schema'], ...kin } as const) : basisOf(['path'], shape.spot);
    notes.add(basis, facts, 'parents', parent.parameter);
  }
  notes.add(byShape, family?.sharedWith?.path, 'sharedWith');
  for (const [name, { signs, ...fact }] of memberMeanings(resource))
    if (fact.holds !== undefined || fact.per !== undefined)
      notes.addMember(basisOf(signs, memberShape(shape, name)?.spot ?? shape.spot), fact, name);
  for (const kin of own?.kin ?? [])
    if (kin.parameter === undefined && kin.property !== undefined)
      notes.addMember(kin, { names: kin.parent.path }, kin.property);
  const embedded = own?.embedded ?? [];
  for (const one of embedded) notes.addMember(one, { shows: one.child.path }, one.property);
  for (const one of referencesOf(shape, resources))
    if (one.shape && !embedded.some(({ property }) => property === one.property))
      notes.addMember(one, { names: one.to.path }, one.property);
  const keys = uniqueKeys(resource);
  const unique = keys.map(({ properties, isPerParent, freed }) => ({
    members: properties,
    ...(isPerParent && { perParent: true }),
    ...(freed && { freed: true }),
  }));
  for (const key of keys) notes.add(key, unique, 'unique');
  const keeping = family?.heldBy.map(({ child }) => child.path);
  for (const held of family?.heldBy ?? []) notes.add(held, keeping, 'keptBy');
}

function noteSingleton({ shape }: Singleton, notes: Notes): void {
  const basis = basisOf(['schema', 'path'], shape.spot);
  notes.add(basis, true, 'single');
  notes.add(basis, pointerOf(shape.spot), 'record');
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
