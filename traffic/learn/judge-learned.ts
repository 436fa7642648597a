import { observe } from '#observe';
import type { Contract } from '#spec';
import { observedOf, type RecordedExchange } from '../har/recorded-exchange.ts';

/** What the traffic still violates of the learned document. */
export interface Judged {
  readonly findings: readonly {
    readonly caseId: string;
    readonly received: string;
    readonly documented: string;
  }[];
  /** Parameters whose names suggest a behaviour that the service does not have: `GET /pets: query parameter limit`. */
  readonly refuted: readonly string[];
}

/** Rules for the effect of list parameters, which is derived from name and type. */
const OF_PARAMETERS = new Set(['page-size', 'page-default', 'filter', 'order', 'bounds', 'search']);

/** Judges traffic by the document, or the document with the overlay, that was learned from it. */
export async function judgeLearned(
  contract: Contract,
  exchanges: AsyncIterable<RecordedExchange>,
  baseUrls: readonly string[] | undefined,
): Promise<Judged> {
  const observer = observe(contract, { baseUrls });
  for await (const exchange of exchanges) {
    const { sent, received } = observedOf(exchange);
    observer.begin(sent).end(received);
  }
  const { exitCode } = observer.report();
  const { findings } = observer;
  const refuted = findings
    .filter(({ law }) => OF_PARAMETERS.has(law))
    .flatMap(({ operationId, documented, received }) => {
      const operation = contract.operations.find(({ id }) => id === operationId);
      const query = operation?.parameters.filter((parameter) => parameter.in === 'query') ?? [];
      const words = new Set(`${documented} ${received}`.split(/[^\w.[\]-]+/));
      const named = query.filter(({ name }) => words.has(name));
      const meant = named.length > 0 ? named : query;
      return meant.map(({ name }) => `${operation?.method} ${operation?.path}: query parameter ${name}`);
    });
  return { findings: exitCode === 1 ? findings : [], refuted: [...new Set(refuted)] };
}
