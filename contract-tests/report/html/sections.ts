import { escapeHtml as text } from '../escape.ts';
import { groupObservations } from '../observation-groups.ts';
import type { Report } from '../report.ts';
import { folded, wideTable } from './elements.ts';

/** Longer lists are folded. */
const SHOWN = 12;

export function notes(observations: Report['notices']): string {
  return list(
    'observations',
    groupObservations(observations).map((note) => `<b>${text(note.operationId)}</b> ${text(note.text)}`),
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

/** Operations that the run did not call, each with why. */
export function uncalled(operations: Report['withheld']): string {
  return list(
    'operations',
    operations.map(({ method, path, reason }) => `<code>${text(`${method} ${path}`)}</code> ${text(reason)}`),
  );
}

export function latency({ latency: operations }: Report): string {
  if (operations.length === 0) return '';
  const names = ['operation', 'requests', 'p50', 'p95', 'max'];
  const head = names.map((name) => `<th scope="col">${name}</th>`).join('');
  const rows = operations.map(({ operationId, requests, p50, p95, max }) => {
    const figures = [requests, p50, p95, max].map((figure) => `<td class="figure">${figure}</td>`);
    return `<tr><th scope="row">${text(operationId)}</th>${figures.join('')}</tr>`;
  });
  return wideTable('aria-labelledby="latency"', head, rows);
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
