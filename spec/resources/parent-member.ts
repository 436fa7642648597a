import { attributesIn, memberNames } from '../meaning/member-named.ts';
import { findNamed, foldedName, idStem, idWord, namesIdOf, singularName, wordsOf } from '../meaning/names.ts';
import { saidOfCollection } from '../meaning/x-paddock.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { holdsUsers } from './accounts.ts';
import { isIn, isScalar } from './identity.ts';
import { isAuthorName } from './members.ts';
import { recordName } from './paths.ts';
import { innerNamed, memberShape, withoutNull } from './record-schema.ts';
import { idMemberIn } from './references.ts';
import type { Parent, Resource } from './resource.ts';

/**
 * The member that holds the value of a path parameter: of `/owners/{ownerId}/dogs` that is `ownerId`, or `owner_id`. The
 * record's own id is none.
 */
export function parentMember(
  { shape, id, actions }: Pick<Resource, 'shape' | 'id' | 'actions'>,
  path: string,
  parameter: string,
  operations: readonly Operation[],
): Omit<Parent, 'parameter'> {
  const { parents = {} } = saidOfCollection({ shape, actions }).facts;
  const [at] = operations.flatMap(({ said }) => said.facts.path?.[parameter] ?? []);
  const told = at === undefined || at === '$id' ? parents[parameter]?.member : at;
  const [property, inner] = told?.startsWith('$') ? [] : (told?.split('.') ?? []);
  if (told !== undefined) return { property, inner };
  const names = memberNames(shape).filter((name) => name !== id?.property);
  const spelled = findNamed(names, parameter);
  const member = spelled === undefined ? undefined : memberShape(shape, spelled);
  if (member && isScalar(member)) return { property: spelled };
  const above = path.slice(0, path.indexOf(`{${parameter}}`));
  const nouns = [idStem(parameter) ?? foldedName(parameter), recordName(above)];
  const ids = nouns.flatMap((noun) => names.filter((name) => namesIdOf(name, noun)));
  const named = ids.find((name) => isId(memberShape(shape, name), parameter));
  // A member with the parent's noun, `project`, is its id if it is a number, or a text with the format of its ids.
  const described = operations.flatMap(({ parameters }) => parameters).find((one) => isIn(one, parameter));
  const nouned = nouns.flatMap((noun) => names.filter((name) => singularName(name) === noun));
  const innerOf = (name: string) => {
    const object = withoutNull(memberShape(shape, name) ?? shape).properties.keys();
    return findNamed(object, parameter);
  };
  // `/users/{username}/posts` lists what the `author` of a post has written.
  const isAuthor = (name: string) =>
    isAuthorName(name) && (idWord(parameter) !== undefined || innerOf(name) !== undefined);
  const isOtherWord = nouned.length === 0 && holdsUsers(above);
  const alike = isOtherWord ? names.filter(isAuthor) : nouned;
  if (named !== undefined) return { property: named };
  const ofForm = alike.find((name) => isOfForm(memberShape(shape, name), described?.shape));
  if (ofForm !== undefined) return { property: ofForm, isOtherWord };
  const [within = innerNamed(shape, parameter)] = alike.flatMap((name): Partial<Parent>[] => {
    const object = memberShape(shape, name);
    const id = innerOf(name) ?? (object && idMemberIn(withoutNull(object), singularName(name)));
    return id === undefined ? [] : [{ property: name, inner: id, isOtherWord }];
  });
  // A resource linkage of JSON:API 1.1 §7.2.2.2.
  const related = attributesIn(shape) && shape.properties.get('relationships');
  const [linked] = [...(related?.properties ?? [])].filter(
    ([name, one]) => nouns.includes(singularName(name)) && one.properties.get('data')?.properties.has('id'),
  );
  return linked
    ? { property: 'relationships', inner: `${linked[0]}.data.id` }
    : { property: undefined, ...within };
}

function isOfForm(member: Shape | undefined, parameter: Shape | undefined): boolean {
  const form = member && withoutNull(member);
  const [format, other] = [form, parameter].map((shape) => shape?.find('format')?.value);
  if (!form || form.values) return false;
  return (
    form.mainType === 'integer' || (form.mainType === 'string' && format !== undefined && format === other)
  );
}

/** Parameters often declare an id as a text where the member is a number, and vice versa; a name is always a text. */
function isId(member: Shape | undefined, parameter: string): boolean {
  const types = wordsOf(parameter).at(-1) === 'name' ? ['string'] : ['string', 'integer', 'number'];
  return types.includes(member?.mainType ?? '') && !member?.values;
}
