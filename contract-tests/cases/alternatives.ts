import { bodyMedia, type Operation, type Requirement } from '#spec';
import { detachedInput } from '../arrange/ask.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { otherAlternatives, presentAll } from '../send/credentials.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { SAFE_METHODS } from '../send/wire.ts';
import type { Case } from './case.ts';
import { type Family, makeCase, slugOf } from './family.ts';

/**
 * Each further alternative of an operation's security, where the user has given credentials for it. They may be those
 * of somebody who sees other records: it only counts that they are let in, and no record is made or changed.
 */
export const alternatives: Family = (contract, settings) =>
  contract.operations.flatMap((operation): Case[] => {
    const [success] = successStatuses(operation);
    const shape = harmless(operation);
    if (success === undefined || !shape) return [];
    return otherAlternatives(operation, settings).map((requirement) => {
      const names = namesOf(requirement);
      const presented = presentAll(requirement, settings);
      const title = `a request with ${names.join(' and ')} is let in`;
      return makeCase(operation, success, `with-${slugOf(names.join(' '))}`, title, async (trial) => {
        await trial.send(operation, { ...shape(await detachedInput(trial, operation)), presented });
      });
    });
  });

function namesOf(requirement: Requirement): string[] {
  return [...new Set(requirement.map(({ scheme }) => scheme))];
}

/** A request that changes nothing, whoever sends it: a body that cannot be read, or a record that is not there. */
function harmless({ method, body, path }: Operation): ((input: RequestInput) => RequestInput) | undefined {
  if (SAFE_METHODS.has(method) || (!body && path.includes('{'))) return (input) => input;
  if (bodyMedia(body)?.isJson) return ({ body: _, ...input }) => ({ ...input, rawBody: '{"' });
  return undefined;
}
