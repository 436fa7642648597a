import { bodyMedia, type Operation } from '#spec';
import { resourceOf, roleOf } from '../laws/operation-role.ts';
import type { Trial } from '../run/trial.ts';
import type { Response } from '../send/response.ts';
import { climb, firstRecipe, isSameRecipe } from './recipe.ts';
import { anyBody, recordsBeside } from './target.ts';

/**
 * Looks for a body that an operation takes which makes no record, where it has refused a valid one; such bodies are made from
 * then on. @returns whether there is one
 */
export async function repairBody(
  trial: Trial,
  operation: Operation,
  send: (shared: Trial, body: unknown) => Promise<Response>,
): Promise<boolean> {
  const { run } = trial;
  const resource = resourceOf(run.contract, operation);
  const isMade = roleOf(run.contract, operation)?.action === 'create';
  if (isMade || !bodyMedia(operation.body)?.shape || run.settings.stateless) return false;
  const climbed = await trial.share(run.found.climbs, operation, async (shared) => {
    const records = await recordsBeside(shared, operation);
    return climb(shared, resource, operation, undefined, records, async (recipe) => {
      const body = await anyBody(shared, operation, { mark: shared.marks.next(), recipe });
      return { recipe, body, response: await send(shared, body) };
    });
  });
  return climbed.recipe !== undefined && !isSameRecipe(climbed.recipe, firstRecipe(run, operation));
}
