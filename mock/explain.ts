import {
  type AccountOperation,
  type Action,
  accountOperation,
  answerShape,
  arrayShape,
  type Bound,
  bodyShape,
  type Contract,
  countShape,
  type Family,
  type Further,
  type FurtherRole,
  familiesOf,
  type Identity,
  type IdSign,
  isPresumed,
  type ListChange,
  listChange,
  memberShape,
  namedInBody,
  type Operation,
  type Order,
  type Place,
  placeOf,
  type Resource,
  type RoleSign,
  rawChild,
  type Search,
  type Shape,
  type Spot,
  stringifyJson,
  uniqueKeys,
  upsertOf,
} from '#spec';
import { REFUSALS } from './http/refusal.ts';
import { successForm } from './http/representations.ts';
import { BUILT_IN_PASSWORD } from './records/accounts.ts';
import { defaultPageSize } from './records/actions/page.ts';
import { referredTo } from './records/actions/refine.ts';
import { effectOfPath } from './records/actions/verb-effect.ts';
import { parametersWithoutEffect } from './records/actions/without-effect.ts';
import type { MockedOperation } from './running-mock.ts';

/** What the mock does for one operation, and the lines of the document from which each fact follows. */
export interface Explanation {
  readonly operation: MockedOperation;
  /** Where the document describes the operation. */
  readonly at: Place;
  readonly facts: readonly Fact[];
  /** What to write where this is wrong, as it is inferred; undefined: paths or extensions say it. */
  readonly declaration: Declaration | undefined;
}

/** One thing that the mock inferred. */
export interface Fact {
  /** `list`, `filter`, `id`, ... */
  readonly about: string;
  readonly text: string;
  readonly at: readonly Place[];
}

/** Explains a mock, operation by operation, in the order of its documents. */
export function explain(mock: Explainable): Explanation[] {
  return (mock.documents ?? [mock]).flatMap(explainDocument);
}

interface ExplainableDocument {
  readonly contract: Contract;
  readonly operations: readonly MockedOperation[];
}

interface Explainable extends ExplainableDocument {
  /** Undefined: it is the only one. */
  readonly documents?: readonly ExplainableDocument[];
}

function explainDocument(mock: ExplainableDocument): Explanation[] {
  const { operations } = mock.contract;
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const roles = explainableRoles(mock.contract);
  const families = familiesByPath(mock.contract);
  return mock.operations.map((mocked) => {
    const operation = byId.get(mocked.id) as Operation;
    const inferred = mocked.action === 'sample' ? undefined : roles.get(operation);
    const isAction = mocked.action === 'action' && inferred?.role !== 'singleton';
    const role = inferred && isAction ? { ...inferred, role: 'action' as const } : inferred;
    const facts = [
      ...(role
        ? factsOf(role, operation, mock.contract, families)
        : [explainSample(operation, mocked.reason)]),
      ...explainPresumed(operation),
      ...explainAccount(operation),
      ...explainIgnored(operation, role?.resource),
    ];
    const declaration = declarationOf(operation, role);
    return { operation: mocked, at: placeOf(operation.spot), facts, declaration };
  });
}

const ACCOUNTS: Readonly<Record<AccountOperation['role'], string>> = {
  register: 'makes an account that can log in with its password',
  login: `gives a token to an account, or to any name with the password ${BUILT_IN_PASSWORD}`,
  grant: `gives tokens as RFC 6749 has it, for any client and code, or a name with the password ${BUILT_IN_PASSWORD}`,
  refresh: 'gives another token for one that an account has',
  logout: 'takes the token of the request back',
  current: 'works on the account whose token the request has',
};

function explainAccount(operation: Operation): Fact[] {
  const meaning = accountOperation(operation);
  return meaning ? [fact('account', `${ACCOUNTS[meaning.role]}, as its names suggest`, meaning.because)] : [];
}

function explainPresumed({ body, responses }: Operation): Fact[] {
  const presumed = responses.find(isPresumed);
  const text = 'the document describes no content: what a request takes, and an id, is the record';
  return [
    ...(presumed ? [fact('presumed', text, presumed.spot)] : []),
    ...(body && isPresumed(body)
      ? [fact('presumed', 'the document describes no body: any is taken', body.spot)]
      : []),
  ];
}

function familiesByPath({ resources }: Contract): ReadonlyMap<string, Family> {
  return new Map([...familiesOf(resources)].map(([{ path }, family]) => [path, family]));
}

