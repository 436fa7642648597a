import { type Operation, type Requirement, rawChild, type Spot } from '#spec';
import { type Found, plain } from './occurrences.ts';
import type { RuleName } from './rules.ts';

/** Changes of the credentials that two versions of an operation require. */
export function securityChanges(old: Operation, next: Operation): Found[] {
  const [before, after] = [alternativesOf(old), alternativesOf(next)];
  const changes: Found[] = [];
  const say = (rule: RuleName, from: string, to: string) =>
    void changes.push(plain(rule, securityAt(old), securityAt(next), { from, to }));
  const required = credentialNames(after);
  const scopes = new Set<string>();
  for (const alternative of before) {
    const alike = after.filter((requirement) => isEnough(alternative, requirement));
    if (alike.length === 0) {
      say(
        alternative.length === 0 ? 'credential-required' : 'credential-changed',
        credentialNames([alternative]),
        required,
      );
      continue;
    }
    const missing = alike.map((requirement) =>
      scopesOf(requirement).filter((scope) => !scopesOf(alternative).includes(scope)),
    );
    if (missing.some(({ length }) => length === 0)) continue;
    const named = missing.filter((_, index) => isOfSameSchemes(alternative, alike[index] ?? []));
    const [least = []] = (named.length > 0 ? named : missing).toSorted(
      (left, right) => left.length - right.length,
    );
    for (const scope of least) scopes.add(scope);
  }
  if (scopes.size > 0) say('scope-added', '', [...scopes].join(', '));
  if (changes.length > 0) return changes;
  const isFree = (all: readonly Requirement[]) => all.some(({ length }) => length === 0);
  if (isFree(after) && !isFree(before)) say('credential-unneeded', credentialNames(before), '');
  else if (after.some((requirement) => !before.some((alternative) => isEnough(alternative, requirement))))
    say('credential-added', credentialNames(before), required);
  else if (before.flatMap(scopesOf).length > after.flatMap(scopesOf).length)
    say('scope-removed', before.flatMap(scopesOf).join(', '), after.flatMap(scopesOf).join(', '));
  return changes;
}

/** Without alternatives, nothing is required. */
function alternativesOf({ security }: Operation): readonly Requirement[] {
  return security.length > 0 ? security : [[]];
}

/** Whether a client with these credentials has all required ones, regardless of scopes. */
function isEnough(sent: Requirement, required: Requirement): boolean {
  return required.every((credential) =>
    sent.some(
      ({ kind, in: place, name }) =>
        kind === credential.kind && place === credential.in && name === credential.name,
    ),
  );
}

function isOfSameSchemes(one: Requirement, other: Requirement): boolean {
  const names = (all: Requirement) =>
    all
      .map(({ scheme }) => scheme)
      .sort()
      .join();
  return names(one) === names(other);
}

function scopesOf(requirement: Requirement): string[] {
  return requirement.flatMap(({ scheme, scopes }) => scopes.map((scope) => `${scheme}:${scope}`));
}

/** The schemes of alternatives: `basic or key and token`. */
export function credentialNames(alternatives: readonly Requirement[]): string {
  return alternatives.map((all) => all.map(({ scheme }) => scheme).join(' and ') || 'none').join(' or ');
}

export function securityAt({ spot }: Operation): Spot {
  return rawChild(spot, 'security') ?? rawChild(spot.document.root, 'security') ?? spot;
}
