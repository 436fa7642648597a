import type { Parameter } from './parameter.ts';
import { isExplodedRecord } from './parameter-style.ts';
import { percentDecode } from './percent-coding.ts';
import type { Shape } from './schema/shape.ts';

/** A pair of a query or of cookies: the name decoded, the text as it was sent. */
export type Pair = readonly [name: string, text: string];

/** The pairs of a query (without `?`); a `+` in it is a space, as in a form. */
export function queryOf(text: string): Pair[] {
  if (text === '') return [];
  return text.split('&').flatMap((part): Pair[] => {
    if (part === '') return [];
    const spaced = part.includes('+') ? part.replaceAll('+', '%20') : part;
    const at = spaced.indexOf('=');
    return at < 0
      ? [[percentDecode(spaced), '']]
      : [[percentDecode(spaced.slice(0, at)), spaced.slice(at + 1)]];
  });
}

/**
 * The texts of a parameter in a query or in cookies, as they were sent: of an exploded object `member=text`, of a
 * `deepObject` `[member]=text`. The inverse of `queryPairs`.
 * @param others names that an exploded object with `additionalProperties` leaves to other parameters
 */
export function queryTexts(
  parameter: Parameter,
  pairs: readonly Pair[],
  others?: ReadonlySet<string>,
): string[] {
  const { name, style, shape } = parameter;
  const plain = () => pairs.flatMap(([key, text]) => (key === name ? [text] : []));
  if (!isExplodedRecord(parameter)) return plain();
  if (style !== 'deepObject') {
    const isMember = (key: string) => isNamed(shape, key) || (isOpen(shape) && others?.has(key) === false);
    return pairs.flatMap(([key, text]) =>
      isMember(key) ? [`${encodeURIComponent(key.toWellFormed())}=${text}`] : [],
    );
  }
  const deep = pairs.flatMap(([key, text]) =>
    key.startsWith(`${name}[`) && key.endsWith(']') ? [`${key.slice(name.length)}=${text}`] : [],
  );
  return deep.length > 0 || shape.mainType === 'object' ? deep : plain();
}

function isNamed(shape: Shape, key: string): boolean {
  return shape.properties.has(key) || shape.alternatives.some((branch) => isNamed(branch, key));
}

/** Only where the document says so: every other pair of the query would be its member. */
function isOpen(shape: Shape): boolean {
  const unnamed = shape.find('additionalProperties')?.value;
  return unnamed === true || (typeof unnamed === 'object' && unnamed !== null);
}