function factsOf(
  { resource, role, further }: ExplainedRole,
  operation: Operation,
  contract: Contract,
  families: ReadonlyMap<string, Family>,
): Fact[] {
  if (role === 'singleton') {
    const text = `the one record at ${resource.path}, as it was last written`;
    const changed = further && listChange(operation, resource.shape, contract.resources);
    return [
      fact('singleton', text, answerShape(operation)?.spot ?? operation.spot),
      ...(changed ? [explainListChange(changed, operation, resource)] : []),
    ];
  }
  return [
    explainAction(role, operation, resource),
    ...(further ? [explainEvidence(further, resource)] : []),
    ...FURTHER_FACTS[role].flatMap((one) => one(resource, operation)),
    ...explainFamily(role, operation, resource, families),
  ];
}

function explainListChange({ change, property, of }: ListChange, operation: Operation, { shape }: Resource) {
  const does = change === 'add' ? `is added to its ${property}` : `goes from its ${property}`;
  const text = `the record of ${of.path} that the path names ${does}, as its name suggests`;
  return fact(change, text, operation.spot, memberSpot(shape, property));
}

/** Why an operation on another path works on the records of a collection. */
function explainEvidence({ role, sign, because }: Further, { path, shape }: Resource): Fact {
  const texts: Readonly<Record<RoleSign, string>> = {
    extension: 'an extension says so',
    schema: `the schema is that of the records of ${path}`,
    path: `its path is below ${path}`,
    name: 'a verb in its path or its name suggests it',
  };
  const spots = sign === 'schema' ? [because, shape.spot] : [because];
  return fact(`${role}: why`, texts[sign], ...spots);
}

function fact(about: string, text: string, ...spots: readonly (Spot | undefined)[]): Fact {
  const places = spots.flatMap((spot) => (spot ? placeOf(spot) : []));
  return { about, text, at: [...new Map(places.map((at) => [`${at.uri}:${at.line}`, at])).values()] };
}

/** Where a member is described: in the record's schema, else in one of its alternatives. */
function memberSpot(shape: Shape, name: string): Spot | undefined {
  const described = shape.all('properties').map(({ spot }) => rawChild(spot, name));
  return described.find(Boolean) ?? shape.alternatives.map((form) => memberSpot(form, name)).find(Boolean);
}

function explainSample(operation: Operation, reason = 'nothing says what it does'): Fact {
  const { media } = successForm(operation);
  const [name] = media?.examples.keys() ?? [];
  const example = media && (rawChild(media.spot, 'example') ?? rawChild(media.spot, 'examples'));
  const source = name === undefined ? 'from the schema' : `from the example "${name}"`;
  const text = `answered ${media ? source : 'without a body'}, because ${reason}`;
  return fact('sample', text, operation.spot, example ?? media?.schema);
}

function explainAction(action: FurtherRole, operation: Operation, { path, list, id }: Resource): Fact {
  const response = answerShape(operation)?.spot;
  const body = operation.body?.spot;
  const { status } = successForm(operation);
  const form = list?.member === undefined ? 'is an array' : 'holds one array of records';
  const inBody = id && id.parameter === undefined ? `, whose ${id.property} is in it` : '';
  const texts: Readonly<Record<FurtherRole, [text: string, spot: Spot | undefined]>> = {
    view: [`records of ${path}: the answer ${form}`, response],
    createMany: [`each item of the body becomes a record of ${path}, answered with ${status}`, body],
    updateMany: [`several records of ${path} change`, body],
    removeMany: [`several records of ${path} go`, operation.spot],
    action: [`something is done to a record of ${path}, which must exist`, operation.spot],
    list: [`the records of ${path}: the answer ${form}`, response],
    create: [`the body becomes a record of ${path}, answered with ${status}`, body],
    read: [`one record of ${path}`, response],
    replace: [`the body takes the place of a record of ${path}${inBody}`, body],
    update: [`the body's members are merged into a record of ${path}${inBody}`, body],
    remove: [`a record of ${path} goes, answered with ${status}`, operation.spot],
  };
  return fact(action, ...texts[action]);
}

/** What the mock reads, validates, and does nothing with; and statuses that only a rule or a preference gives. */
function explainIgnored(operation: Operation, resource: Resource | undefined): Fact[] {
  const { parameters, statuses } = ignoredBy(operation, resource);
  const names = parameters.map(({ name }) => name).join(', ');
  const keys = statuses.map(({ key }) => key).join(', ');
  return [
    ...(names
      ? [fact('ignored', `${names}: validated, without effect`, ...parameters.map(({ spot }) => spot))]
      : []),
    ...(keys
      ? [
          fact(
            'ignored',
            `${keys}: only where a rule or Prefer asks for it`,
            ...statuses.map(({ spot }) => spot),
          ),
        ]
      : []),
  ];
}

