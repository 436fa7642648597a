import { randomUUID } from 'node:crypto';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import { casesInWords, receivedAndDocumented, repositoryPath, verdictAndReason } from './summary.ts';

/** Workflow commands: the verdict, and each cause, which GitHub Actions shows beside the line of the document. */
export function renderGithub(report: Report): string {
  const { findings, causes, verdict, exitCode } = report;
  const verdictCommand = `::${verdict === 'holds' ? 'notice' : 'error'} title=Paddock::${escapeData(verdictAndReason(report))} (exit ${exitCode})\n`;
  const commands = causes.flatMap((cause) => {
    const finding = findings[cause.finding];
    if (!finding) return [];
    const { place } = finding;
    const title = escapeProperty(cause.title);
    const properties = `file=${escapeProperty(repositoryPath(place.uri))},line=${place.line},col=${place.column},title=${title}`;
    const text = `${receivedAndDocumented(cause)}; ${casesInWords(cause)}`;
    return `::${cause.gates ? 'error' : 'notice'} ${properties}::${escapeData(text)}\n`;
  });
  return [verdictCommand, ...commands].join('');
}

/** The same text in a log where GitHub looks for commands: between these two lines it obeys none. */
export function withoutCommands(text: string): string {
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}\n::${token}::`;
}

/** A line end would end the command, and a text after it could begin another: {@link plain} leaves none. */
function escapeData(text: string): string {
  return plain(text).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
