import { LAWS } from '../laws/law.ts';
import type { Cell } from '../verdict.ts';
import { escapeHtml as text } from './html-escape.ts';
import { STYLE } from './html-style.ts';
import type { Report } from './report.ts';
import type { ReportedFinding, SourceLine } from './reported-finding.ts';
import { VERDICTS } from './words.ts';

/** One page that needs no network and runs no script. */
export function renderHtml(report: Report): string {
  const { verdict, reason, target, document, seed, totals, exitCode } = report;
  const because = reason ? `<p>${text(reason)}</p>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${text(VERDICTS[verdict])} ${text(target)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<header>
<h1 class="${slug(verdict)}">${text(VERDICTS[verdict])}</h1>
${because}
<dl>
<div><dt>Target</dt><dd>${text(target)}</dd></div>
<div><dt>Document</dt><dd>${text(document)}</dd></div>
<div><dt>Cases</dt><dd>${totals.cases}: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped, ${totals.notReached} not reached</dd></div>
<div><dt>Requests</dt><dd>${totals.requests} in ${(totals.ms / 1000).toFixed(1)} s, seed ${seed}</dd></div>
<div><dt>Exit code</dt><dd>${exitCode}</dd></div>
</dl>
</header>
<main>
<section aria-labelledby="cells"><h2 id="cells">Operations and statuses</h2>${matrix(report.cells)}</section>
<section aria-labelledby="findings"><h2 id="findings" tabindex="-1">Findings (${report.findings.length})</h2>
${report.findings.length === 0 ? '<p>None.</p>' : report.findings.map(finding).join('\n')}</section>
${notes('Not specified by the document', report.notSpecified)}
${notes('Notices', report.notices)}
${coverage(report)}
${created(report)}
</main>
</body>
</html>
`;
}

function slug(words: string): string {
  return words.replaceAll(' ', '-');
}

function matrix(cells: readonly Cell[]): string {
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((a, b) => a - b);
  const operations = [...new Set(cells.map(({ operationId }) => operationId))];
  const head = statuses.map((status) => `<th scope="col">${status}</th>`).join('');
  const rows = operations.map((operationId) => {
    const columns = statuses.map((status) =>
      cellOf(cells.find((cell) => cell.operationId === operationId && cell.status === status)),
    );
    return `<tr><th scope="row">${text(operationId)}</th>${columns.join('')}</tr>`;
  });
  return `<div class="wide" role="region" aria-labelledby="cells" tabindex="0"><table><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function cellOf(cell: Cell | undefined): string {
  if (!cell) return '<td class="none"><span class="hidden">not documented</span></td>';
  const note = cell.reason && cell.verdict !== 'violated' ? `<small>${text(cell.reason)}</small>` : '';
  const gate = cell.gates ? '' : '<small>does not gate</small>';
  return `<td class="${slug(cell.verdict)}">${cell.verdict}${note}${gate}</td>`;
}

function finding(one: ReportedFinding, index: number): string {
  const known = one.knownUntil ? `<p>Known until ${text(one.knownUntil)}: it does not gate.</p>` : '';
  return `<article aria-labelledby="finding-${index}">
<h3 id="finding-${index}"><a href="#finding-${index}">${text(one.caseId)}</a></h3>
<p>${text(LAWS[one.law])}</p>${known}
<dl>
<div><dt>Received</dt><dd><code>${text(one.received)}</code></dd></div>
<div><dt>Documented</dt><dd><code>${text(one.documented)}</code></dd></div>
<div><dt>At</dt><dd>${text(one.at)}${sourceLines(one.source, one.place.line)}</dd></div>
<div><dt>Again</dt><dd>${block('curl command', one.curl)}</dd></div>
</dl>
<details><summary>The exchange</summary>${block('request', one.request)}${block('response', one.response)}</details>
</article>`;
}

/** Long lines scroll, and what scrolls must be within reach of the keyboard. */
function block(label: string, content: string): string {
  return `<pre tabindex="0" role="region" aria-label="${label}">${text(content)}</pre>`;
}

function sourceLines(lines: readonly SourceLine[], broken: number): string {
  if (lines.length === 0) return '';
  const shown = lines.map(({ line, text: content }) => {
    const row = `<span class="number">${line}</span> ${text(content)}`;
    return line === broken ? `<mark>${row}</mark>` : row;
  });
  return `<pre tabindex="0" role="region" aria-label="lines of the document">${shown.join('\n')}</pre>`;
}

function notes(title: string, observations: Report['notices']): string {
  if (observations.length === 0) return '';
  const items = observations.map(
    ({ operationId, text: content }) => `<li>${text(operationId)}: ${text(content)}</li>`,
  );
  return `<section><h2>${title}</h2><ul>${items.join('\n')}</ul></section>`;
}

function coverage({ coverage: seen }: Report): string {
  const rows = Object.entries(seen).map(([name, part]) => {
    const missing =
      part.missing.length === 0
        ? ''
        : `<details><summary>${part.missing.length} not seen</summary>${text(part.missing.join(', '))}</details>`;
    const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return `<tr><th scope="row">${label}</th><td>${part.seen} of ${part.total}${missing}</td></tr>`;
  });
  return `<section><h2>What the run saw</h2><table><tbody>${rows.join('\n')}</tbody></table></section>`;
}

function created({ created: records }: Report): string {
  if (records.length === 0) return '';
  const items = records.map(
    ({ operationId, mark, id, certain }) =>
      `<li>${text(operationId)} ${text(String(id ?? ''))} ${text(mark ?? '')}${certain ? '' : ' (possibly)'}</li>`,
  );
  return `<section><h2>Records created</h2><details><summary>${records.length}</summary><ul>${items.join('\n')}</ul></details></section>`;
}
