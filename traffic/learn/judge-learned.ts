import { observe } from '#observe';
import type { Contract } from '#spec';
import { observedOf, type RecordedExchange } from '../har/recorded-exchange.ts';

/** What the traffic still breaks of what was learned of it. */
export interface Judged {
  readonly findings: readonly {
    readonly caseId: string;
    readonly received: string;
    readonly documented: string;
  }[];
  /** Parameters whose names promise what the service does not do: `GET /pets: query parameter limit`. */
  readonly refuted: readonly string[];
}

/** Laws about what a parameter of a list does, which follows from its name and its type. */
const OF_PARAMETERS = new Set(['page-size', 'page-default', 'filter', 'order', 'bounds', 'search']);

/** Judges traffic by the document, or by the document with the overlay, that was learned of it. */
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
      const query = operation?.parameters.filter((one) => one.in === 'query') ?? [];
      const words = new Set(`${documented} ${received}`.split(/[^\w.[\]-]+/));
      const named = query.filter(({ name }) => words.has(name));
      const meant = named.length > 0 ? named : query;
      return meant.map(({ name }) => `${operation?.method} ${operation?.path}: query parameter ${name}`);
    });
  return { findings: exitCode === 1 ? findings : [], refuted: [...new Set(refuted)] };
}
