import { randomUUID } from 'node:crypto';
import { LAWS } from '../laws/law.ts';
import { plain } from './escape.ts';
import type { Report } from './report.ts';
import { receivedAndDocumented } from './summary.ts';

/** Workflow commands that GitHub Actions shows beside the lines of the document. */
export function renderGithub({ findings }: Report): string {
  const commands = findings.map((finding) => {
    const { caseId, law, place, gates } = finding;
    const title = escapeProperty(`${caseId}: ${LAWS[law]}`);
    const properties = `file=${escapeProperty(place.uri)},line=${place.line},col=${place.column},title=${title}`;
    return `::${gates ? 'error' : 'notice'} ${properties}::${escapeData(receivedAndDocumented(finding))}\n`;
  });
  return commands.join('');
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
