import { createHash } from 'node:crypto';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import { casesInWords, receivedAndDocumented, repositoryPath } from './summary.ts';

/** GitLab's Code Quality report: an issue for each cause, which merge requests show beside the line of the document. */
export function renderCodequality({ causes, findings }: Report): string {
  const issues = causes.flatMap((cause) => {
    const finding = findings[cause.finding];
    if (!finding) return [];
    const { uri, line } = finding.place;
    const path = repositoryPath(uri);
    const said = `${cause.title}: ${receivedAndDocumented(cause)}; ${casesInWords(cause)}`;
    return [
      {
        description: plain(said),
        check_name: cause.law,
        fingerprint: createHash('sha256').update(cause.key).digest('hex'),
        severity: cause.gates ? 'major' : 'info',
        location: { path: plain(path), lines: { begin: line } },
      },
    ];
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}
