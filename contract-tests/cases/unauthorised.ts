import { bodyMedia, explicitStatuses, type Operation, type Requirement, SAFE_METHODS } from '#spec';
import { detachedInput, ordinaryInput } from '../arrange/requests.ts';
import { successStatuses } from '../laws/operation-role.ts';
import type { Trial } from '../run/trial.ts';
import {
  NO_CREDENTIAL,
  needsKey,
  otherAlternatives,
  type Presented,
  presentAll,
} from '../send/credentials.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { ofOtherSchemes, refusedCredentials } from '../send/refused-credentials.ts';
import { headerOf, UNAUTHORISED } from '../send/wire.ts';
import type { Settings } from '../settings/settings.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** A request without a valid credential gets 401, however valid the rest is. */
export const unauthorised: Family = (contract, settings) =>
  contract.operations
    .filter(needsKey)
    .flatMap((operation) =>
      explicitStatuses(operation.responses).includes(UNAUTHORISED)
        ? [
            ...eachCredential(operation, settings),
            ...beforeOtherRefusals(operation),
            ...afterAGoodKey(operation),
          ]
        : withoutDocumentedStatus(operation),
    );

/** The document requires a credential, and has no status for requests without one. */
function withoutDocumentedStatus(operation: Operation): Case[] {
  const [success] = successStatuses(operation);
  if (success === undefined) return [];
  const title = 'a request without a credential is refused';
  return [
    makeCase({ operation, status: success }, 'no-credential', title, async (trial) =>
      trial.send(operation, { ...(await detachedInput(trial, operation)), refused: NO_CREDENTIAL }),
    ),
  ];
}

function eachCredential(operation: Operation, settings: Settings): Case[] {
  return refusedCredentials(operation, settings, settings.disposable).map(({ name, title, presented }) =>
    makeCase({ operation, status: UNAUTHORISED }, name, `${title} is refused with 401`, async (trial) => {
      await expectUnauthorised(trial, operation, await detachedInput(trial, operation), presented);
    }),
  );
}

async function expectUnauthorised(
  trial: Trial,
  operation: Operation,
  input: RequestInput,
  refused: Presented,
): Promise<void> {
  const { sound, response } = await trial.send(operation, { ...input, refused });
  if (sound && headerOf(response, 'www-authenticate') === undefined)
    trial.notice('a 401 without WWW-Authenticate (RFC 9110 §11.6.1 asks for it)');
}

/** What else is wrong with, or exists for, a request without a credential; undefined: its record exists. */
type Beside = readonly [slug: string, title: string, more: Partial<RequestInput> | undefined];

/** A 404 or 400 would reveal to unauthenticated clients what exists, and what is validated. */
function beforeOtherRefusals(operation: Operation): Case[] {
  const { body, method, path, parameters } = operation;
  const bodies: readonly Beside[] = [
    ['invalid-body', 'an invalid body', { rawBody: '{}' }],
    ['broken-json', 'broken JSON', { rawBody: '{"' }],
    ['empty-body', 'an empty body', { rawBody: '' }],
    ['media-type', 'a body of another media type', { rawBody: 'text', contentType: 'text/plain' }],
  ];
  const ofParameters = parameters.flatMap(({ in: place, name, shape }): Beside[] => {
    const slug = slugOf(name);
    if (place === 'query' && shape.types) {
      const value = shape.values?.[0] ?? shape.range.high?.value ?? 1;
      return [
        [`invalid-${slug}`, `an invalid ${name}`, { query: { [name]: 'not-valid' } }],
        [slug, `a request with ${name}=${value}`, { query: { [name]: value } }],
      ];
    }
    const isNumber = place === 'path' && shape.mainType === 'integer';
    return isNumber
      ? [[`malformed-${slug}`, `a ${name} that is no number`, { path: { [name]: 'paddock' } }]]
      : [];
  });
  const isOne = SAFE_METHODS.has(method) && path.includes('{');
  const existing: readonly Beside[] = isOne ? [['existing', 'an existing record', undefined]] : [];
  return [...(body ? bodies : []), ...ofParameters, ...existing].map(([slug, what, more]) => {
    const title = `without a credential ${what} is answered 401`;
    return makeCase({ operation, status: UNAUTHORISED }, `before-${slug}`, title, async (trial) => {
      const { body: ordinary, ...input } = await (more ? detachedInput : ordinaryInput)(trial, operation);
      const body = more?.rawBody === undefined ? ordinary : undefined;
      const query = { ...input.query, ...more?.query };
      const all = { ...input, body, ...more, query, path: { ...input.path, ...more?.path } };
      await expectUnauthorised(trial, operation, all, NO_CREDENTIAL);
    });
  });
}

/** A valid key applies to its own request only, not to the connection or to a cached response. */
function afterAGoodKey(operation: Operation): Case[] {
  if (!SAFE_METHODS.has(operation.method)) return [];
  const title = 'the same request without the key, right after one with it, is answered 401';
  return [
    makeCase({ operation, status: UNAUTHORISED }, 'after-a-good-key', title, async (trial) => {
      const input = await ordinaryInput(trial, operation);
      await trial.send(operation, input);
      await expectUnauthorised(trial, operation, input, NO_CREDENTIAL);
    }),
  ];
}

/**
 * Each further alternative of an operation's security for which the user supplies credentials. They may belong to an
 * account with other records: only access counts, and no record is created or changed.
 */
export const alternatives: Family = (contract, settings) =>
  contract.operations.flatMap((operation): Case[] => {
    const [success] = successStatuses(operation);
    const shape = harmless(operation);
    if (success === undefined || !shape) return [];
    return otherAlternatives(operation, settings).map((requirement) => {
      const names = namesOf(requirement);
      const title = `a request with ${names.join(' and ')} is let in`;
      const [cell, slug] = [{ operation, status: success }, `with-${slugOf(names.join(' '))}`];
      return makeCase(cell, slug, title, async (trial) => {
        const input = shape(await detachedInput(trial, operation));
        // The current credential: it may have been renewed.
        await trial.send(operation, { ...input, presented: presentAll(requirement, settings) });
      });
    });
  });

/** Reads with a credential of a scheme that the operation does not list, if the user supplies one. */
export const otherSchemes: Family = (contract, settings) => {
  const all = contract.operations.flatMap(({ security }) => security.flat());
  return contract.operations.flatMap((operation): Case[] => {
    const isRefusing = explicitStatuses(operation.responses).includes(UNAUTHORISED);
    const status = isRefusing ? UNAUTHORISED : successStatuses(operation)[0];
    if (status === undefined || !SAFE_METHODS.has(operation.method) || !needsKey(operation)) return [];
    return ofOtherSchemes(operation, all, settings).map((credential) => {
      const { scheme } = credential;
      const [slug, title] = [`other-scheme-${slugOf(scheme)}`, `a credential of ${scheme} is refused`];
      return makeCase({ operation, status }, slug, title, async (trial) => {
        const input = await ordinaryInput(trial, operation);
        const refused = presentAll([credential], settings);
        await trial.send(operation, { ...input, refused, otherScheme: scheme });
      });
    });
  });
};

function namesOf(requirement: Requirement): string[] {
  return [...new Set(requirement.map(({ scheme }) => scheme))];
}

/** A request that changes nothing, whoever sends it: an unreadable body, or a missing record. */
function harmless({ method, body, path }: Operation): ((input: RequestInput) => RequestInput) | undefined {
  if (SAFE_METHODS.has(method) || (!body && path.includes('{'))) return (input) => input;
  if (bodyMedia(body)?.isJson) return ({ body: _, ...input }) => ({ ...input, rawBody: '{"' });
  return undefined;
}
