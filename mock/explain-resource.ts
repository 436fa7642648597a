import {
  answerShape,
  arrayShape,
  type Bound,
  bodyShape,
  countShape,
  type Family,
  type FurtherRole,
  type Identity,
  type IdSign,
  memberShape,
  namedInBody,
  type Operation,
  type Order,
  type Place,
  placeOf,
  type Resource,
  rawChild,
  referredTo,
  type Search,
  type Shape,
  type Spot,
  stringifyJson,
  uniqueKeys,
  upsertOf,
} from '#spec';
import { defaultPageSize } from './records/actions/page.ts';
import { effectOfPath } from './records/actions/verb-effect.ts';

/** One thing that the mock inferred. */
export interface Fact {
  /** `list`, `filter`, `id`, ... */
  readonly about: string;
  readonly text: string;
  readonly at: readonly Place[];
}

export function fact(about: string, text: string, ...spots: readonly (Spot | undefined)[]): Fact {
  const places = spots.flatMap((spot) => (spot ? placeOf(spot) : []));
  return { about, text, at: [...new Map(places.map((at) => [`${at.uri}:${at.line}`, at])).values()] };
}

/** Where a member is described: in the record's schema, else in one of its alternatives. */
export function memberSpot(shape: Shape, name: string): Spot | undefined {
  const described = shape.all('properties').map(({ spot }) => rawChild(spot, name));
  return described.find(Boolean) ?? shape.alternatives.map((form) => memberSpot(form, name)).find(Boolean);
}

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
export function explainFamily(
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

export const FURTHER_FACTS: Readonly<Record<FurtherRole, readonly FactsOf[]>> = {
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
