import { plain } from './escape.ts';
import type { Report } from './report.ts';
import { casesInWords, receivedAndDocumented } from './summary.ts';

/**
 * A line for each cause, as compilers print them, which editors know how to read: `openapi.yaml:41: error: what is broken`.
 * Of two versions of a document it is the line of the newer one that is edited; a warning there has its line, too.
 */
export function renderLines({ causes, changes = [] }: Report): string {
  const placeOf = new Map(changes.map((one) => [one.key, one.new]));
  const broken = causes.map((cause) => {
    const note = cause.knownUntil ? ` (known until ${cause.knownUntil})` : '';
    const text = `${cause.title}${note}: ${receivedAndDocumented(cause)}; ${casesInWords(cause)}`;
    return lineOf(placeOf.get(cause.key) ?? cause.at, cause.gates ? 'error' : 'warning', text);
  });
  const warnings = changes
    .filter((one) => one.class === 'warning')
    .map((one) => lineOf(one.new, 'warning', `${one.subject}: ${one.text}; ${one.reason}`));
  return [...broken, ...warnings].join('');
}

function lineOf(at: string, severity: 'error' | 'warning', text: string): string {
  return `${plain(at)}: ${severity}: ${plain(text)}\n`;
}
