import { createHash } from 'node:crypto';
import { LAWS } from '../laws/law.ts';
import type { Cause } from './causes.ts';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import { repositoryPath } from './repository-path.ts';
import { casesOfCause, receivedAndDocumented } from './summary.ts';

/** GitLab's Code Quality report: an issue for each cause, which merge requests show beside the line of the document. */
export function renderCodequality({ causes, findings }: Report): string {
  const fingerprint = createFingerprints();
  const issues = causes.flatMap((cause) => {
    const finding = findings[cause.finding];
    if (!finding) return [];
    const { uri, line } = finding.place;
    const path = repositoryPath(uri);
    const cases = casesOfCause(cause);
    const said = `${finding.caseId}: ${LAWS[cause.law]}: ${receivedAndDocumented(cause)}${cases ? `; cases ${cases}` : ''}`;
    return [
      {
        description: plain(said),
        check_name: cause.law,
        fingerprint: fingerprint(cause, path),
        severity: cause.gates ? 'major' : 'info',
        location: { path: plain(path), lines: { begin: line } },
      },
    ];
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}

/** The same from run to run, whatever the line, and unique within a report: GitLab drops an issue that it has. */
function createFingerprints(): (cause: Cause, path: string) => string {
  const seen = new Map<string, number>();
  return ({ law, pointer }, path) => {
    const name = JSON.stringify([law, path, pointer]);
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return createHash('sha256')
      .update(`${name}${times || ''}`)
      .digest('hex');
  };
}
