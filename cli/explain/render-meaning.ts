import {
  type Contract,
  type FactBasis,
  keyOf,
  meaningOf,
  type Operation,
  placeOf,
  showPlace,
  toPointer,
  unknownParameters,
} from '#spec';
import { type Fact, factsAt, inFlow } from '#whole-document';
import { widest } from '../terminal.ts';

/** One fact on its own line. */
interface Line {
  readonly name: string;
  readonly value: string;
  /** Undefined: it has no basis. */
  readonly basis: FactBasis | undefined;
}

/**
 * The meaning of a document: a block for each operation and collection, a line for each fact with its certainty, signs and
 * places.
 * @param steps the mock's steps, by operation id
 * @param mark marks facts that never gate
 */
export function renderMeaning(
  contract: Contract,
  steps: ReadonlyMap<string, readonly string[]>,
  mark: (text: string) => string,
): string {
  const explained = meaningOf(contract);
  const { meaning, bases } = explained;
  const blocks = [
    ...contract.operations.map((operation) => {
      const key = keyOf(operation);
      const { does, of } = meaning.operations[key] ?? { does: 'none' };
      const facts = factsAt(explained, ['operations', key]);
      const role = does === 'none' ? 'nothing that is known: a sample of its response' : (of ?? '');
      const lines = [
        { name: does, value: role, basis: bases.get(toPointer(['operations', key, 'does'])) },
        ...linesOf(facts.filter(({ path: [name] }) => name !== 'does' && name !== 'of')),
        ...ignored(unknownParameters(operation, meaning.operations[key] ?? { does })),
        { name: 'steps', value: (steps.get(operation.id) ?? []).join(' > '), basis: undefined },
      ];
      return { head: headOf(operation, key), lines };
    }),
    ...Object.entries(meaning.collections).map(([path, { record }]) => ({
      head: `records of ${path}  ${record ?? ''}`,
      lines: linesOf(factsAt(explained, ['collections', path]).filter((fact) => fact.path[0] !== 'record')),
    })),
  ];
  const render = (lines: readonly Line[]) => {
    const names = widest(lines.map(({ name }) => name));
    const values = Math.min(WIDEST, widest(lines.flatMap(({ value, basis }) => (basis ? [value] : []))));
    return lines.map(({ name, value, basis }) => {
      const why = basis ? showBasis(basis) : '';
      const text = `  ${name.padEnd(names)}  ${value.padEnd(values)}  ${why}`.trimEnd();
      return name === 'steps' || basis?.certainty === 'promised' ? text : mark(text);
    });
  };
  const title = `${contract.title} ${contract.version}`.trim();
  return `${[title, ...blocks.map(({ head, lines }) => [head, ...render(lines)].join('\n'))].join('\n\n')}\n`;
}

/** Longer values move their basis to the right. */
const WIDEST = 40;

function headOf({ id, spot }: Operation, key: string): string {
  return `${key}${id === key ? '' : `  (${id})`}  ${showPlace(placeOf(spot))}`;
}

const linesOf = (facts: readonly Fact[]): Line[] =>
  facts.map(({ path, value, basis }) => ({ name: path.join(' '), value: textOf(value), basis }));

const textOf = (value: unknown) => (typeof value === 'string' ? value : inFlow(value));

function ignored(names: readonly string[]): Line[] {
  return names.length === 0 ? [] : [{ name: 'ignored', value: names.join(', '), basis: undefined }];
}

function showBasis({ certainty, signs, because, insteadOf }: FactBasis): string {
  const others = insteadOf === undefined ? '' : `  instead of ${insteadOf}`;
  return `${certainty.padEnd(8)}  ${signs.join(', ').padEnd(19)}  ${because.join(', ')}${others}`;
}
