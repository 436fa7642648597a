import { isRecord, type Operation, rawChild } from '#spec';
import { placeAt } from '../break.ts';
import type { Note } from './note.ts';

/** A token of OLD may lack a scope that every alternative of NEW asks for. */
export function addedScopes(old: Operation, next: Operation): Note[] {
  const alternatives = scopesOf(next);
  const lacking = scopesOf(old).flatMap((given) => {
    const missing = alternatives.map((wanted) => [...wanted].filter((scope) => !given.has(scope)));
    // A credential of another scheme is refused, which a request shows.
    const alike = missing.filter((_, index) => isSameSchemes(given, alternatives[index] ?? given));
    if (alike.length === 0 || missing.some(({ length }) => length === 0)) return [];
    return alike.toSorted((one, other) => one.length - other.length).slice(0, 1);
  });
  const added = [...new Set(lacking.flat())];
  if (added.length === 0) return [];
  return [{ text: `asks for the scopes ${added.join(', ')}, too`, at: placeAt(next.spot, 'security') }];
}

/** Of each alternative `scheme`, and `scheme:scope` of each scope. */
function scopesOf({ spot }: Operation): ReadonlySet<string>[] {
  const security = rawChild(spot, 'security') ?? rawChild(spot.document.root, 'security');
  const requirements = Array.isArray(security?.value) ? security.value.filter(isRecord) : [];
  return requirements.map(
    (one) =>
      new Set(
        Object.entries(one).flatMap(([scheme, scopes]) => [
          scheme,
          ...(Array.isArray(scopes) ? scopes.map((scope) => `${scheme}:${scope}`) : []),
        ]),
      ),
  );
}

function isSameSchemes(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const schemes = (all: ReadonlySet<string>) => new Set([...all].map((text) => text.split(':', 1)[0] ?? ''));
  return schemes(one).symmetricDifference(schemes(other)).size === 0;
}
