import type { Report } from '../report.ts';
import { escapeHtml as text } from './escape.ts';

/** Longer lists are folded. */
const SHOWN = 12;

export function notes(observations: Report['notices']): string {
  if (observations.length === 0) return '';
  const items = observations.map(
    ({ operationId, text: content }) => `<li><b>${text(operationId)}</b> ${text(content)}</li>`,
  );
  return folded(`${items.length} observations`, `<ul>${items.join('\n')}</ul>`, items.length);
}

export function coverage({ coverage: seen }: Report): string {
  const rows = Object.entries(seen).map(([name, part]) => {
    const missing =
      part.missing.length === 0
        ? ''
        : `<details><summary>${part.missing.length} not seen</summary>${text(part.missing.join(', '))}</details>`;
    const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return `<tr><th scope="row">${label}</th><td>${part.seen} of ${part.total}${missing}</td></tr>`;
  });
  return `<table><tbody>${rows.join('\n')}</tbody></table>`;
}

export function created({ created: records }: Report): string {
  if (records.length === 0) return '';
  const items = records.map(
    ({ operationId, mark, id, certain }) =>
      `<li>${text(operationId)} <code>${text(String(id ?? ''))}</code> ${text(mark ?? '')}${certain ? '' : ' (possibly)'}</li>`,
  );
  return folded(`${items.length} records`, `<ul>${items.join('\n')}</ul>`, items.length);
}

function folded(summary: string, content: string, length: number): string {
  return length <= SHOWN ? content : `<details><summary>${summary}</summary>${content}</details>`;
}
