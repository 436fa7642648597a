import type { Observation } from '../laws/finding.ts';

/** Observations of one operation that answer one question. */
export interface ObservationGroup {
  readonly operationId: string;
  readonly text: string;
}

/** Several cases may ask one question: their observations are one line, with each answer and how many cases got it. */
export function groupObservations(observations: readonly Observation[]): ObservationGroup[] {
  const groups = Map.groupBy(observations, ({ operationId, question, text }) =>
    JSON.stringify([operationId, question ?? text]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (!first) return [];
    const { operationId, text, question } = first;
    if (others.length === 0) return { operationId, text };
    if (question === undefined) return { operationId, text: `${text} (${group.length} cases)` };
    const answers = Map.groupBy(group, ({ answer }) => answer ?? '');
    const told = [...answers].map(([answer, own]) => `${answer} (${casesOf(own.length)})`);
    return { operationId, text: `${question}: ${told.join(', ')}, such as ${text}` };
  });
}

function casesOf(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}
