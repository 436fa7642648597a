import {
  type Action,
  answerShape,
  type Contract,
  type IdSign,
  type Operation,
  type Place,
  placeOf,
  type Resource,
  rawChild,
  type Shape,
  type Spot,
} from '#spec';
import { unaskedPageSize } from './answer/actions/page.ts';
import { successForm } from './answer/actions/success.ts';
import type { MockedOperation } from './mock.ts';

/** What the mock does for one operation, each fact with the lines of the document that it follows from. */
export interface Explanation {
  readonly operation: MockedOperation;
  readonly at: Place;
  readonly facts: readonly Fact[];
}

export interface Fact {
  /** `list`, `filter`, `id`, ... */
  readonly about: string;
  readonly text: string;
  readonly at: readonly Place[];
}

interface Mocked {
  readonly contract: Contract;
  readonly operations: readonly MockedOperation[];
}

/** Explains a mock, operation by operation, in the order of the document. */
export function explain({ contract, operations }: Mocked): Explanation[] {
  return operations.map((mocked) => {
    const operation = contract.operations.find(({ id }) => id === mocked.id) as Operation;
    const resource = contract.resources.find(({ actions }) => Object.values(actions).includes(operation));
    const { action, reason } = mocked;
    const facts =
      action === 'sample' || !resource
        ? [sampled(operation, reason)]
        : [
            does(action, operation, resource),
            ...ABOUT[action].flatMap((about) => about(resource, operation)),
          ];
    return { operation: mocked, at: placeOf(operation.spot), facts };
  });
}

function fact(about: string, text: string, ...spots: readonly (Spot | undefined)[]): Fact {
  const places = spots.flatMap((spot) => (spot ? placeOf(spot) : []));
  const known = new Map(places.map((place) => [`${place.uri}:${place.line}`, place]));
  return { about, text, at: [...known.values()] };
}

/** Where a member is written down, in one of the forms of the record if need be. */
function memberSpot(shape: Shape, name: string): Spot | undefined {
  const written = shape.all('properties').map(({ spot }) => rawChild(spot, name));
  const elsewhere = () => shape.alternatives.map((form) => memberSpot(form, name));
  return written.find(Boolean) ?? elsewhere().find(Boolean);
}

function sampled(operation: Operation, reason = 'nothing says what it does'): Fact {
  const { media } = successForm(operation);
  const [name] = media?.examples.keys() ?? [];
  const example = media && (rawChild(media.spot, 'example') ?? rawChild(media.spot, 'examples'));
  const source = !media
    ? 'answered without a body'
    : name !== undefined
      ? `answered from the example "${name}"`
      : 'answered from the schema';
  return fact('sample', `${source}, because ${reason}`, operation.spot, example ?? media?.schema);
}

function does(action: Action, operation: Operation, { path, list }: Resource): Fact {
  const answered = answerShape(operation)?.spot;
  const body = operation.body?.spot;
  switch (action) {
    case 'list':
      return list?.member === undefined
        ? fact(action, `the records of ${path}: the answer is an array`, answered)
        : fact(action, `the records of ${path}: the answer holds one array of records`, answered);
    case 'create':
      return fact(
        action,
        `the body becomes a record of ${path}, answered with ${successForm(operation).status}`,
        body,
      );
    case 'read':
      return fact(action, `one record of ${path}`, answered);
    case 'replace':
      return fact(action, `the body takes the place of a record of ${path}`, body);
    case 'update':
      return fact(action, `the body's members are merged into a record of ${path}`, body);
    case 'remove':
      return fact(
        action,
        `a record of ${path} goes, answered with ${successForm(operation).status}`,
        operation.spot,
      );
  }
}

type About = (resource: Resource, operation: Operation) => Fact[];

const SIGNS: Readonly<Record<IdSign, string>> = {
  link: 'a link says so',
  'name of the parameter': 'they bear the same name',
  'name id': 'by its name',
  'only read-only member': 'the only read-only member',
};

const idMade: About = ({ id, shape }) =>
  id
    ? [
        fact(
          'id',
          `the service sets ${id.property}: ${SIGNS[id.sign]}`,
          id.because,
          memberSpot(shape, id.property),
        ),
      ]
    : [];

const idAsked: About = ({ id, shape }, { parameters }) => {
  if (id?.parameter === undefined) return [];
  const parameter = parameters.find(({ in: place, name }) => place === 'path' && name === id.parameter);
  const text = `{${id.parameter}} is the record's ${id.property}: ${SIGNS[id.sign]}`;
  return [fact('id', text, parameter?.spot, id.because, memberSpot(shape, id.property))];
};

const parents: About = ({ parents: names, shape }, { parameters }) =>
  names.map(({ parameter, property }) => {
    const described = parameters.find(({ in: place, name }) => place === 'path' && name === parameter);
    const member = property === undefined ? undefined : memberSpot(shape, property);
    const where = property === undefined ? 'kept beside the record' : `kept in its member ${property}`;
    return fact('parent', `{${parameter}} is what the record belongs to, ${where}`, described?.spot, member);
  });

const wrapped: About = ({ list }, operation) => {
  if (list?.member === undefined) return [];
  return [
    fact(
      'member',
      `${list.member} holds the records`,
      answerShape(operation)?.properties.get(list.member)?.spot,
    ),
  ];
};

const filters: About = ({ list, shape }) =>
  (list?.filters ?? []).map(({ parameter, property }) =>
    fact(
      'filter',
      `${parameter.name}: the record has a member of this name`,
      parameter.spot,
      memberSpot(shape, property),
    ),
  );

const pages: About = ({ list }) => {
  if (!list) return [];
  const { pageSize, page, offset } = list;
  const most = pageSize?.shape.range.high?.value;
  const unasked = pageSize?.shape.find('default')?.value ?? unaskedPageSize(list);
  const size = Number.isFinite(Number(unasked)) ? `${unasked} records` : 'all records';
  const bound = most === undefined ? '' : `, ${most} at most`;
  return [
    ...(pageSize || page
      ? [
          fact(
            'page size',
            `${pageSize?.name ?? 'not asked for'}: ${size} where it is not given${bound}`,
            pageSize?.spot ?? page?.spot,
          ),
        ]
      : []),
    ...(page ? [fact('page', `${page.name}: the number of the page`, page.spot)] : []),
    ...(offset ? [fact('offset', `${offset.name}: how many records are left out`, offset.spot)] : []),
  ];
};

const ABOUT: Readonly<Record<Action, readonly About[]>> = {
  list: [wrapped, filters, pages, parents],
  create: [idMade, parents],
  read: [idAsked, parents],
  replace: [idAsked, parents],
  update: [idAsked, parents],
  remove: [idAsked, parents],
};
