import { explicitStatuses } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { Run } from '../run/run.ts';
import type { Recorded } from '../run/traffic.ts';
import { jsonOf } from '../send/response.ts';

/** Exchanges for Dredd to judge, by the row that each was to be of the kind of: `GET /things 200`. */
export type Sheet = ReadonlyMap<string, Recorded>;

/** For each cell the exchange to be judged: one that the suite finds fault with, else one that shows most. */
export function chooseRows(run: Run, results: readonly CaseResult[]): Sheet {
  const chosen = new Map<string, Recorded>();
  for (const operation of run.contract.operations) {
    for (const status of explicitStatuses(operation.responses)) {
      const own = results.filter(({ case: one }) => one.operation === operation && one.status === status);
      const ids = new Set(own.map(({ case: one }) => one.id));
      const entries = (run.traffic?.entries ?? []).filter(
        (entry) => entry.operation === operation && ids.has(entry.caseId),
      );
      const blamed = new Set(
        own.flatMap(({ findings }) => findings.map(({ exchange }) => exchange.response)),
      );
      const faulty = entries.find(({ response: answer }) => blamed.has(answer));
      const entry = faulty ?? richest(entries, status);
      if (entry) chosen.set(`${operation.method} ${operation.path} ${status}`, entry);
    }
  }
  return chosen;
}

/** Dredd takes the document's example for the rule: what has more members is more like it. */
function richest(entries: readonly Recorded[], status: number): Recorded | undefined {
  const size = ({ response: answer }: Recorded) => {
    const body = jsonOf(answer);
    const shown = Array.isArray(body) ? body[0] : body;
    return Object.keys(Object(shown)).length;
  };
  return entries
    .filter(({ response: answer }) => answer.status === status)
    .reduce<Recorded | undefined>((best, one) => (best && size(best) >= size(one) ? best : one), undefined);
}
