import { explicitStatuses, type Operation } from '#spec';
import { detachedAsk, ordinaryAsk } from '../arrange/ordinary.ts';
import type { Ask } from '../arrange/plan.ts';
import type { Case } from '../case.ts';
import {
  NO_CREDENTIAL,
  needsKey,
  type Presented,
  presentKey,
  refusedCredentials,
} from '../send/credentials.ts';
import { SAFE_METHODS } from '../send/patience.ts';
import { headerOf } from '../send/wire.ts';
import type { Settings } from '../settings.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase } from './family.ts';

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
  const cases: Case[] = [];
  const invalidQuery = operation.parameters.find(({ in: place, shape }) => place === 'query' && shape.types);
  if (operation.body) {
    cases.push(
      makeCase(
        operation,
        UNAUTHORISED,
        'before-invalid-body',
        'without a credential an invalid body is answered 401',
        async (trial) => {
          const { body: _, ...ask } = await detachedAsk(trial, operation);
          await expectUnauthorised(trial, operation, { ...ask, rawBody: '{}' }, NO_CREDENTIAL);
        },
      ),
    );
  }
  if (invalidQuery) {
    cases.push(
      makeCase(
        operation,
        UNAUTHORISED,
        'before-invalid-query',
        'without a credential an invalid query is answered 401',
        async (trial) => {
          const ask = await detachedAsk(trial, operation);
          const query = { ...ask.query, [invalidQuery.name]: 'not-valid' };
          await expectUnauthorised(trial, operation, { ...ask, query }, NO_CREDENTIAL);
        },
      ),
    );
  }
  if (SAFE_METHODS.has(operation.method) && operation.path.includes('{')) {
    cases.push(
      makeCase(
        operation,
        UNAUTHORISED,
        'before-existing',
        'without a credential an existing record is answered 401',
        async (trial) => {
          await expectUnauthorised(trial, operation, await ordinaryAsk(trial, operation), NO_CREDENTIAL);
        },
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
