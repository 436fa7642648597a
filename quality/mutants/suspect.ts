import { fileURLToPath } from 'node:url';
import { type LawName, REPORTED_ONLY } from '../../contract-tests/laws/law.ts';
import type { CheckOptions } from '../../contract-tests/settings/check-options.ts';

/** A running service on a loopback port. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** A service that the suite is run against. */
export interface Suspect {
  readonly name: string;
  /** What is wrong with it, or how it differs, in a sentence. */
  readonly says: string;
  /** The document that it is checked against. */
  readonly document: string;
  readonly start: () => Promise<Target>;
  /** The options of the check, where they are not those of all suspects. */
  readonly options?: Partial<CheckOptions>;
}

/** A service with one fault. */
export interface Mutant extends Suspect {
  /** It must break at least one of these laws. Empty: it only keeps cells from being reached. */
  readonly breaks: readonly LawName[];
  /** 1, except where a fault of the environment is no finding, and 0 where its law decides nothing. */
  readonly exitCode: 0 | 1 | 3 | 4;
}

/** A service that differs in what the document leaves open, and keeps the contract. */
export interface Lookalike extends Suspect {
  /** 4: it asks for what nobody can know of the document alone, and is accused of nothing. */
  readonly exitCode: 0 | 4;
}

/** A correct service in which faults can be planted: the hand-written Pet Store, or the mock of any document. */
export interface Service<Fault> extends Pick<Suspect, 'document' | 'options'> {
  start(fault: Fault): Promise<Target>;
}

/** A service whose faults are made by a primitive. Each start makes its fault anew: some have a memory. */
export function using<Fault, Value>(
  service: Service<Fault>,
  primitive: (value: Value) => Fault,
): Service<Value> {
  return { ...service, start: (value) => service.start(primitive(value)) };
}

/** Only the cases of this pattern are run. */
export const only = <Fault>(service: Service<Fault>, pattern: string): Service<Fault> => ({
  ...service,
  options: { only: pattern },
});

export const SHIPPED_DOCUMENT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));

/** The laws that a mutant breaks or, where it breaks none, the exit code of a check that reaches no verdict. */
export type Breaks = LawName | readonly LawName[] | 3 | 4;

/** One suspect: what is wrong or how it differs, and the fault, or what the primitive takes. */
type Row<Fault> = readonly [says: string, fault: Fault];
type MutantRow<Fault> = Row<Fault> | readonly [says: string, breaks: Breaks, fault: Fault];
/** By name. */
type Table<Of> = Readonly<Record<string, Of>>;

/** A table of mutants. Rows that say nothing else break what is given for the table. */
export function mutants<Fault>(
  prefix: string,
  service: Service<Fault>,
  breaks: Breaks,
  rows: Table<MutantRow<NoInfer<Fault>>>,
): Mutant[] {
  return Object.entries(rows).map(([name, row]) => {
    const expected = row.length === 3 ? row[1] : breaks;
    const [exitCode, laws]: readonly [Mutant['exitCode'], readonly LawName[]] =
      typeof expected === 'number'
        ? [expected, []]
        : [exitCodeOf([expected].flat(), service), [expected].flat()];
    return { ...suspect(prefix, service, name, [row[0], row.at(-1) as Fault]), breaks: laws, exitCode };
  });
}

/** What is reported alone counts with `strict: statuses`. */
const exitCodeOf = (laws: readonly LawName[], { options }: Pick<Suspect, 'options'>) =>
  laws.every((law) => REPORTED_ONLY.has(law)) && !options?.strict?.includes('statuses') ? 0 : 1;

/** What goes wrong in any place, by a phrase for it: the change, and what it breaks if that is not the same for all. */
export type Operators<Change> = Readonly<
  Record<string, readonly [change: Change] | readonly [breaks: Breaks, change: Change]>
>;

/** A place for operators, such as an operation or the records of a document. Without phrases it takes all of them. */
type Place<Change> = readonly [prefix: string, service: Service<Change>, phrases?: readonly string[]];

/** Operators that are what they take: statuses, types. */
export const named = <Value extends string | number>(values: readonly Value[]): Operators<Value> =>
  Object.fromEntries(values.map((value) => [String(value), [value]]));

/** Each operator in each place. */
export function product<Change>(
  operators: Operators<Change>,
  breaks: Breaks,
  places: readonly Place<NoInfer<Change>>[],
): Mutant[] {
  return places.flatMap(([prefix, service, phrases = Object.keys(operators)]) => {
    const rows = phrases.map((phrase): [string, MutantRow<Change>] => {
      const operator = operators[phrase];
      if (!operator) throw new Error(`there is no operator "${phrase}"`);
      return [phrase.trim().replaceAll(/\W+/g, '-'), [`${prefix}: ${phrase}`, ...operator]];
    });
    return mutants(prefix, service, breaks, Object.fromEntries(rows));
  });
}

export function lookalikes<Fault>(
  prefix: string,
  service: Service<Fault>,
  rows: Table<Row<NoInfer<Fault>>>,
  exitCode: Lookalike['exitCode'] = 0,
): Lookalike[] {
  return Object.entries(rows).map(([name, row]) => ({ ...suspect(prefix, service, name, row), exitCode }));
}

/** Each difference, by a phrase for it, in each place. */
export function differences<Fault>(
  all: Readonly<Record<string, Fault>>,
  places: readonly Place<NoInfer<Fault>>[],
  exitCode: Lookalike['exitCode'] = 0,
): Lookalike[] {
  const operators = Object.fromEntries(
    Object.entries(all).map(([phrase, fault]) => [phrase, [fault] as const]),
  );
  return product<Fault>(operators, [], places).map((mutant) => ({ ...mutant, exitCode }));
}

function suspect<Fault>(
  prefix: string,
  service: Service<Fault>,
  name: string,
  [says, fault]: Row<Fault>,
): Suspect {
  const { document, options = {} } = service;
  return {
    name: [prefix, name].filter(Boolean).join('-'),
    says,
    document,
    options,
    start: () => service.start(fault),
  };
}
