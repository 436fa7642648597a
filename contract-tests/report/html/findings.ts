import { promiseOf } from '../../laws/law.ts';
import type { Cause } from '../cause.ts';
import { escapeHtml as text } from '../escape.ts';
import { type ReportedFinding, reproductionOf, shownPlace } from '../reported-finding.ts';
import type { SourceLine } from '../source-lines.ts';
import { explainedBy, isNotSeenAgain, operationsByStatus, triedPhrase } from '../summary.ts';

interface Numbered extends ReportedFinding {
  readonly number: number;
}

/** A cause with the findings that show it, and those that it explains; the one that is shown comes first. */
interface Group {
  readonly cause: Cause;
  readonly first: Numbered;
  readonly own: readonly Numbered[];
  readonly explained: readonly Numbered[];
}

/** Findings grouped by cause, the one that is easiest to reproduce first. */
export function findingGroups(findings: readonly ReportedFinding[], causes: readonly Cause[]): string {
  if (findings.length === 0) return '<p>None: every promise that was tried is kept.</p>';
  const numbered = findings.map((finding, index): Numbered => ({ ...finding, number: index + 1 }));
  const byRoot = Map.groupBy(numbered, ({ root }) => root);
  const groups = causes.flatMap((cause): Group[] => {
    const first = numbered[cause.finding];
    if (!first) return [];
    const others = (byRoot.get(cause.key) ?? []).filter((one) => one !== first);
    const keys = new Set(cause.followUps.map(({ key }) => key));
    const isExplained = (one: Numbered) => keys.has(one.key) && !(one.key === first.key);
    const own = others.filter((one) => !isExplained(one));
    return [{ cause, first, own: [first, ...own], explained: others.filter(isExplained) }];
  });
  return [groups.length > 1 ? index(groups) : '', ...groups.map(group)].join('\n');
}

/** An index of the groups, which may be long. */
function index(groups: readonly Group[]): string {
  const items = groups.map(({ cause, first, own }) => {
    const link = `<a href="#broken-${first.number}">${text(sentence(cause.title))}</a>`;
    return `<li>${link} <span class="soft">${own.length}</span></li>`;
  });
  return `<ol>${items.join('\n')}</ol>`;
}

/** Findings of a cause that are listed at once; the others are folded. */
const MOST_SHOWN = 3;

function group({ cause, first, own, explained }: Group): string {
  const { number, source, place, excerpt, pointer } = first;
  const count = cause.cases.length;
  const once = isNotSeenAgain(cause) ? ', and not again when it was tried' : '';
  const gating = cause.gates ? '' : `${once}, does not gate`;
  const follows = explainedBy(cause);
  const statuses = operationsByStatus(cause.statuses ?? []).map((line) => `<li>${text(line)}</li>`);
  const all = (findings: readonly Numbered[]) =>
    findings.map((one) => details(one, one === first)).join('\n');
  const others = own.slice(MOST_SHOWN);
  const parts = [
    `<h3 id="broken-${number}">${text(sentence(cause.title))}</h3>`,
    `<p>${code(shownPlace(first))}${excerpt ? ` ${code(pointer)}` : ''} <span class="soft">seen by ${count} ${count === 1 ? 'case' : 'cases'}${gating}</span></p>`,
    excerpt ? block(excerpt.join('\n')) : sourceLines(source, place.line),
    statuses.length > 0 ? `<ul>${statuses.join('')}</ul>` : '',
    all(own.slice(0, MOST_SHOWN)),
    others.length > 0 ? folded(`${others.length} more`, all(others)) : '',
    follows ? folded(`Explains ${text(follows)}`, all(explained)) : '',
  ];
  return `<article${gating === '' ? '' : ' class="quiet"'} aria-labelledby="broken-${number}">
${parts.filter((part) => part !== '').join('\n')}
</article>`;
}

function sentence(law: string): string {
  return law.charAt(0).toUpperCase() + law.slice(1);
}

function details(one: Numbered, open: boolean): string {
  const old = one.isNew === false ? '<p>Not new: the baseline has it as well.</p>' : '';
  const tried = triedPhrase(one);
  const known = one.knownUntil ? `<p>Known until ${text(one.knownUntil)}: it does not gate.</p>` : '';
  return `<details id="finding-${one.number}"${open ? ' open' : ''}><summary><b>${text(one.caseId)}</b> <span class="got">${text(one.received)}</span></summary>
${known}${old}${definitions({
  Law: text(promiseOf(one)),
  Received: code(one.received),
  Documented: code(one.documented),
  Reproduce: block(reproductionOf(one)) + (tried ? `<p>${text(sentence(tried))}.</p>` : ''),
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
