import { type Operation, type ReadRequest, showPlace } from '#spec';
import type { Observation } from '../../contract-tests/finding.ts';

/** What clients have sent that the document does not describe. It is no fault of the service, unless it takes it. */
export interface ClientFaults {
  add(operation: Operation, read: ReadRequest): void;
  readonly all: readonly Observation[];
}

const MOST = 100;

export function countClientFaults(): ClientFaults {
  const faults = new Map<string, { observation: Observation; times: number }>();

  function note({ id }: Operation, what: string, text: string): void {
    const key = `${id} ${what}`;
    const known = faults.get(key);
    if (known) known.times += 1;
    else if (faults.size < MOST)
      faults.set(key, { observation: { caseId: `${id}/traffic`, operationId: id, text }, times: 1 });
  }

  return {
    add(operation, { violations, unnamed = [] }) {
      for (const { in: place, name, pointer, keyword, expected, at } of violations) {
        const where = place === 'body' ? `the body${withoutIndices(pointer)}` : `${place} ${name}`;
        note(
          operation,
          `${where} ${keyword} ${at.uri}:${at.line}`,
          `${where} ${expected} (${showPlace(at)})`,
        );
      }
      for (const name of unnamed) {
        const shown = name.length <= 40 && !/[\p{Cc}@]/u.test(name) ? `"${name}"` : 'with a long name';
        note(operation, `unnamed ${shown}`, `the document has no query parameter ${shown}`);
      }
    },
    get all() {
      return [...faults.values()].map(({ observation, times }) => ({
        ...observation,
        text: `requests that are not as documented: ${observation.text}${times > 1 ? ` (${times} times)` : ''}`,
      }));
    },
  };
}

/** Items of one list are one fault. */
function withoutIndices(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, '/-');
}
