import { readMoment } from '../session.ts';
import { type Delay, LONGEST_DELAY, readDelay } from './delay.ts';
import { problemText, type RuledDocument, readRule } from './read-rule.ts';
import { bookOf, type Rule, roomProblem } from './rules.ts';

/** What a seed file says beside records: of the session that it is for. */
export interface SeedSettings {
  /** In their order: of two that match the later wins. */
  readonly rules: readonly Rule[];
  /** Undefined: it says nothing of it. */
  readonly latency: Delay | undefined;
  /** The clock, in milliseconds since 1970; undefined: it says nothing of it. */
  readonly now: number | undefined;
}

interface ReadSeedSettings extends SeedSettings {
  /**
   * Reads a member of one file; problems are reported at paths that begin with its name. False: there is none of this name.
   */
  read(name: string, value: unknown, report: (path: readonly string[], message: string) => void): boolean;
}

/** Collects the settings of seed files, in the order of the files. */
export function createSeedSettings(document: RuledDocument): ReadSeedSettings {
  const rules: Rule[] = [];
  let latency: Delay | undefined;
  let now: number | undefined;
  return {
    rules,
    get latency() {
      return latency;
    },
    get now() {
      return now;
    },
    read(name, value, report) {
      if (name === 'rules') readRules(value, report);
      else if (name === 'latency') {
        const isText = typeof value === 'string' || typeof value === 'number';
        latency = isText ? readDelay(String(value)) : undefined;
        if (!latency)
          report(
            [name],
            `"latency" must be milliseconds up to ${LONGEST_DELAY}, or a range such as "50-150"`,
          );
      } else if (name === 'now') {
        now = typeof value === 'string' ? readMoment(value) : undefined;
        if (now === undefined)
          report([name], '"now" must be a date such as "2030-12-06" or "2030-12-06T12:00:00Z"');
      } else return false;
      return true;
    },
  };

  function readRules(value: unknown, report: (path: readonly string[], message: string) => void): void {
    if (!Array.isArray(value)) {
      report(['rules'], '"rules" must be a list of rules such as {operation: ID, status: 503}');
      return;
    }
    for (const [index, item] of value.entries()) {
      const read = readRule(item, document);
      const at = ['rules', String(index)];
      if ('problems' in read)
        for (const problem of read.problems) report([...at, ...problem.path], problemText(problem));
      else rules.push(read.rule);
    }
    const refused = roomProblem(bookOf(rules));
    if (refused !== undefined) report(['rules'], refused);
  }
}
