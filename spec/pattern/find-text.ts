import { isEdge, isWord, type State } from './automaton.ts';
import type { Pattern } from './pattern.ts';
import { LARGEST, type Lookaround, type Program, programOf, USUAL } from './program.ts';

/** The constraints on a text. */
export interface WantedText {
  /** All of these must match. */
  readonly patterns: readonly Pattern[];
  /** None of these may match. */
  readonly not: readonly Pattern[];
  /** In code points. */
  readonly min: number;
  readonly max: number;
}

/**
 * Finds a text that several expressions match at once, including look-arounds and back references. The search follows
 * the expressions in parallel unit by unit, and backtracks where no unit fits all of them.
 * @param next returns a number in [0, 1) to choose between texts
 * @param steps the limit of the search; longer texts take more steps
 * @returns undefined if no text was found
 */
export function findText(wanted: WantedText, next: () => number, steps: number): string | undefined {
  const programs = wanted.patterns.map(programOf);
  const unwanted = wanted.not.map(programOf);
  if (wanted.min > wanted.max || programs.includes(undefined)) return undefined;
  const search = new Search(wanted, [...programs, ...unwanted].filter(isDefined), next);
  return search.run(
    programs.filter(isDefined),
    unwanted.filter(isDefined),
    steps + STEPS_A_UNIT * wanted.min,
  );
}

const STEPS_A_UNIT = 10;

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/** One path through an expression. */
interface Thread {
  readonly program: Program;
  readonly state: number;
  /** The number of units already consumed from a back reference. */
  readonly offset: number;
  /** The start of each referenced group, and its text once it has ended. */
  readonly groups: ReadonlyMap<number, Group>;
}

interface Group {
  readonly begin: number;
  readonly units?: readonly number[];
}

const NO_GROUPS: Thread['groups'] = new Map();

const threadAt = (program: Program, state: number, groups = NO_GROUPS): Thread => ({
  program,
  state,
  groups,
  offset: 0,
});

/** A text as a linked list from its last unit to the first. */
interface Cell {
  readonly unit: number;
  readonly before: Cell | undefined;
}

/** A partial text, and the constraints on the rest. */
interface Node {
  readonly text: Cell | undefined;
  readonly length: number;
  /** Each must match to the end; these have not been advanced to a unit yet. */
  readonly threads: readonly Thread[];
  /** Those that wait for a unit. */
  readonly takers: readonly Thread[];
  /** None of these may match to the end. */
  readonly shunned: readonly Thread[];
  /** The threads of look-behinds that started at any earlier position. */
  readonly behind: ReadonlyMap<Lookaround, readonly Thread[]>;
  /** Whether the text must end here. */
  readonly ends: boolean;
  /** Whether the next unit must be a word character; undefined: either. */
  readonly word: boolean | undefined;
  /** The choices since the last unit, to stop a repetition of nothing. */
  readonly passed: readonly string[];
  /** The units to try next, in a circle; undefined: not computed yet. */
  readonly choice?: { readonly units: readonly number[]; readonly from: number; readonly tried: number };
}

/** The next unit is not known yet. */
const UNKNOWN = -1;

class Search {
  readonly #wanted: WantedText;
  readonly #next: () => number;
  readonly #pool: readonly number[];
  /** The length up to which repetitions usually continue. */
  readonly #usual: number;
  /** By the remaining constraints, the number of further units that was tried without success. */
  readonly #tried = new Map<string, number>();
  readonly #choices = new Map<string, readonly number[]>();
  readonly #ids = new Map<object, number>();

  constructor(wanted: WantedText, programs: readonly Program[], next: () => number) {
    this.#wanted = wanted;
    this.#next = next;
    // Without the flag `u`, characters beyond are two units.
    const largest = programs.every(({ unicode }) => unicode) ? LARGEST : 0xffff;
    const pool = new Set([...USUAL, ...programs.flatMap(({ units }) => units)]);
    this.#pool = [...pool].filter((unit) => unit <= largest);
    this.#usual = Math.min(wanted.max, wanted.min + 3 + Math.floor(next() * 8));
  }

