import { problemText, type RuledDocument, readRule } from './read-rule.ts';
import { bookOf, type Rule, roomProblem } from './rules.ts';

/** The rules that every session of a mock begins with, collected from seed files. */
interface FirstRules {
  /** In the order of the files. */
  readonly rules: readonly Rule[];
  /** Reads the list of one file; problems are reported at paths that begin with `rules`. */
  read(value: unknown, report: (path: readonly string[], message: string) => void): void;
}

export function createFirstRules(document: RuledDocument): FirstRules {
  const rules: Rule[] = [];
  return {
    rules,
    read(value, report) {
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
    },
  };
}
