import { explicitStatuses, type Operation } from '#spec';
import { detachedAsk, ordinaryAsk } from '../arrange/ordinary.ts';
import type { Ask } from '../arrange/plan.ts';
import type { Case } from '../case.ts';
import { NO_CREDENTIAL, needsKey, type Presented, presentKey } from '../send/credentials.ts';
import { SAFE_METHODS } from '../send/patience.ts';
import { refusedCredentials } from '../send/refused-credentials.ts';
import { headerOf } from '../send/wire.ts';
import type { Settings } from '../settings.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase, slugOf } from './family.ts';

const UNAUTHORISED = 401;

/** Without a good credential there is no other answer than 401, whatever else is right or wrong with the request. */
export const unauthorised: Family = (contract, settings) =>
  contract.operations
    .filter(
      (operation) => needsKey(operation) && explicitStatuses(operation.responses).includes(UNAUTHORISED),
    )
    .flatMap((operation) => [
      ...eachCredential(operation, settings),
      ...beforeOtherRefusals(operation),
      ...afterAGoodKey(operation),
    ]);

function eachCredential(operation: Operation, settings: Settings): Case[] {
  return refusedCredentials(operation, settings.apiKey, settings.probeKey).map(({ name, title, presented }) =>
    makeCase(operation, UNAUTHORISED, name, `${title} is refused with 401`, async (trial) => {
      await expectUnauthorised(trial, operation, await detachedAsk(trial, operation), presented);
    }),
  );
}

async function expectUnauthorised(
  trial: Trial,
  operation: Operation,
  ask: Ask,
  presented: Presented,
): Promise<void> {
  const answer = await trial.ask(operation, { ...ask, presented });
  if (
    trial.expect(answer, UNAUTHORISED, 'unauthorised-first') &&
    headerOf(answer, 'www-authenticate') === undefined
  ) {
    trial.notice('a 401 without WWW-Authenticate (RFC 9110 §11.6.1 asks for it)');
  }
}

/** A service that says 404 or 400 to strangers tells them what exists, and what it checks. */
function beforeOtherRefusals(operation: Operation): Case[] {
  const stranger = (
    slug: string,
    title: string,
    plan: (ask: Ask) => Ask,
    arrange: (trial: Trial) => Promise<Ask> = (trial) => detachedAsk(trial, operation),
  ): Case =>
    makeCase(operation, UNAUTHORISED, slug, `without a credential ${title} is answered 401`, async (trial) =>
      expectUnauthorised(trial, operation, plan(await arrange(trial)), NO_CREDENTIAL),
    );
  const raw =
    (rawBody: string, more: Partial<Ask> = {}) =>
    ({ body: _, ...ask }: Ask): Ask => ({ ...ask, rawBody, ...more });
  const cases: Case[] = [];
  if (operation.body) {
    cases.push(
      stranger('before-invalid-body', 'an invalid body', raw('{}')),
      stranger('before-broken-json', 'broken JSON', raw('{"')),
      stranger('before-empty-body', 'an empty body', raw('')),
      stranger(
        'before-media-type',
        'a body of another media type',
        raw('text', { contentType: 'text/plain' }),
      ),
    );
  }
  for (const { in: place, name, shape } of operation.parameters) {
    if (place === 'query' && shape.types) {
      const value = shape.values?.[0] ?? shape.range.high?.value ?? 1;
      cases.push(
        stranger(`before-invalid-${slugOf(name)}`, `an invalid ${name}`, (ask) => ({
          ...ask,
          query: { ...ask.query, [name]: 'not-valid' },
        })),
        stranger(`before-${slugOf(name)}`, `a request with ${name}=${value}`, (ask) => ({
          ...ask,
          query: { ...ask.query, [name]: value },
        })),
      );
    }
    if (place === 'path' && shape.mainType === 'integer') {
      cases.push(
        stranger(`before-malformed-${slugOf(name)}`, `a ${name} that is no number`, (ask) => ({
          ...ask,
          path: { ...ask.path, [name]: 'paddock' },
        })),
      );
    }
  }
  if (SAFE_METHODS.has(operation.method) && operation.path.includes('{')) {
    cases.push(
      stranger(
        'before-existing',
        'an existing record',
        (ask) => ask,
        (trial) => ordinaryAsk(trial, operation),
      ),
    );
  }
  return cases;
}

/** A good key belongs to its own request: not to the connection, and not to an answer kept from before. */
function afterAGoodKey(operation: Operation): Case[] {
  if (!SAFE_METHODS.has(operation.method)) return [];
  return [
    makeCase(
      operation,
      UNAUTHORISED,
      'after-a-good-key',
      'the same request without the key, right after one with it, is answered 401',
      async (trial) => {
        const ask = await ordinaryAsk(trial, operation);
        await trial.ask(operation, { ...ask, presented: presentKey(operation, trial.run.settings.apiKey) });
        await expectUnauthorised(trial, operation, ask, NO_CREDENTIAL);
      },
    ),
  ];
}