/** How many parameters and statuses of a document have no effect of their own. */
export function countIgnored({
  documents,
}: {
  readonly documents: readonly { readonly contract: Contract }[];
}): {
  readonly parameters: number;
  readonly statuses: number;
} {
  const all = documents.flatMap(({ contract }) => {
    const roles = explainableRoles(contract);
    return contract.operations.map((one) => ignoredBy(one, roles.get(one)?.resource));
  });
  return {
    parameters: all.reduce((sum, { parameters }) => sum + parameters.length, 0),
    statuses: all.reduce((sum, { statuses }) => sum + statuses.length, 0),
  };
}

function ignoredBy(operation: Operation, resource: Resource | undefined) {
  // A PUT may create what is missing.
  const given = new Set([
    successForm(operation).status,
    ...(operation.method === 'PUT' ? [201] : []),
    ...GIVEN,
  ]);
  return {
    parameters: parametersWithoutEffect(operation, resource),
    statuses: operation.responses.filter(({ key }) => /^\d{3}$/.test(key) && !given.has(Number(key))),
  };
}

/** What the mock answers with by itself; 500 means a bug of its own. */
const GIVEN: ReadonlySet<number> = new Set(
  [...Object.values(REFUSALS).map(({ status }) => status), 422].filter((status) => status < 500),
);

type FactsOf = (resource: Resource, operation: Operation) => Fact[];

const SIGNS: Readonly<Record<IdSign, string>> = {
  link: 'a link says so',
  'name of the parameter': 'they bear the same name',
  'end of the parameter': 'its name ends so',
  'name id': 'by its name',
  'only read-only member': 'the only read-only member',
  undeclared: 'no schema names an id, and the path has one',
};

function pathParameter({ parameters }: Operation, name: string): Spot | undefined {
  return parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.spot;
}

/** That a write makes the record that it names, where there is none. */
const upserts: FactsOf = (_, operation) => {
  const meaning = upsertOf(operation);
  const does =
    operation.method === 'POST' ? 'changes a record that is there' : 'makes a record that is not there';
  const why = meaning?.certainty === 'promised' ? 'the document says so' : 'its one success is 201';
  return meaning ? [fact('upsert', `it ${does}: ${why}`, meaning.because)] : [];
};

const nameOf = ({ property, inner }: Identity) => (inner === undefined ? property : `${property}.${inner}`);

const generatedId: FactsOf = ({ id, shape }, operation) => {
  if (!id) return [];
  const body = bodyShape(operation);
  const member = body && memberShape(body, id.property);
  const who = member && !member.readOnly ? 'a client may set' : 'the service sets';
  const text = `${who} ${nameOf(id)}: ${SIGNS[id.sign]}`;
  return [fact('id', text, id.because, memberSpot(shape, id.property))];
};

const requestedId: FactsOf = ({ id, shape }, operation) => {
  if (id?.parameter === undefined) return [];
  const text = `{${id.parameter}} is the record's ${nameOf(id)}: ${SIGNS[id.sign]}`;
  const spots = [pathParameter(operation, id.parameter), id.because, memberSpot(shape, id.property)];
  return [fact('id', text, ...spots)];
};

/** What an action makes of the record. */
const effects: FactsOf = (resource, operation) => {
  const { sets } = operation.declared;
  const effect = sets ? undefined : effectOfPath(operation, resource);
  const { states = [], flag, counter, moments = [], isOn = true } = effect ?? {};
  const said = [
    ...[...Object.entries(sets ?? {}), ...states].map(
      ([name, value]) => `${name} is ${stringifyJson(value)}`,
    ),
    ...(flag === undefined ? [] : [`${flag} is ${isOn}${effect?.isPersonal ? ' for the account' : ''}`]),
    ...(counter === undefined ? [] : [`${counter} counts it`]),
    ...(moments.length === 0 ? [] : [`${moments.join(', ')} ${isOn ? 'notes when' : 'is empty'}`]),
  ];
  if (said.length === 0) return [];
  const why = sets ? 'an extension says so' : 'its name suggests it';
  return [fact('change', `${said.join('; ')}: ${why}`, operation.spot)];
};

