import {
  type AccountOperation,
  type Action,
  accountOperation,
  answerShape,
  type Contract,
  type Family,
  type Further,
  type FurtherRole,
  familiesOf,
  isPresumed,
  type ListChange,
  listChange,
  type Operation,
  type Place,
  placeOf,
  type Resource,
  type RoleSign,
  rawChild,
  type Spot,
} from '#spec';
import { explainFamily, type Fact, FURTHER_FACTS, fact, memberSpot } from './explain-resource.ts';
import { REFUSALS } from './http/refusal.ts';
import { successForm } from './http/representations.ts';
import { BUILT_IN_PASSWORD } from './records/accounts.ts';
import { membersWithoutEffect, parametersWithoutEffect } from './records/actions/without-effect.ts';
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
  const text = 'the document describes no content: the record is as other operations take or list it';
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
  const { parameters, statuses, members } = ignoredBy(operation, resource);
  const names = parameters.map(({ name }) => name).join(', ');
  const keys = statuses.map(({ key }) => key).join(', ');
  return [
    ...(names
      ? [fact('ignored', `${names}: validated, without effect`, ...parameters.map(({ spot }) => spot))]
      : []),
    ...(members.length > 0
      ? [
          fact(
            'ignored',
            `${members.map(([name]) => name).join(', ')} of the body: validated, in no record`,
            ...members.map(([, { spot }]) => spot),
          ),
        ]
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
    members: resource && isKept(operation, resource) ? membersWithoutEffect(operation, resource) : [],
    statuses: operation.responses.filter(({ key }) => /^\d{3}$/.test(key) && !given.has(Number(key))),
  };
}

/** Whether records are made of bodies of the operation. */
function isKept(operation: Operation, { actions }: Resource): boolean {
  return [actions.create, actions.replace, actions.update].includes(operation);
}

/** What the mock answers with by itself; 500 means a bug of its own. */
const GIVEN: ReadonlySet<number> = new Set(
  [...Object.values(REFUSALS).map(({ status }) => status), 422].filter((status) => status < 500),
);

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
