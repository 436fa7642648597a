import type { Finding } from '../laws/finding.ts';
import type { Run } from '../run/run.ts';
import type { SentStep } from '../send/trail.ts';
import { type Recipe, recipesFor } from './recipe.ts';

/** A finding with what may reproduce it, the shortest first. */
export interface Ranked {
  readonly finding: Finding;
  readonly recipes: readonly Recipe[];
}

/** At least one. */
export type RankedRoot = readonly [Ranked, ...Ranked[]];

/**
 * The findings of one root, the best one to show first: not accepted yet, as plain a request as there is, from nothing, and
 * short.
 */
export function ranked(
  run: Pick<Run, 'contract' | 'settings' | 'origins'>,
  findings: readonly Finding[],
): RankedRoot {
  const all = findings.map((finding): Ranked & { readonly rank: readonly number[] } => {
    const recipes = recipesFor(run, finding);
    return { finding, recipes, rank: rankOf(finding, recipes[0]) };
  });
  const [first, ...others] = all.sort((one, other) => compare(one.rank, other.rank));
  if (!first) throw new Error('a root has a finding');
  return [first, ...others];
}

function rankOf({ knownUntil, trail }: Finding, recipe: Recipe | undefined): readonly number[] {
  const last = trail.at(-1);
  const texts = (recipe?.steps ?? trail).map(
    ({ request }) => request.url.href.length + (request.body?.length ?? 0),
  );
  return [
    Number(knownUntil !== undefined),
    last ? oddness(last) : 0,
    Number(trail.some(({ amongOthers }) => amongOthers)),
    Number(recipe?.needsData ?? true),
    recipe?.steps.length ?? trail.length,
    texts.reduce((sum, length) => sum + length, 0),
  ];
}

/** How much of a request no client would send as a matter of course. */
function oddness({ input }: SentStep): number {
  const { headers = [], contentType, chunked, rawBody } = input;
  return (
    headers.length +
    [contentType, rawBody].filter((one) => one !== undefined).length +
    Number(chunked === true)
  );
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((number, at) => number !== other[at]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
