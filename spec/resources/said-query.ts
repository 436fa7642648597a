import { type Basis, basisOf } from '../meaning/basis.ts';
import { QUERY_WORDS, type QueryMeaning } from '../meaning/keys.ts';
import type { OrderChoosing } from '../meaning/order.ts';
import type { PageParameters } from '../meaning/paging.ts';
import type { Bound, Filter, Search } from '../meaning/selection.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { ListForm } from './resource.ts';

/** What `x-paddock` says of the query parameters of a list; nothing else is inferred of these. */
export interface SaidQuery {
  readonly names: ReadonlySet<string>;
  readonly filters: readonly Filter[];
  readonly bounds: readonly Bound[];
  readonly search: Search | undefined;
  readonly order: OrderChoosing | undefined;
  readonly pages: Partial<PageParameters>;
}

/** The word of each parameter for pages. */
const PAGE_WORDS = { pageSize: '$limit', offset: '$offset', page: '$page', cursor: '$cursor' } as const;
const PAGE_ROLES = Object.keys(PAGE_WORDS) as readonly (keyof typeof PAGE_WORDS)[];

const NO_EFFECT: ReadonlySet<unknown> = new Set(['none', '$fields', '$expand']);

export function saidQuery({ parameters, said: { facts, at } }: Operation): SaidQuery {
  const filters: Filter[] = [];
  const bounds: Bound[] = [];
  const pages: Partial<Record<keyof PageParameters, Parameter>> = {};
  const names = new Set<string>();
  let search: Search | undefined;
  let order: OrderChoosing | undefined;
  let direction: Parameter | undefined;
  for (const [written, meaning] of Object.entries(facts.query ?? {})) {
    const [, name = written, key] = /^(.*)\[(.*)\]$/.exec(written) ?? [];
    const parameter = parameters.find((one) => one.in === 'query' && [written, name].includes(one.name));
    if (!parameter) continue;
    names.add(parameter.name);
    const role = PAGE_ROLES.find((one) => PAGE_WORDS[one] === meaning);
    const basis: Basis = basisOf(['said'], at('query', written) ?? parameter.spot);
    if (typeof meaning !== 'string' && 'search' in meaning)
      search = { parameter, members: meaning.search, ...basis };
    else if (typeof meaning !== 'string')
      order = { parameter, members: meaning.order, direction: undefined, basis };
    else if (role) pages[role] = parameter;
    else if (meaning === '$search') search = { parameter, members: [], ...basis };
    else if (meaning === '$order') order = { parameter, members: [], direction: undefined, basis };
    else if (meaning === '$direction') direction = parameter;
    else if (!NO_EFFECT.has(meaning) && !(QUERY_WORDS as readonly string[]).includes(meaning)) {
      const [, sign, member = meaning] = /^([<>]=?)\s+(.*)$/.exec(meaning) ?? [];
      const [property = '', inner] = member.split('.');
      if (sign === undefined) filters.push({ parameter, property, inner, ...basis });
      else
        bounds.push({
          ...{ parameter, key: parameter.name === written ? undefined : key, property, ...basis },
          ...{ side: sign.startsWith('>') ? 'least' : 'most', inclusive: sign.endsWith('=') },
        });
    }
  }
  return { names, filters, bounds, search, order: order && { ...order, direction }, pages };
}

type QueryFact = readonly [name: string, meaning: QueryMeaning, basis: Basis];

/** What is known of the query parameters of a list, as `x-paddock` says it. */
export function queryFacts(list: ListForm): QueryFact[] {
  const { filters, bounds, search, order } = list;
  const facts: QueryFact[] = [
    ...filters.map((one): QueryFact => [one.parameter.name, pathOf(one), one]),
    ...bounds.map((one): QueryFact => [nameOf(one), boundText(one), one]),
  ];
  if (search) {
    const { members } = search;
    facts.push([search.parameter.name, members.length > 0 ? { search: members } : '$search', search]);
  }
  if (order) {
    const members = [...new Set(order.choices.flatMap(({ keys }) => keys.map(({ property }) => property)))];
    facts.push([order.parameter.name, members.length > 0 ? { order: members } : '$order', order]);
    if (order.direction) facts.push([order.direction.name, '$direction', order]);
  }
  for (const role of PAGE_ROLES) {
    const parameter = list[role];
    if (parameter)
      facts.push([parameter.name, PAGE_WORDS[role], list.bases[role] ?? basisOf(['name'], parameter.spot)]);
  }
  return facts;
}

const pathOf = ({ property, inner }: Filter) => (inner === undefined ? property : `${property}.${inner}`);

const nameOf = ({ parameter, key }: Bound) =>
  key === undefined ? parameter.name : `${parameter.name}[${key}]`;

const boundText = ({ side, inclusive = true, property }: Bound) =>
  `${side === 'least' ? '>' : '<'}${inclusive ? '=' : ''} ${property}`;
