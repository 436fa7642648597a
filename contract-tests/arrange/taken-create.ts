import type { Operation, Resource } from '#spec';
import { creatorOf } from '../laws/operation-role.ts';
import { NotProvoked, NotReached } from '../run/not-reached.ts';
import type { Climbed, Recipe } from '../run/run.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess } from '../send/response.ts';
import {
  type Creation,
  type Makers,
  mayLearn,
  mayVary,
  recipeFor,
  sendCreate,
  type Variation,
} from './creation.ts';
import { whenDone } from './jobs.ts';
import { climb, climbedOf, firstRecipe, isSameRecipe, type Step } from './recipe.ts';

type MakersOf = (trial: Trial, operation: Operation) => Makers;

/**
 * Sends a body to a resource's create operation. If the target rejects a valid one, the run searches once for all cases
 * for a body that it accepts, and uses it from then on: that error is not due to the variation.
 */
export async function createUntilTaken(
  trial: Trial,
  resource: Resource,
  variation: Variation,
  makersOf: MakersOf,
): Promise<Creation> {
  const operation = creatorOf(resource);
  if (!operation) throw new NotProvoked('the document has no operation that creates such a record');
  if (!trial.plan.settings.writes) throw new NotReached('--read-only', 'read-only');
  const { cache } = trial.session;
  const earlier = variation.asDocumented ? undefined : await climbedOf(trial, operation);
  const usual = firstRecipe(trial.plan, operation);
  const learned = earlier?.recipe ?? usual;
  const varies = learned.varies || cache.varying.has(operation);
  const recipe = recipeFor(variation, { ...learned, varies }, operation);
  const isPlain = !variation.change && !variation.requiredOnly && variation.body === undefined;
  const before = trial.findings.length;
  const send = async (how: Recipe) =>
    whenDone(trial, resource, await sendCreate(trial, resource, how, variation, makersOf(trial, operation)));
  const creation = await send(recipe);
  const { response } = creation;
  if (isSuccess(response) && isPlain) cache.proven.add(operation);
  if (mayVary(trial, creation, variation, earlier?.recipe !== undefined || cache.proven.has(operation))) {
    const held = trial.findings.splice(before);
    const other = await send({ ...recipe, varies: true });
    if (isSuccess(other.response)) {
      cache.varying.add(operation);
      return other;
    }
    trial.findings.splice(before, Number.POSITIVE_INFINITY, ...held);
  }
  if (earlier || cache.proven.has(operation) || !mayLearn(trial, creation, variation)) return creation;
  const held = trial.findings.splice(before);
  const climbed = await trial.share(cache.climbs, operation, (shared) =>
    findRecipe(
      shared,
      resource,
      operation,
      makersOf(shared, operation),
      isPlain ? { recipe, body: creation.input.body, response } : undefined,
    ),
  );
  // A 5xx remains a finding even if another body is accepted.
  trial.findings.push(...held.filter(({ exchange }) => exchange.response.status >= 500));
  if (climbed.recipe && !isSameRecipe(climbed.recipe, usual)) {
    const other = recipeFor(variation, climbed.recipe, operation);
    return send(other);
  }
  trial.findings.push(...held.filter(({ exchange }) => exchange.response.status < 500));
  return creation;
}

async function findRecipe(
  shared: Trial,
  resource: Resource,
  operation: Operation,
  makers: Makers,
  first: Step | undefined,
): Promise<Climbed> {
  return climb(shared, resource, operation, first, await makers.records(), async (recipe) => {
    const { input, response } = await sendCreate(shared, resource, recipe, {}, makers);
    return { recipe, body: input.body, response };
  });
}
