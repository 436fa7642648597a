import { escapeHtml as text } from '../escape.ts';
import type { Report } from '../report.ts';
import { folded } from './elements.ts';

/** Longer lists are folded. */
const SHOWN = 12;

export function notes(observations: Report['notices']): string {
  return list(
    'observations',
    observations.map((note) => `<b>${text(note.operationId)}</b> ${text(note.text)}`),
  );
}

export function created({ created: records }: Report): string {
  return list(
    'records',
    records.map(
      ({ operationId, mark, id, certain }) =>
        `${text(operationId)} <code>${text(String(id ?? ''))}</code> ${text(mark ?? '')}${certain ? '' : ' (possibly)'}`,
    ),
  );
}

function list(what: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const content = `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`;
  return items.length <= SHOWN ? content : folded(`${items.length} ${what}`, content);
}

export function coverage({ coverage: seen }: Report): string {
  const rows = Object.entries(seen).map(([name, part]) => {
    const { missing } = part;
    const rest = missing.length === 0 ? '' : folded(`${missing.length} not seen`, text(missing.join(', ')));
    const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return `<tr><th scope="row">${label}</th><td>${part.seen} of ${part.total}${rest}</td></tr>`;
  });
  return `<table><tbody>${rows.join('\n')}</tbody></table>`;
}
