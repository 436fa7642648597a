import type { Contract } from '#spec';
import type { ClientChange, Comparing } from '../document-changes.ts';

/** A document among those that are served together; the name of a single one is empty. */
export interface NamedDocument {
  readonly name: string;
  readonly contract: Contract;
}

/** What is served, beside the documents that clients were written for: those of the start, or accepted ones. */
export interface BaselineView {
  /** When the baseline was served first, or accepted: RFC 3339, UTC. */
  readonly since: string;
  /** Where the baseline was read, as it was given; absent: the mock has served it. */
  readonly location?: string;
  /** Those that break clients first; at most {@link MOST_LISTED}. */
  readonly changes: readonly ClientChange[];
  /** How many there are of each class. */
  readonly counts: Readonly<Record<ClientChange['class'], number>>;
  /** One for each document that has changed: it runs both versions to find out. */
  readonly commands: readonly string[];
}

export interface Baseline {
  /** Compares what is served from now on with the baseline, and returns what differs from what was served before. */
  moveTo(documents: readonly NamedDocument[]): Promise<readonly ClientChange[]>;
  /** What is served is the baseline from now on. */
  accept(): void;
  view(): BaselineView;
  /** For the log: what may break clients, each as compilers report it, how many changes there are, and how to try them. */
  lines(): string[];
  /** How many changes there are. */
  summary(): string;
  /** The document of this name as the baseline has it. */
  contractOf(name: string): Contract | undefined;
}

interface BaselineOptions extends Comparing {
  readonly now: () => number;
  /**
   * The command that compares a document with its baseline by running; undefined: there is none.
   * @param old where the baseline was read; undefined: the mock has served it
   */
  readonly commandFor: (document: NamedDocument, old: string | undefined) => string | undefined;
}

const MOST_LISTED = 200;

/** A schema may be that of all operations, and each change is sent to all pages. */
const MOST_OPERATIONS = 8;

export function createBaseline(
  served: readonly NamedDocument[],
  { compare, old, now, commandFor }: BaselineOptions,
): Baseline {
  let current = served;
  let baseline = old ? [{ name: '', contract: old.contract }] : served;
  let location = old?.location;
  let since = now();
  let changes: readonly ClientChange[] = [];

  async function differences(before: readonly NamedDocument[], after: readonly NamedDocument[]) {
    const old = new Map(before.map(({ name, contract }) => [name, contract]));
    const found: ClientChange[][] = [];
    for (const { name, contract } of after) {
      const was = old.get(name);
      if (!was || was.document === contract.document) continue;
      const all = await compare(was, contract);
      found.push(
        all.map(({ operations, ...one }) => ({
          ...{ ...one, document: name, operationCount: operations.length },
          operations: operations.slice(0, MOST_OPERATIONS),
        })),
      );
    }
    return CLASSES.flatMap((own) => found.flat().filter((one) => one.class === own));
  }

  function view(): BaselineView {
    const count = (own: ClientChange['class']) => changes.filter((one) => one.class === own).length;
    const changed = new Set(changes.map(({ document }) => document));
    return {
      since: new Date(since).toISOString(),
      ...(location !== undefined && { location }),
      changes: changes.slice(0, MOST_LISTED),
      counts: {
        breaking: count('breaking'),
        warning: count('warning'),
        safe: count('safe'),
        note: count('note'),
      },
      commands: current.flatMap((one) => (changed.has(one.name) ? (commandFor(one, location) ?? []) : [])),
    };
  }

  return {
    view,
    lines: () => linesOf(view()),
    summary: () => summaryOf(view()),
    async moveTo(documents) {
      const [before, first] = [current, baseline];
      current = documents;
      const all = await differences(first, documents);
      // Unless what is served was accepted meanwhile.
      if (baseline === first) changes = all;
      return before === first ? all : differences(before, documents);
    },
    accept() {
      baseline = current;
      location = undefined;
      since = now();
      changes = [];
    },
    contractOf: (wanted) => baseline.find(({ name }) => name === wanted)?.contract,
  };
}

const CLASSES = ['breaking', 'warning', 'safe', 'note'] as const;

/** More are on the console's page. */
const MOST_LOGGED = 20;

function linesOf(view: BaselineView): string[] {
  const { changes, counts, commands } = view;
  const serious = changes.filter((one) => one.class === 'breaking' || one.class === 'warning');
  const lines = serious
    .slice(0, MOST_LOGGED)
    .map((one) => `${one.at}: ${one.class}: ${one.subject}: ${one.text}; ${one.reason}`);
  const more = counts.breaking + counts.warning - lines.length;
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    summaryOf(view),
    ...(counts.breaking + counts.warning > 0 ? commands.map((command) => `to try it: ${command}`) : []),
  ];
}

function summaryOf({ since, location = since, counts }: BaselineView): string {
  return `${countsText(counts)} for clients since ${location}`;
}

function countsText({ breaking, warning, safe, note }: BaselineView['counts']): string {
  const others = safe + note;
  if (breaking + warning + others === 0) return 'no change';
  const parts = [
    `${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}`,
    `${warning} ${warning === 1 ? 'warning' : 'warnings'}`,
    ...(others > 0 ? [`${others} ${others === 1 ? 'other change' : 'other changes'}`] : []),
  ];
  return parts.join(', ');
}
