import { randomUUID } from 'node:crypto';
import { LAWS } from '../laws/law.ts';
import type { Report } from './report.ts';
import { plain } from './words.ts';

/** Workflow commands that GitHub Actions shows beside the lines of the document. */
export function renderGithub(report: Report): string {
  return report.findings
    .map(({ caseId, law, received, documented, place, gates }) => {
      const properties = {
        file: place.uri,
        line: place.line,
        col: place.column,
        title: `${caseId}: ${LAWS[law]}`,
      };
      const list = Object.entries(properties).map(
        ([name, value]) => `${name}=${escapeProperty(String(value))}`,
      );
      const message = `received ${received}; documented ${documented}`;
      return `::${gates ? 'error' : 'notice'} ${list.join(',')}::${escapeData(message)}\n`;
    })
    .join('');
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
