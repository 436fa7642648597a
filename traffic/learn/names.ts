import { foldedName, partsOf, singular, singularName } from '#spec';
import type { TemplateSegment } from './path-tree.ts';

function isPlural(word: string): boolean {
  return singularName(word) !== foldedName(word);
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Converts `pet-toys`, `pet_toys` and `petToys` to `PetToys`, in ASCII as in component names (OpenAPI 3.1 §4.8.7). */
export const pascal = (text: string): string => wordsIn(text).map(capitalized).join('');

/** The same in the singular: `PetToy`. */
export function pascalSingular(text: string): string {
  const words = wordsIn(text);
  const last = words.pop() ?? '';
  const one = singular(last);
  // Other words keep their capitals: `SKU`.
  return [...words, one === last.toLowerCase() ? last : one].map(capitalized).join('');
}

function camel(text: string): string {
  const name = pascal(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const wordsIn = (text: string): string[] => partsOf(text.replace(/[^A-Za-z\d]+/g, '-'));

/** Names path parameters after the preceding segment: `petId` after `/pets`. */
export function nameParameters(segments: readonly TemplateSegment[]): string[] {
  const names: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if ('word' in segment) continue;
    const before = segments.slice(0, index).findLast((templateSegment) => 'word' in templateSegment);
    const noun = before ? camel(pascalSingular(before.word)) : '';
    const name = noun === '' ? 'id' : `${/^\d/.test(noun) ? '_' : ''}${noun}Id`;
    names.push(unused(name, names));
  }
  return names;
}

/** `name`, if necessary with the first free number appended. */
export function unused(name: string, used: Iterable<string>): string {
  const taken = new Set(used);
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}${number}`)) return `${name}${number}`;
}

/** The path with its parameters in braces; words are kept as they were sent. */
export function templateOf(segments: readonly TemplateSegment[], names: readonly string[]): string {
  let index = 0;
  const parts = segments.map((segment) =>
    'word' in segment ? segment.word : `{${names[index++]}}${segment.suffix}`,
  );
  return `/${parts.join('/')}`;
}

/** The noun of a path: `Pet` of `/pets/{petId}`. */
export function recordNameOf(path: readonly TemplateSegment[]): string {
  const segments = withoutSlash(path);
  const words = segments.flatMap((segment) => ('word' in segment ? [segment.word] : []));
  const noun = words.findLast((word) => !isVerb(word)) ?? words.at(-1) ?? 'root';
  return pascalSingular(noun) || 'Root';
}

/** A trailing slash does not change the noun. */
function withoutSlash(segments: readonly TemplateSegment[]): readonly TemplateSegment[] {
  const last = segments.at(-1);
  return last && 'word' in last && last.word === '' ? segments.slice(0, -1) : segments;
}

/** Path words that name actions. */
const VERBS = new Set(
  'activate add approve archive assign authenticate block cancel check close complete confirm copy create deactivate delete deploy disable download edit enable execute export fetch filter find follow import invite invoke like list lock login logout merge move open pay pause ping publish query refresh register reject remove rename reopen reset restart restore resume retry revoke run search send signin signout signup start stop submit subscribe sync test toggle transfer trigger unfollow unlike unlock unpublish unsubscribe update upload validate verify vote'.split(
    ' ',
  ),
);

function isVerb(word: string): boolean {
  return VERBS.has((wordsIn(word)[0] ?? '').toLowerCase());
}

/** Facts about a path beside its segments. */
export interface PathFacts {
  /** Whether there are item paths, or the response is a list. */
  readonly isCollection: boolean;
  /** Whether there is PATCH, too: then PUT replaces. */
  readonly hasPatch: boolean;
}

/** `listPets`, `getPet`, `createPet`, `updatePet`, `deletePet`; a verb in the path is used itself. */
export function operationIdOf(method: string, path: readonly TemplateSegment[], facts: PathFacts): string {
  const segments = withoutSlash(path);
  const last = segments.at(-1);
  const nouns = segments.flatMap((segment, index) => {
    if (!('word' in segment)) return [];
    const next = segments[index + 1];
    return [next && !('word' in next) ? pascalSingular(segment.word) : pascal(segment.word)];
  });
  const chain = nouns.map(pascal).join('');
  if (last && !('word' in last)) {
    const { suffix } = last;
    const item = chain || 'Item';
    if (suffix.startsWith(':')) return camel(`${suffix} ${item}`);
    return camel(`${onOne(method, facts)} ${item} ${/^\.(?:json|xml)$/.test(suffix) ? '' : suffix}`);
  }
  const name = last?.word ?? '';
  const above = nouns.slice(0, -1).map(pascal).join('');
  const isBehindId = segments.length > 1 && !('word' in (segments.at(-2) as TemplateSegment));
  if (isVerb(name) || (method === 'POST' && isBehindId && !isPlural(name) && !facts.isCollection)) {
    const verb = camel(name);
    const isVerbAlone =
      method === 'POST' ||
      (method === 'GET' && !facts.isCollection) ||
      /^(?:search|find|query|filter|list)/i.test(name);
    return camel(`${isVerbAlone ? '' : `${method.toLowerCase()} `}${verb} ${above}`);
  }
  const one = `${above}${pascalSingular(name)}`;
  if (method === 'GET') return camel(`${facts.isCollection ? 'list' : 'get'} ${chain || 'Root'}`);
  if (method === 'POST')
    return facts.isCollection || isPlural(name) ? camel(`create ${one}`) : camel(`post ${chain || 'Root'}`);
  return camel(`${onOne(method, facts)} ${chain || 'Root'}`);
}

function onOne(method: string, { hasPatch }: PathFacts): string {
  if (method === 'PUT') return hasPatch ? 'replace' : 'update';
  return { GET: 'get', PATCH: 'update', DELETE: 'delete', POST: 'post' }[method] ?? method.toLowerCase();
}

/** `List pet toys` for `listPetToys`. */
export function summaryOf(operationId: string): string {
  const [first = '', ...others] = wordsIn(operationId);
  return [
    first.charAt(0).toUpperCase() + first.slice(1),
    ...others.map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase())),
  ].join(' ');
}
