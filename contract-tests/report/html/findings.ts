import { LAWS } from '../../laws/law.ts';
import { escapeHtml as text } from '../escape.ts';
import { type Cause, type ReportedFinding, reproductionOf, type SourceLine } from '../reported-finding.ts';

interface Numbered extends ReportedFinding {
  readonly number: number;
}

/** Findings grouped by cause, the one with the shortest reproduction first. */
export function findingGroups(findings: readonly ReportedFinding[], causes: readonly Cause[]): string {
  if (findings.length === 0) return '<p>None: every promise that was tried is kept.</p>';
  const numbered = findings.map((finding, index): Numbered => ({ ...finding, number: index + 1 }));
  const groups = causes.map(({ law, at, finding }) => {
    const own = numbered.filter((one) => one.law === law && one.at === at);
    const [shown, others] = [numbered[finding], own.filter(({ number }) => number !== finding + 1)];
    return shown ? [shown, ...others] : others;
  });
  return [groups.length > 1 ? index(groups) : '', ...groups.map(group)].join('\n');
}

/** An index of the groups, which may be long. */
function index(groups: readonly Numbered[][]): string {
  const items = groups.flatMap(([first, ...others]) => {
    if (!first) return [];
    const link = `<a href="#broken-${first.number}">${text(sentence(LAWS[first.law]))}</a>`;
    return `<li>${link} ${code(first.at)} <span class="soft">${others.length + 1}</span></li>`;
  });
  return `<ol>${items.join('\n')}</ol>`;
}

function group(findings: readonly Numbered[]): string {
  const [first] = findings;
  if (!first) return '';
  const { number, law, at, source, place } = first;
  const count = new Set(findings.map(({ caseId }) => caseId)).size;
  const gating = findings.some(({ gates }) => gates) ? '' : ', does not gate';
  return `<article${gating === '' ? '' : ' class="quiet"'} aria-labelledby="broken-${number}">
<h3 id="broken-${number}">${text(sentence(LAWS[law]))}</h3>
<p>${code(at)} <span class="soft">seen by ${count} ${count === 1 ? 'case' : 'cases'}${gating}</span></p>
${sourceLines(source, place.line)}
${findings.map((finding) => details(finding, finding === first)).join('\n')}
</article>`;
}

function sentence(law: string): string {
  return law.charAt(0).toUpperCase() + law.slice(1);
}

function details(one: Numbered, open: boolean): string {
  const old = one.isNew === false ? '<p>Not new: the baseline has it as well.</p>' : '';
  const known = one.knownUntil ? `<p>Known until ${text(one.knownUntil)}: it does not gate.</p>` : '';
  return `<details id="finding-${one.number}"${open ? ' open' : ''}><summary><b>${text(one.caseId)}</b> <span class="got">${text(one.received)}</span></summary>
${known}${old}${definitions({
  Received: code(one.received),
  Documented: code(one.documented),
  Reproduce: block(reproductionOf(one)),
  Request: block(one.request),
  Response: block(one.response),
})}</details>`;
}

function code(content: string): string {
  return `<code>${text(content)}</code>`;
}

function block(content: string): string {
  return `<pre>${text(content)}</pre>`;
}

function sourceLines(lines: readonly SourceLine[], broken: number): string {
  if (lines.length === 0) return '';
  const shown = lines.map(({ line, text: content }) => {
    const row = `<span class="number">${line}</span>${text(content)}`;
    return line === broken ? `<mark>${row}</mark>` : row;
  });
  return `<pre>${shown.join('\n')}</pre>`;
}

/** A table that scrolls sideways by itself. What scrolls must be reachable by the keyboard, and so has a label. */
export function wideTable(label: string, head: string, rows: readonly string[]): string {
  return `<div class="wide" role="region" ${label} tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** @param rows of terms and their description in HTML */
export function definitions(rows: Readonly<Record<string, string>>): string {
  const items = Object.entries(rows).map(([term, html]) => `<div><dt>${term}</dt><dd>${html}</dd></div>`);
  return `<dl>${items.join('\n')}</dl>`;
}

export function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>${content}</details>`;
}