const parents: FactsOf = ({ parents: names, shape }, operation) =>
  names.map(({ parameter, property, inner }) => {
    const member = property === undefined ? undefined : memberSpot(shape, property);
    const path = [property, inner].filter((one) => one !== undefined).join('.');
    const where = property === undefined ? 'kept beside the record' : `kept in its member ${path}`;
    const text = `{${parameter}} is what the record belongs to, ${where}`;
    return fact('parent', text, pathParameter(operation, parameter), member);
  });

/** What the records have to do with those of other collections. */
function explainFamily(
  role: FurtherRole,
  operation: Operation,
  resource: Resource,
  families: ReadonlyMap<string, Family>,
): Fact[] {
  const { sharedWith } = families.get(resource.path) ?? {};
  const family = families.get(sharedWith?.path ?? resource.path);
  if (!family) return [];
  const said = resource.parents.flatMap(({ property }) => property ?? []);
  const named = WRITES.has(role) ? namedInBody(resource, family, operation, new Set(said)) : undefined;
  const owned = [...families].flatMap(([path, { kin }]) =>
    kin.flatMap((one) =>
      one.isOwned && one.parent.path === (sharedWith ?? resource).path ? { ...one, path } : [],
    ),
  );
  return [
    ...(sharedWith
      ? [fact('shared', `the records of ${sharedWith.path}, by another path`, sharedWith.shape.spot)]
      : []),
    ...(named?.kin ?? []).map(({ property, parent }) =>
      fact(
        'names',
        `${property} must be the id of a record of ${parent.path}, else ${named?.status}`,
        memberSpot(resource.shape, property),
      ),
    ),
    ...(SHOWS.has(role) ? family.embedded : []).map(({ property, child, because }) =>
      fact('embedded', `${property} shows the records of ${child.path} that belong to it`, because),
    ),
    ...(role === 'remove' ? family.heldBy : []).map(({ child, because }) =>
      fact('held', `409 as long as records of ${child.path} belong to it`, because),
    ),
    ...(role === 'remove' ? owned : []).map(({ path, because }) =>
      fact(
        'below',
        `the records of ${path} that belong to it go with it: they are made below one alone`,
        because,
      ),
    ),
  ];
}

const WRITES: ReadonlySet<FurtherRole> = new Set(['create', 'replace', 'update']);
const SHOWS: ReadonlySet<FurtherRole> = new Set(['list', 'view', 'read', 'create', 'replace', 'update']);

const unique: FactsOf = (resource) =>
  uniqueKeys(resource).map(({ properties, certainty, because }) => {
    const isSaid = certainty === 'promised';
    const why = isSaid ? 'the document says so' : 'what it says of 409 names no other member';
    return fact('unique', `no two records have one ${properties.join(' and ')}: ${why}`, because);
  });

const wrapper: FactsOf = ({ list }, operation) => {
  if (list?.member === undefined) return [];
  const spot = arrayShape(list, answerShape(operation))?.spot;
  const name = list.within === undefined ? list.member : `${list.within}.${list.member}`;
  return [fact('member', `${name} holds the records`, spot)];
};

const filters: FactsOf = (resource, operation) => {
  const { list, shape } = resource;
  const isSaid = new Set(list?.filters.map(({ parameter }) => parameter.name));
  return [
    ...(list?.filters ?? []).map(({ parameter: { name, spot }, property, inner }) =>
      fact(
        'filter',
        inner === undefined
          ? `${name}: the record has a member of this name`
          : `${name}: ${inner} of ${property}, as the document says`,
        ...[spot, memberSpot(shape, property)],
      ),
    ),
    ...(list ? referredTo(operation, resource) : [])
      .filter(({ name }) => !isSaid.has(name))
      .map(({ name, property }) =>
        fact(
          'filter',
          `${name}: an id or a name in ${property}, as its name suggests`,
          memberSpot(shape, property),
        ),
      ),
  ];
};

/** What queries mean beside equal values; a name alone only suggests it. */
const queries: FactsOf = ({ list, shape }) => {
  const { bounds = [], search, order } = list ?? {};
  const why = ({ certainty }: Bound | Order | Search) =>
    certainty === 'promised' ? '' : ', as its name suggests';
  return [
    ...bounds.map((bound) => {
      const { parameter, key, property, side } = bound;
      const name = key === undefined ? parameter.name : `${parameter.name}[${key}]`;
      const text = `${name}: ${property} is at ${side} that${why(bound)}`;
      return fact('bound', text, parameter.spot, memberSpot(shape, property));
    }),
    ...(order
      ? [fact('order', `${order.parameter.name}: members to order by${why(order)}`, order.because)]
      : []),
    ...(search
      ? [
          fact(
            'search',
            `${search.parameter.name}: a text in ${search.members.join(', ') || 'any member'}${why(search)}`,
            search.because,
          ),
        ]
      : []),
  ];
};

