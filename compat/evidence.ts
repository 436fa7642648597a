import type { Finding } from '#contract-tests';
import { compileRequestReader, responseFor, uniqueMembers } from '#spec';
import { type Address, atNew } from './address.ts';
import { sharedRecords } from './affected.ts';
import type { Contracts } from './contracts.ts';
import { isCredential, rawOf, type Sent } from './draft.ts';
import { isAboutOneResponse } from './fresh-breaks.ts';
import type { LostRecords } from './lost-records.ts';
import type { Pair } from './pair.ts';
import { wasReadToTheEnd } from './read-whole.ts';

/**
 * Tells what the document of NEW is the reason for from what its mock made of things that the document leaves open: where
 * records are kept, which values are taken, what a credential looks like.
 */
export function compileEvidence(
  contracts: Contracts,
  pairs: readonly Pair[],
  lost: LostRecords,
  address: Address,
): (finding: Finding) => boolean {
  const byId = new Map(pairs.map((pair) => [pair.old.id, pair]));
  const groups = sharedRecords(contracts.new);

  /** Values that no two records share, as NEW states and not only suggests. */
  function statesUnique({ new: next }: Pair): boolean {
    return contracts.new.resources.some(
      (resource, index) =>
        next &&
        groups[index]?.includes(next) &&
        uniqueMembers(resource).some(({ sign }) => sign === 'x-unique'),
    );
  }

  function isOfCredential({ old, new: next }: Pair, { exchange: { request } }: Finding): boolean {
    if (!next) return false;
    const path = request.url.pathname.slice(address.basePath.length);
    const sent: Sent = {
      method: old.method,
      path,
      query: request.url.search.slice(1),
      headers: request.headers,
      body: request.body,
    };
    const read = compileRequestReader(next, contracts.new.validators);
    const { violations } = read(rawOf(next, atNew(address, sent)));
    const requirement = old.security.flat();
    return violations.length > 0 && violations.every((one) => isCredential(requirement, one));
  }

  /** Where the mock of NEW has made a response of less than the document says. */
  function wasRead({ new: next }: Pair, { exchange: { response } }: Finding): boolean {
    const content = (next && responseFor(next.responses, response.status)?.content) ?? [];
    return content.every(({ schema }) => !schema || wasReadToTheEnd(contracts.new, [schema]));
  }

  return (finding) => {
    const { law, operationId, exchange } = finding;
    const [pair, owner] = [byId.get(exchange.operation.id), byId.get(operationId)];
    if (!pair || pair.isOver) return false;
    if (!isAboutOneResponse(law) && (lost.has(pair.old.id) || (owner && lost.has(owner.old.id))))
      return false;
    const { status } = exchange.response;
    if (law === 'schema' && !wasRead(pair, finding)) return false;
    if (status === 409 && law === 'status' && !statesUnique(pair)) return false;
    return !(status >= 400 && isOfCredential(pair, finding));
  };
}
