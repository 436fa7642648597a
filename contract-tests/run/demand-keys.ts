import type { Operation } from '#spec';
import { missingSchemes } from '../send/credentials.ts';
import type { RequestInput } from '../send/plan-request.ts';
import type { Settings } from '../settings/settings.ts';
import { NotReached } from './not-reached.ts';

/**
 * A request without the credential that the user has not given would show nothing but that it is refused.
 * @throws NotReached
 */
export function demandKeys(operation: Operation, input: RequestInput, settings: Settings): void {
  if (input.refused || input.presented) return;
  const [scheme] = missingSchemes(operation, settings);
  if (scheme === undefined) return;
  throw new NotReached(`${operation.id} needs a credential for ${scheme}: say --credential ${scheme}=VALUE`);
}
