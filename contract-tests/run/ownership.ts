import {
  actingParameter,
  type Contract,
  isRecord,
  type Operation,
  pathParameters,
  type Resource,
} from '#spec';
import { creatorOf, furtherRoleOf, ownerOf } from '../laws/operation-role.ts';
import type { RequestInput } from '../send/plan-request.ts';
import type { Settings } from '../settings/settings.ts';
import { NotReached, optionFor } from './not-reached.ts';
import { collectionOf, isCreate, type Permissions } from './permissions.ts';

/** The records that the run created, which decide what it may change. */
export interface Ownership {
  note(resource: Resource, id: unknown): void;
  /** The value that a link in a create response has for a parameter of another operation. */
  noteLinked(operation: Operation, name: string, value: unknown): void;
  /** The value that the user's code returned for a parameter of an operation. */
  noteGiven(operation: Operation, name: string, value: unknown): void;
  /**
   * Waits until the previous request to an operation that is called once has a response.
   * @param isFaulty it must be rejected
   * @returns ends the turn
   * @throws NotReached if it may not be sent any more
   */
  takeTurn(operation: Operation, isFaulty: boolean): Promise<(fate: Fate) => void>;
  /** @throws NotReached, before anything is sent: the run does not call the operation, or the record is not its own */
  demand(operation: Operation, input: RequestInput): void;
}

/** The outcome of a request. */
export type Fate =
  /** Accepted or unknown. */
  'taken' | 'refused' | 'not carried out';

/** The requests to an operation that is called once. */
interface Turns {
  isSent: boolean;
  /** A request that must be rejected was accepted. */
  isTaken: boolean;
  last: Promise<void>;
}

export function createOwnership(
  contract: Contract,
  permissions: Permissions,
  { values }: Pick<Settings, 'values'>,
): Ownership {
  const keys = new Set<string>();
  const turns = new Map<Operation, Turns>();
  const keyOf = (path: string, id: unknown) => `${path} ${id}`;

  function isOwn(operation: Operation, name: string, value: unknown): boolean {
    if (values[name] !== undefined && values[name] === String(value)) return true;
    const owner = collectionOf(contract, operation, name);
    if (owner && keys.has(keyOf(owner.path, value))) return true;
    return keys.has(keyOf(`${operation.id} ${name}`, value));
  }

  /** The last value that is the run's own decides: earlier ones lead to it, and later ones are parts of it. */
  function demandOwnPath(operation: Operation, { path, unknownId, creates }: RequestInput): void {
    const names = pathParameters(operation.path).toReversed();
    const makesOrMisses = unknownId === true || creates === true || isCreate(contract, operation);
    for (const [index, name] of names.entries()) {
      if ((unknownId || creates) && index === 0) continue;
      if (isOwn(operation, name, path?.[name])) return;
      const owner = ownerOf(contract, operation, name);
      // Any part of the record may be named; so may what no operation creates, as a parent of new records.
      const isPart = owner === undefined;
      if (isPart || (makesOrMisses && creatorOf(owner) === undefined)) continue;
      throw foreign(operation, name, path);
    }
    const [last] = names;
    if (!makesOrMisses && last !== undefined) throw foreign(operation, last, path);
  }

  function demandOwnBody(operation: Operation, { body }: RequestInput): void {
    const { resource, further } = furtherRoleOf(contract, operation) ?? {};
    if (!resource?.id || !further || isCreate(contract, operation) || !isRecord(body)) return;
    const { property, shape } = resource.id;
    const id = body[property];
    if (id === undefined || keys.has(keyOf(resource.path, id)) || values[property] === String(id)) return;
    const isValid = shape.parts.every(
      (part) => contract.validators.compile(part, 'request')(id).length === 0,
    );
    if (isValid) throw withheld(operation, `${property} ${id} is no record of this run`);
  }

  return {
    note: (resource, id) => void keys.add(keyOf(resource.path, id)),
    noteLinked: (operation, name, value) => void keys.add(keyOf(`${operation.id} ${name}`, value)),
    noteGiven(operation, name, value) {
      keys.add(keyOf(`${operation.id} ${name}`, value));
      const owner = collectionOf(contract, operation, name);
      if (owner) keys.add(keyOf(owner.path, value));
    },
    async takeTurn(operation, isFaulty) {
      const here = turns.get(operation) ?? { isSent: false, isTaken: false, last: Promise.resolve() };
      turns.set(operation, here);
      const before = here.last;
      const { promise, resolve } = Promise.withResolvers<void>();
      here.last = promise;
      await before;
      if (isFaulty ? here.isTaken : here.isSent) {
        resolve();
        const cause = isFaulty ? 'it has accepted a request that must be refused' : 'it was sent once';
        throw withheld(operation, `${cause}, and nothing is known to remove what it makes`);
      }
      return (fate) => {
        if (isFaulty) here.isTaken ||= fate === 'taken';
        else here.isSent ||= fate !== 'not carried out';
        resolve();
      };
    },
    demand(operation, input) {
      const refusal = permissions.of(operation);
      if (refusal?.code === 'excluded')
        throw new NotReached(`it needs ${operation.id}, which --exclude names`, 'excluded');
      // The user is responsible for requests in `provoke`.
      if (input.provoked) return;
      if (refusal) throw withheld(operation, refusal.reason);
      if (permissions.isAllowed(operation)) return;
      const acting = actingParameter(operation, input.query);
      if (acting !== undefined) throw withheld(operation, `its parameter ${acting} sets something going`);
      if (!permissions.changes(operation) || input.madeUp) return;
      demandOwnPath(operation, input);
      if (pathParameters(operation.path).length === 0) demandOwnBody(operation, input);
    },
  };
}

function foreign(operation: Operation, name: string, path: RequestInput['path']): NotReached {
  return withheld(operation, `${name} ${path?.[name]} is no record of this run`);
}

function withheld({ id }: Operation, reason: string): NotReached {
  return new NotReached(`it needs ${id}, which is withheld: ${reason}`, 'withheld', optionFor('--allow', id));
}
