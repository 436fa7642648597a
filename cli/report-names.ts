/** What each report is for, by the name that `--report NAME=FILE` takes; a test compares them with the formats. */
export const REPORTS: Readonly<Record<string, string>> = {
  json: 'everything, for programs; its schema is report.schema.json in the package',
  junit: 'a test case for each case of the run: what most CI services show',
  html: 'one page for people, which needs no other file',
  sarif: 'findings on lines of the document: code scanning',
  markdown: 'a summary for a job or a pull request',
  ctrf: 'Common Test Report Format, for comments and dashboards',
  codequality: 'issues of GitLab, beside the lines of the document in merge requests',
  har: 'every exchange, for the developer tools of browsers: paddock check alone writes it',
};

/** Exchanges are kept by `check` alone; what other verbs judge is in files already, or too much. */
export const OF_CHECK_ALONE: readonly string[] = ['har'];