const pages: FactsOf = ({ list }) => {
  if (!list) return [];
  const { pageSize, page, offset, cursor } = list;
  const maximum = pageSize && countShape(pageSize)?.range.high?.value;
  const omitted = pageSize?.shape.find('default')?.value ?? defaultPageSize(list);
  const size = omitted === undefined ? 'all records' : `${omitted} records`;
  const bound = maximum === undefined ? '' : `, ${maximum} at most`;
  const text = `${pageSize?.name ?? 'not asked for'}: ${size} where it is not given${bound}`;
  return [
    ...(pageSize || page ? [fact('page size', text, pageSize?.spot ?? page?.spot)] : []),
    ...(page ? [fact('page', `${page.name}: the number of the page`, page.spot)] : []),
    ...(offset ? [fact('offset', `${offset.name}: how many records are left out`, offset.spot)] : []),
    ...(cursor ? [fact('cursor', `${cursor.name}: where the page begins`, cursor.spot)] : []),
  ];
};

const FURTHER_FACTS: Readonly<Record<FurtherRole, readonly FactsOf[]>> = {
  list: [wrapper, filters, queries, pages, parents],
  view: [wrapper, filters, queries, pages, parents],
  create: [generatedId, upserts, unique, parents],
  createMany: [parents],
  read: [requestedId, parents],
  replace: [requestedId, upserts, unique, parents],
  update: [requestedId, unique, parents],
  updateMany: [],
  remove: [requestedId, parents],
  removeMany: [],
  action: [effects, requestedId, parents],
};

/** What to write in an overlay, or in the document itself, to declare the role of an operation. */
export interface Declaration {
  /** The target of an OpenAPI Overlay: `$.paths['/pets'].get`. */
  readonly target: string;
  /** `x-paddock-resource` and `x-paddock-action`, as they are inferred. */
  readonly update: Readonly<Record<string, string | false>>;
}

/** The declaration of what is inferred from schemas or not at all; undefined: the paths themselves say it. */
function declarationOf(
  { method, path, declared }: Operation,
  explained: ExplainedRole | undefined,
): Declaration | undefined {
  if (declared.spot) return undefined;
  const target = `$.paths['${path.replace(/['\\]/g, '\\$&')}'].${method.toLowerCase()}`;
  if (!explained) return { target, update: { 'x-paddock-resource': false } };
  const { role, resource, further } = explained;
  if (role === 'singleton')
    return further ? undefined : { target, update: { 'x-paddock-action': 'singleton' } };
  if (!further || further.sign === 'extension') return undefined;
  return { target, update: { 'x-paddock-resource': resource.path, 'x-paddock-action': role } };
}

/** A role of an operation, with the resource as that operation sees it. */
interface ExplainedRole {
  readonly resource: Resource;
  readonly role: FurtherRole | 'singleton';
  /** Undefined: it is a main action of the resource, by its path. */
  readonly further: Further | undefined;
}

function explainableRoles({ resources, singletons }: Contract): ReadonlyMap<Operation, ExplainedRole> {
  const main = resources.flatMap((resource) =>
    (Object.entries(resource.actions) as [Action, Operation][]).map(
      ([role, operation]) => [operation, { resource, role, further: undefined }] as const,
    ),
  );
  const others = resources.flatMap((resource) =>
    resource.further.map((further) => {
      const { role, operation, list, parents, parameter } = further;
      const id = resource.id && { ...resource.id, parameter };
      return [operation, { resource: { ...resource, list, parents, id }, role, further }] as const;
    }),
  );
  const single = singletons.flatMap((singleton) => {
    const resource = { ...singleton, id: undefined, list: undefined };
    const role = 'singleton';
    return [
      ...singleton.further.map((further) => [further.operation, { resource, role, further }] as const),
      ...Object.values(singleton.actions).map(
        (operation) => [operation, { resource, role, further: undefined }] as const,
      ),
    ];
  });
  // The first resource that names an operation has it.
  return new Map<Operation, ExplainedRole>([...single, ...others, ...main.reverse()]);
}
