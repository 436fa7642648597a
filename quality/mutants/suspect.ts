import { fileURLToPath } from 'node:url';
import { type LawName, REPORTED_ONLY } from '../../contract-tests/laws/law.ts';
import type { CheckOptions } from '../../contract-tests/settings/check-options.ts';

/** A running service on a loopback port. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** A service that the suite is tested with. */
export interface Suspect {
  readonly name: string;
  /** Its fault, or its difference, as a sentence. */
  readonly says: string;
  /** The document that it is checked against. */
  readonly document: string;
  readonly start: () => Promise<Target>;
  /** Options of the check that differ from the common ones. */
  readonly options?: Partial<CheckOptions>;
}

/** A service with one fault. */
export interface Mutant extends Suspect {
  /** It must violate at least one of these rules. Empty: it only prevents coverage. */
  readonly breaks: readonly LawName[];
  /** 1, unless a fault of the environment is no finding; 0 if its rule does not gate. */
  readonly exitCode: 0 | 1 | 3 | 4;
}

/** A correct service that differs from others where the document leaves a choice. */
export interface Lookalike extends Suspect {
  /** 4: it needs values that the document does not contain, but has no findings. */
  readonly exitCode: 0 | 4;
}

/** A correct service to plant faults in: the hand-written Pet Store, or the mock of any document. */
export interface Service<Fault> extends Pick<Suspect, 'document' | 'options'> {
  start(fault: Fault): Promise<Target>;
}

/** A service whose faults are created from values. Each start creates a new fault, since some have state. */
export function using<Fault, Value>(
  service: Service<Fault>,
  primitive: (value: Value) => Fault,
): Service<Value> {
  return { ...service, start: (value) => service.start(primitive(value)) };
}

/** Runs only the cases that match this pattern. */
export const only = <Fault>(service: Service<Fault>, pattern: string): Service<Fault> => ({
  ...service,
  options: { only: pattern },
});

export const SHIPPED_DOCUMENT = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));

/** The rules that a mutant violates or, if it violates none, the exit code of a check without a verdict. */
export type Breaks = LawName | readonly LawName[] | 3 | 4;

/** One suspect: its fault or difference as a sentence, and the fault or the value that it is created from. */
type Row<Fault> = readonly [says: string, fault: Fault];
type MutantRow<Fault> = Row<Fault> | readonly [says: string, breaks: Breaks, fault: Fault];
/** By name. */
type Table<Of> = Readonly<Record<string, Of>>;

/** A table of mutants. Rows without rules of their own violate those of the table. */
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

/** Rules that are only reported gate with `strict: statuses`. */
const exitCodeOf = (laws: readonly LawName[], { options }: Pick<Suspect, 'options'>) =>
  laws.every((law) => REPORTED_ONLY.has(law)) && !options?.strict?.includes('statuses') ? 0 : 1;

/** Faults for any place, by phrase: the change, and the rules it violates if they differ from those of the table. */
export type Operators<Change> = Readonly<
  Record<string, readonly [change: Change] | readonly [breaks: Breaks, change: Change]>
>;

/** A place for operators, such as an operation or the records of a document. Without phrases, all operators apply. */
type Place<Change> = readonly [prefix: string, service: Service<Change>, phrases?: readonly string[]];

/** Operators named after their values: statuses, types. */
export const named = <Value extends string | number>(values: readonly Value[]): Operators<Value> =>
  Object.fromEntries(values.map((value) => [String(value), [value]]));

/** All combinations of operators and places. */
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

/** All combinations of differences, by phrase, and places. */
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
