import type { Json } from '../meaning/meaning.ts';
import { foldedName, namesSeveral, setOf } from '../meaning/names.ts';
import { verbOf } from '../meaning/verb.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { effectOf } from './effects.ts';
import type { Family } from './families.ts';
import { FOLLOWING } from './members.ts';
import { lastSegment } from './paths.ts';
import { memberShape, sharesMembers } from './record-schema.ts';
import type { Resource } from './resource.ts';

const known = new WeakMap<Resource, readonly string[]>();

/** What accounts do with the records of a collection, each for itself: the flags that show it, else the verbs. */
export function accountFlags(resource: Resource): readonly string[] {
  const found = known.get(resource);
  if (found) return found;
  const { further, id } = resource;
  const keys = further.flatMap(({ role, operation }) => {
    const effect =
      role === 'action' && id && id.inner === undefined ? effectOf(operation, resource) : undefined;
    return effect?.own?.key ?? [];
  });
  known.set(resource, [...new Set(keys)]);
  return [...new Set(keys)];
}

/** The collection with such flags whose records are objects of a schema, or are shown in them in part: the author of an article. */
export function flaggedIn(shape: Shape, resources: readonly Resource[]): Resource | undefined {
  return resources.find((resource) => {
    const flags = accountFlags(resource);
    const hasId = resource.id !== undefined && memberShape(shape, resource.id.property) !== undefined;
    const isShown = sharesMembers(shape, resource.shape) || flags.some((flag) => memberShape(shape, flag));
    return flags.length > 0 && hasId && isShown;
  });
}

/** What a list shows those by whom an account follows. */
const FEEDS = setOf('feed timeline stream following subscriptions');
/** What may be before that. */
const OF_FEED = /^(?:my|home|news|following)(?=.)/;

/**
 * What all records of a list have, by the end of its path: `/feed` those of whom the account follows, `/users/{name}/likes`
 * those that the named one likes. Undefined: nothing in particular.
 */
export function whereOf(
  { path, said }: Pick<Operation, 'path' | 'said'>,
  resource: Resource,
  resources: readonly Resource[],
  family: Pick<Family, 'kin'>,
  shown: Shape = resource.shape,
): Readonly<Record<string, Json>> | undefined {
  if (said.facts.where) return said.facts.where;
  const segment = lastSegment(path) ?? '';
  if (segment.includes('{') || path === resource.path) return undefined;
  const flag = accountFlags(resource).find((key) => verbOf(key) === verbOf(segment));
  if (flag !== undefined) {
    const [parameter] = /^\{.+\}$/.exec(path.split('/').at(-2) ?? '') ?? [];
    const isOfAll = parameter === undefined && !resource.shape.properties.has(flag);
    return isOfAll ? undefined : { [flag]: parameter ?? true };
  }
  const folded = foldedName(segment);
  if (!FEEDS.has(folded) && !FEEDS.has(folded.replace(OF_FEED, ''))) return undefined;
  const objects = [...shown.properties].flatMap(([member, inner]) => {
    const to = inner.mainType === 'object' ? flaggedIn(inner, resources) : undefined;
    return to?.id && followOf(to) ? [`${member}.${to.id.property}`] : [];
  });
  const named = family.kin.flatMap(({ property, inner, parent }) =>
    property !== undefined && followOf(parent) ? [[property, inner].filter(Boolean).join('.')] : [],
  );
  const [maker] = [...objects, ...named];
  return maker === undefined ? undefined : { [maker]: '$followed' };
}

/** The flag by which accounts follow the records of a collection; undefined: they do not. */
export function followOf(resource: Resource): string | undefined {
  return accountFlags(resource).find((flag) => FOLLOWING.has(verbOf(flag)));
}

/** A member whose values in use a list of texts shows: `/tags` those of `tagList`, `/products/categories` those of `category`. */
export interface ValuesInUse {
  readonly of: Resource;
  readonly property: string;
}

/** The nearest collection whose records have a member with the name of the list: one above in the path, else the first. */
export function valuesInUse(
  { method, path, said }: Pick<Operation, 'method' | 'path' | 'said'>,
  resources: readonly Resource[],
): ValuesInUse | undefined {
  const { values } = said.facts.in ?? {};
  if (values !== undefined) {
    const of = resources.find((one) => one.path === said.facts.of);
    return of && { of, property: values };
  }
  if (method !== 'GET' || path.includes('{')) return undefined;
  // `/tags/popular` lists tags, too.
  const names = path.split('/').slice(1).reverse().slice(0, 2);
  const found = names.flatMap((name) =>
    resources.flatMap((of): ValuesInUse[] => {
      const property = [...of.shape.properties.keys()].find((one) => {
        const member = memberShape(of.shape, one);
        const isText = [member, member?.items].some((text) => text?.mainType === 'string' && !text.writeOnly);
        return one !== of.id?.property && isText && namesSeveral(one, name);
      });
      return property === undefined || of.parents.length > 0 ? [] : [{ of, property }];
    }),
  );
  return found.find(({ of }) => path.startsWith(`${of.path}/`)) ?? found[0];
}

/** Where a response has a list of texts: all of it is one, or its only list. */
export function textsIn(answer: Shape | undefined): string[] | undefined {
  const isTexts = ({ items }: Shape) => items?.mainType === 'string';
  if (answer?.mainType === 'array') return isTexts(answer) ? [] : undefined;
  const [list, ...more] = [...(answer?.properties ?? [])].filter(([, { mainType }]) => mainType === 'array');
  return list && more.length === 0 && isTexts(list[1]) ? [list[0]] : undefined;
}