  run(programs: readonly Program[], unwanted: readonly Program[], steps: number): string | undefined {
    const [threads, shunned] = [programs, unwanted].map((some) =>
      some.map((program) => threadAt(program, program.start)),
    );
    const text = { text: undefined, length: 0, threads: threads ?? [], shunned: shunned ?? [] };
    const stack: Node[] = [
      { ...text, takers: [], behind: new Map(), ends: false, word: undefined, passed: [] },
    ];
    for (let step = 0; step < steps; step++) {
      const node = stack.pop();
      if (!node) return undefined;
      const [thread, ...threads] = node.threads;
      if (thread) this.#lead(thread, { ...node, threads }, stack);
      else if (node.choice) this.#take(node, node.choice, stack);
      else {
        const solution = this.#end(node);
        if (solution !== undefined) return solution;
        if (!node.ends && node.length < this.#wanted.max)
          stack.push({ ...node, choice: this.#choiceFor(node) });
      }
    }
    return undefined;
  }

  /** Advances a thread to the unit that it consumes next. At a choice, the second alternative is put on the stack. */
  #lead(thread: Thread, node: Node, stack: Node[]): void {
    const { program, groups, offset } = thread;
    const state = program.states[thread.state] as State;
    if (node.length + (program.distances[thread.state] ?? 0) > this.#wanted.max) return;
    const goOn = (state: number, change: Partial<Node> = {}, now = groups) =>
      stack.push({ ...node, ...change, threads: [threadAt(program, state, now), ...node.threads] });
    switch (state.kind) {
      case 'end':
        stack.push(node);
        return;
      case 'one':
        stack.push({ ...node, takers: [...node.takers, thread] });
        return;
      case 'back':
        if (offset < (groups.get(state.group)?.units?.length ?? 0))
          stack.push({ ...node, takers: [...node.takers, thread] });
        else goOn(state.next);
        return;
      case 'open':
      case 'close':
        goOn(state.next, {}, grouped(groups, state, node.text, node.length));
        return;
      case 'split': {
        const place = `${this.#idOf(program)} ${thread.state}`;
        // Other threads of this expression may each pass here once.
        if (node.passed.filter((passed) => passed === place).length > MOST_PASSED) return;
        const passed = [...node.passed, place];
        const isFirst = this.#next() < (node.length < this.#usual ? 0.7 : 0.2);
        goOn(isFirst ? state.right : state.left, { passed });
        goOn(isFirst ? state.left : state.right, { passed });
        return;
      }
      case 'assert': {
        const before = node.text?.unit;
        if (state.edge === 'end') goOn(state.next, { ends: true });
        else if (state.edge === 'start') {
          if (before === undefined) goOn(state.next);
        } else {
          const word = isWord(before) !== (state.edge === 'word');
          if (node.word === undefined || node.word === word) goOn(state.next, { word });
        }
        return;
      }
      case 'look': {
        const look = program.lookarounds[state.lookaround] as Lookaround;
        const inner = threadAt(program, look.start, groups);
        if (!look.ahead) {
          const threads = node.behind.get(look) ?? [];
          if (this.#reach([...threads, inner], node, UNKNOWN).ended !== state.negate) goOn(state.next);
        } else if (state.negate) goOn(state.next, { shunned: [...node.shunned, inner] });
        else
          stack.push({ ...node, threads: [threadAt(program, state.next, groups), inner, ...node.threads] });
      }
    }
  }

  /** The text, if it may end here. */
  #end(node: Node): string | undefined {
    const { takers, word, length, shunned } = node;
    if (takers.length > 0 || word === true || length < this.#wanted.min) return undefined;
    if (this.#reach(shunned, node, undefined).ended) return undefined;
    const text = lastUnits(node.text, length)
      .map((unit) => String.fromCodePoint(unit))
      .join('');
    const { patterns, not } = this.#wanted;
    return patterns.every(({ test }) => test(text)) && !not.some(({ test }) => test(text)) ? text : undefined;
  }

  /** Tries one unit, and puts the others on the stack. */
  #take(node: Node, choice: NonNullable<Node['choice']>, stack: Node[]): void {
    const { units, from, tried } = choice;
    const unit = units[(from + tried) % units.length];
    if (unit === undefined) return;
    if (tried + 1 < units.length) stack.push({ ...node, choice: { ...choice, tried: tried + 1 } });
    const shunned = this.#reach(node.shunned, node, unit);
    if (shunned.ended) return;
    const length = node.length + 1;
    const after = (threads: readonly Thread[]) =>
      this.#distinct(threads.flatMap((thread) => passedUnit(thread, unit)));
    const next: Node = {
      text: { unit, before: node.text },
      length,
      threads: node.takers.flatMap((taker) => passedUnit(taker, unit)),
      takers: [],
      shunned: after(shunned.takers),
      behind: this.#behindAfter(node, unit, after),
      ends: false,
      word: undefined,
      passed: [],
    };
    const left = this.#wanted.max - length;
    const key = this.#keyOf(next);
    if ((this.#tried.get(key) ?? -1) >= left) return;
    this.#tried.set(key, left);
    stack.push(next);
  }

  #behindAfter(node: Node, unit: number, after: (threads: readonly Thread[]) => Thread[]): Node['behind'] {
    const programs = new Set([...node.takers, ...node.shunned].map(({ program }) => program));
    const looks = [...programs].flatMap((program) =>
      program.lookarounds.filter(({ ahead }) => !ahead).map((look) => [program, look] as const),
    );
    return new Map(
      looks.map(([program, look]) => {
        const begun = [...(node.behind.get(look) ?? []), threadAt(program, look.start)];
        return [look, after(this.#reach(begun, node, unit).takers)];
      }),
    );
  }

  /** Follows all paths of some threads up to a unit or the end, assuming that look-arounds inside them hold. */
  #reach(
    threads: readonly Thread[],
    node: Node,
    after: number | undefined,
  ): { takers: Thread[]; ended: boolean } {
    const takers: Thread[] = [];
    const seen = new Set<string>();
    const open = [...threads];
    let ended = false;
    for (let thread = open.pop(); thread; thread = open.pop()) {
      const key = this.#threadKey(thread, node.length);
      if (seen.has(key)) continue;
      seen.add(key);
      const { program, groups, offset } = thread;
      const state = program.states[thread.state] as State;
      const goOn = (next: number, now = groups) => open.push(threadAt(program, next, now));
      if (state.kind === 'end') ended = true;
      else if (state.kind === 'split') {
        goOn(state.left);
        goOn(state.right);
      } else if (state.kind === 'open' || state.kind === 'close')
        goOn(state.next, grouped(groups, state, node.text, node.length));
      else if (state.kind === 'assert') {
        const isUnknown = after === UNKNOWN && state.edge !== 'start';
        if (isUnknown || isEdge(state.edge, node.text?.unit, after)) goOn(state.next);
      } else if (state.kind === 'look') goOn(state.next);
      else if (state.kind === 'back' && offset >= (groups.get(state.group)?.units?.length ?? 0))
        goOn(state.next);
      else takers.push(thread);
    }
    return { takers, ended };
  }

  #choiceFor({ takers, word, shunned, behind }: Node): NonNullable<Node['choice']> {
    const takes = takers.map(({ program, state, groups, offset }) => {
      const taker = program.states[state];
      if (taker?.kind === 'one') return taker.is;
      return (taker?.kind === 'back' && groups.get(taker.group)?.units?.[offset]) || 0;
    });
    const key = `${word} ${takes.map((one) => (typeof one === 'number' ? one : `m${this.#idOf(one)}`)).sort()}`;
    let units = this.#choices.get(key);
    if (!units) {
      const fits = (unit: number) =>
        (word === undefined || isWord(unit) === word) &&
        takes.every((one) => (typeof one === 'number' ? unit === one : one(unit)));
      units = this.#pool.filter(fits);
      this.#choices.set(key, units);
    }
    const other = units.findIndex((unit) => !isWord(unit));
    // Letters and digits are first; where anything is allowed, lower-case letters.
    const among = other > 0 ? other : units.length;
    const from = Math.floor(this.#next() * (units.includes(SPACE) ? Math.min(among, LETTERS) : among));
    const isSame = shunned.length + behind.size === 0 && takers.every(({ groups }) => groups.size === 0);
    if (!isSame) return { units, from, tried: 0 };
    // The rest of the text does not depend on which letter is chosen, so one letter and one other character suffice.
    const [first, second] = [units[from], units[other]];
    return { units: [first, ...(other > 0 ? [second] : [])].filter(isDefined), from: 0, tried: 0 };
  }

  #distinct(threads: readonly Thread[]): Thread[] {
    return [...new Map(threads.map((thread) => [this.#threadKey(thread, 0), thread])).values()];
  }

  #keyOf({ length, text, threads, shunned, behind }: Node): string {
    const keys = (some: readonly Thread[]) =>
      some
        .map((thread) => this.#threadKey(thread, length))
        .sort()
        .join();
    const looked = [...behind].map(([look, some]) => `${this.#idOf(look)}:${keys(some)}`);
    const needed = Math.max(0, this.#wanted.min - length);
    return `${needed} ${isWord(text?.unit)} ${keys(threads)} ${keys(shunned)} ${looked}`;
  }

  #threadKey({ program, state, offset, groups }: Thread, length: number): string {
    const texts = [...groups].map(([number, { begin, units }]) => `${number}=${units ?? length - begin}`);
    return `${this.#idOf(program)}.${state}.${offset}${texts.length > 0 ? `(${texts})` : ''}`;
  }

  #idOf(one: object): number {
    const id = this.#ids.get(one) ?? this.#ids.size;
    this.#ids.set(one, id);
    return id;
  }
}

/** Other threads of the same expression may make the same choice at the same unit. */
const MOST_PASSED = 3;

const SPACE = 0x20;
const LETTERS = 26;

/** The thread after a unit; none if it does not accept the unit. */
function passedUnit({ program, state: index, offset, groups }: Thread, unit: number): Thread[] {
  const state = program.states[index] as State;
  if (state.kind === 'one') return state.is(unit) ? [threadAt(program, state.next, groups)] : [];
  const isNext = state.kind === 'back' && groups.get(state.group)?.units?.[offset] === unit;
  return isNext ? [{ program, state: index, offset: offset + 1, groups }] : [];
}

function grouped(
  groups: Thread['groups'],
  { kind, group }: Extract<State, { group: number }>,
  text: Cell | undefined,
  length: number,
): Thread['groups'] {
  const changed = new Map(groups);
  if (kind === 'open') return changed.set(group, { begin: length });
  const begin = groups.get(group)?.begin ?? length;
  return changed.set(group, { begin, units: lastUnits(text, length - begin) });
}

function lastUnits(text: Cell | undefined, count: number): number[] {
  const units: number[] = [];
  for (let cell = text; cell && units.length < count; cell = cell.before) units.push(cell.unit);
  return units.reverse();
}
