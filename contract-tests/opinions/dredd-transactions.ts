import { explicitStatuses } from '#spec';
import type { Recorded } from '../run/traffic.ts';
import { jsonOf } from '../send/response.ts';
import type { RecordedRun } from './judgement.ts';

/** Exchanges for Dredd, by the transaction that each stands for: `GET /things 200`. */
export type Transactions = ReadonlyMap<string, Recorded>;

/** For each operation and status an exchange that the suite finds fault with, else the one that shows most. */
export function chooseTransactions({ contract, traffic, results }: RecordedRun): Transactions {
  const chosen = new Map<string, Recorded>();
  for (const operation of contract.operations) {
    for (const status of explicitStatuses(operation.responses)) {
      const own = results.filter(({ case: one }) => one.operation === operation && one.status === status);
      const ids = new Set(own.map(({ case: one }) => one.id));
      const entries = (traffic?.entries ?? []).filter(
        (entry) => entry.operation === operation && ids.has(entry.caseId),
      );
      const blamed = new Set(
        own.flatMap(({ findings }) => findings.map(({ exchange }) => exchange.response)),
      );
      const exchange = entries.find(({ response }) => blamed.has(response)) ?? richest(entries, status);
      if (exchange) chosen.set(`${operation.method} ${operation.path} ${status}`, exchange);
    }
  }
  return chosen;
}

/** Dredd takes the document's example for the rule: a body with more members is more like it. */
function richest(entries: readonly Recorded[], status: number): Recorded | undefined {
  const size = ({ response }: Recorded) => {
    const body = jsonOf(response);
    return Object.keys(Object(Array.isArray(body) ? body[0] : body)).length;
  };
  // The sort is stable: of equal ones the first.
  return entries
    .filter(({ response }) => response.status === status)
    .toSorted((a, b) => size(b) - size(a))[0];
}
