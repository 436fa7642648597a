import { REPORTS } from '../report-names.ts';
import { columns, type Topic } from './topic.ts';

export const REPORTS_TOPIC: Topic = {
  name: 'reports',
  summary: 'the files that --report writes',
  page: () => `check, proxy, judge and compat print what they found for people. --report NAME=FILE, any number
of times, writes the same to files as well:

${columns(Object.entries(REPORTS))}

- The file - is standard output; what people read then goes to standard error.
- A folder that is missing is made. A file that cannot be written is told before the first request.
- No report contains a credential: commands name the variable that holds it.
- Each says when the run began, how long it took, and the SHA-256 of the document.
- proxy writes its reports when it ends, and at SIGUSR2.

  paddock check URL --report json=report.json --report junit=report.xml
  paddock check URL --report json=- | jq .verdict

Accepted findings, and those that an earlier run had:

  --known FILE            findings that do not gate until a day
  --known-update          write the findings of this run into that file (check)
  --baseline report.json  say what is new, fixed and the same since that JSON report
  --new-only              let new findings gate alone`,
};
