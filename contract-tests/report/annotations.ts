import { createHash, randomUUID } from 'node:crypto';
import { isWorthALook } from './cause.ts';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import { causeViews, inOneLine, WORTH_A_LOOK } from './view.ts';
import { verdictOf } from './words.ts';

export type Annotation = ReturnType<typeof annotationsOf>[number];

/** The causes in the form that tools show beside a line of the document: what was received and documented, and the case. */
export function annotationsOf(report: Report) {
  return causeViews(report).map(({ cause, finding: { place }, facts, cases }) => {
    const prefix = isWorthALook(cause) ? `${WORTH_A_LOOK.toLowerCase()}: ` : '';
    const text = `${prefix}${inOneLine(facts)}${cases && `; case ${cases}`}`;
    // These tools know no revision (`git:REF:PATH`).
    return { cause, path: repositoryPath(place.uri), line: place.line, column: place.column, text };
  });
}

/** The path in the repository of a document from a revision (`git:REF:PATH`); any other place is unchanged. */
export function repositoryPath(place: string): string {
  return /^git:[^:]+:(?:\.\/)?(.+)$/s.exec(place)?.[1] ?? place;
}

/** GitHub Actions workflow commands: the verdict, and each cause as an annotation at its line of the document. */
export function renderGithub(report: Report): string {
  const sentence = escapeData(verdictOf(report));
  const commands = annotationsOf(report).map(({ cause, path, line, column, text }) => {
    const title = escapeProperty(cause.title);
    const properties = `file=${escapeProperty(path)},line=${line},col=${column},title=${title}`;
    return `::${cause.gates ? 'error' : 'notice'} ${properties}::${escapeData(text)}\n`;
  });
  return [
    `::${report.verdict === 'holds' ? 'notice' : 'error'} title=Paddock::${sentence}\n`,
    ...commands,
  ].join('');
}

/** Wraps a text in commands that make GitHub ignore any commands inside it. */
export function withoutCommands(text: string): string {
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}\n::${token}::`;
}

/** A line end would end the command, and the text after it could start another: {@link plain} removes them. */
function escapeData(text: string): string {
  return plain(text).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** GitLab's Code Quality report: an issue for each cause, which merge requests show beside the line of the document. */
export function renderCodequality(report: Report): string {
  const issues = annotationsOf(report).map(({ cause, path, line, text }) => ({
    description: plain(`${cause.title}: ${text}`),
    check_name: cause.law,
    fingerprint: createHash('sha256').update(cause.key).digest('hex'),
    severity: cause.gates ? 'major' : 'info',
    location: { path: plain(path), lines: { begin: line } },
  }));
  return `${JSON.stringify(issues, null, 2)}\n`;
}

/**
 * A line for each cause in the form of compiler messages, which editors parse: `openapi.yaml:41: error: what is broken`.
 * Between two versions of a document it is the line of the newer one; warnings have a line, too.
 */
export function renderLines(report: Report): string {
  const { changes = [] } = report;
  const placeOf = new Map(changes.map((change) => [change.key, change.new]));
  const broken = annotationsOf(report).map(({ cause: { key, at, title, knownUntil, gates }, text }) => {
    const note = knownUntil ? ` (known until ${knownUntil})` : '';
    return lineOf(placeOf.get(key) ?? at, gates ? 'error' : 'warning', `${title}${note}: ${text}`);
  });
  const warnings = changes
    .filter((change) => change.class === 'warning')
    .map((change) => lineOf(change.new, 'warning', `${change.subject}: ${change.text}; ${change.reason}`));
  return [...broken, ...warnings].join('');
}

function lineOf(at: string, severity: 'error' | 'warning', text: string): string {
  return `${plain(at)}: ${severity}: ${plain(text)}\n`;
}
