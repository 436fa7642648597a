import { type Delay, LONGEST_DELAY, readDelay, readMoment } from './delay.ts';
import { problemText, type RuledDocument, readRule } from './read-rule.ts';
import { NO_RULES, type Rule, type RuleForm, replacedBook, roomProblem } from './rules.ts';

/** Members of a seed file, scenario or state beside the records; absent ones have their initial value. */
export interface SettingsForm {
  /** In order: of two that match, the later wins. */
  readonly rules?: readonly RuleForm[];
  /** Milliseconds, or a range such as `50-150`. */
  readonly latency?: number | string;
  /** The clock, RFC 3339. */
  readonly now?: string;
}

export interface SeedSettings {
  /** In order: of two that match, the later wins. */
  readonly rules?: readonly Rule[];
  readonly latency?: Delay;
  /** The clock, in milliseconds since 1970. */
  readonly now?: number;
}

type Report = (path: readonly string[], message: string) => void;

/** Collects the settings of files, in order. `read` returns false for other members. */
export function createSeedSettings(document: RuledDocument) {
  const settings: { rules?: Rule[]; latency?: Delay; now?: number } = {};

  function readRules(value: unknown, report: Report): void {
    if (!Array.isArray(value)) {
      report(['rules'], '"rules" must be a list of rules such as {operation: ID, status: 503}');
      return;
    }
    settings.rules ??= [];
    for (const [index, item] of value.entries()) {
      const read = readRule(item, document);
      const at = ['rules', String(index)];
      if ('problems' in read)
        for (const problem of read.problems) report([...at, ...problem.path], problemText(problem));
      else settings.rules.push(read.rule);
    }
    const refused = roomProblem(replacedBook(NO_RULES, settings.rules));
    if (refused !== undefined) report(['rules'], refused);
  }

  function read(name: string, value: unknown, report: Report): boolean {
    if (name === 'rules') readRules(value, report);
    else if (name === 'latency') {
      const latency =
        typeof value === 'string' || typeof value === 'number' ? readDelay(String(value)) : undefined;
      if (latency) settings.latency = latency;
      else
        report([name], `"latency" must be milliseconds up to ${LONGEST_DELAY}, or a range such as "50-150"`);
    } else if (name === 'now') {
      const now = typeof value === 'string' ? readMoment(value) : undefined;
      if (now !== undefined) settings.now = now;
      else report([name], '"now" must be a date such as "2030-12-06" or "2030-12-06T12:00:00Z"');
    } else return false;
    return true;
  }

  return { settings: settings as SeedSettings, read };
}
