import { EXIT_CODES, exitCodeLines, type JudgedVerb } from '../exit-codes.ts';
import type { Topic } from './topic.ts';

export const EXIT_CODES_TOPIC: Topic = {
  name: 'exit-codes',
  summary: 'what the exit code of each verb means',
  page() {
    const verbs = Object.keys(EXIT_CODES) as JudgedVerb[];
    return [
      'Of several codes that apply, check takes the first of 2, 3, 1, 4, 0. All other verbs end with 0,',
      'and with 2 for what the user can mend: an option, a file, a port.',
      ...verbs.map((verb) => `\npaddock ${verb}\n${exitCodeLines(verb).join('\n')}`),
    ].join('\n');
  },
};
