import { expect, test } from 'vitest';
import { reportOn } from '../testing/report-on.ts';
import { renderCodequality } from './annotations.ts';

/** What GitLab's documentation requires of an issue. */
const ISSUE = {
  description: expect.stringMatching(/\S/),
  check_name: expect.stringMatching(/^[\w-]+$/),
  fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  severity: expect.stringMatching(/^(?:info|minor|major|critical|blocker)$/),
  location: { path: expect.stringMatching(/^[^.]/), lines: { begin: expect.any(Number) } },
};

const issuesOf = (report: Parameters<typeof renderCodequality>[0]) => JSON.parse(renderCodequality(report));

test('an issue for each cause, at the line of the document', async () => {
  const report = await reportOn({ page: (records) => records }, { only: 'listPets/200/' });
  const issues = issuesOf(report);
  expect(report.causes.length).toBeGreaterThan(0);
  expect(issues).toEqual(report.causes.map(() => ISSUE));
  expect(issues.map((one: { location: typeof ISSUE.location }) => one.location.lines.begin)).toEqual(
    report.causes.map(({ finding }) => report.findings[finding]?.place.line),
  );
  const prints = issues.map((one: typeof ISSUE) => one.fingerprint);
  expect(new Set(prints).size).toBe(prints.length);
});

test('a fingerprint stays when the line or what was received changes', async () => {
  const report = await reportOn({ page: (records) => records }, { only: 'listPets/200/' });
  const moved = {
    ...report,
    causes: report.causes.map((cause) => ({ ...cause, received: 'other' })),
    findings: report.findings.map((one) => ({ ...one, place: { ...one.place, line: one.place.line + 3 } })),
  };
  const prints = (of: typeof report) => issuesOf(of).map((one: typeof ISSUE) => one.fingerprint);
  expect(prints(moved)).toEqual(prints(report));
});

test('nothing is wrong: an empty list', async () => {
  expect(issuesOf(await reportOn({}, { only: 'listPets/200/' }))).toEqual([]);
});
