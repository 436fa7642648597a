import { count, shortenText, someOf, stringifyJson } from '#spec';
import type { Report } from './report.ts';
import type { CellVerdict } from './verdict.ts';
import { asSentence, counted, groupObservations, MOST_NAMED } from './words.ts';

/** A section of a report beside the causes. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly items: readonly Item[];
  /** A one-line summary; undefined: the items are short enough. */
  readonly brief?: string | undefined;
  /** The table of all cells contains it, too. */
  readonly isOfCells?: true;
  /** It is never shortened. */
  readonly isWhole?: true;
  /** Its items are for readers who want all details. */
  readonly isDetail?: true;
}

export interface Item {
  /** The subject; empty: the run as a whole. */
  readonly name: string;
  readonly text: string;
  /** A long list of details. */
  readonly rest?: string;
}

/** The non-empty sections of a report. */
export function sectionsOf(report: Report): Section[] {
  const { cells, withheld, excluded, changes } = report;
  // Without a verdict the observations mean nothing.
  const hidden = report.verdict === 'no verdict' ? OF_VERDICTS : [];
  const all: Section[] = [
    { id: 'plan', title: 'Plan', items: planned(report), isWhole: true },
    { id: 'notices', title: changes ? 'Warnings' : 'Notices', items: notices(report) },
    tried(report),
    violated(cells),
    cellsThat('partly covered', cells),
    cellsThat('skipped', cells),
    missing(report),
    cellsThat('not reached', cells),
    untried(report),
    uncalled('withheld', 'Withheld, since they may change what the run has not made', withheld),
    uncalled('excluded', 'Excluded', excluded),
    notSpecified(report),
    created(report),
    { id: 'seen', title: 'Coverage', items: coverage(report), isDetail: true },
    { id: 'version', title: 'Semantic version', items: [], brief: nextVersion(report) },
  ];
  return all.filter(({ id, items, brief }) => !hidden.includes(id) && (items.length > 0 || brief));
}

const OF_VERDICTS = ['notices', 'tried', 'violated', 'missing', 'untried', 'not-specified'];

/** Each operation with what would be sent to it. */
function planned({ plan }: Report): Item[] {
  if (!plan) return [];
  return plan.operations.map(({ method, path, call, reason = '', cases, requests, body }) => {
    const sent = call === 'called' ? `${cases} cases, at most ${requests} requests` : '';
    const bodyText = body === undefined ? '' : `body ${shortenText(stringifyJson(body))}`;
    const text = [sent, reason, bodyText].filter((one) => one !== '').join('; ');
    return { name: `${call.padEnd(9)}${method} ${path}`, text };
  });
}

/** Between two versions of a document, the subject of a warning names its operations already. */
function notices({ notices: all, changes = [] }: Report): Item[] {
  const subjects = changes
    .filter((change) => change.class === 'warning')
    .map(({ subject }) => `${subject}: `);
  return groupObservations(all).map(({ name, text }) => {
    return { name: subjects.some((subject) => text.startsWith(subject)) ? '' : name, text };
  });
}

/** The results of reproducing the causes. */
function tried({ causes }: Report): Section {
  const all = causes.flatMap(({ confirmation }) => confirmation ?? []);
  const groups = Map.groupBy(all, ({ outcome, shown, tries }) =>
    outcome === 'confirmed' ? `confirmed ${shown} of ${tries}` : outcome,
  );
  const brief = [...groups].map(([told, { length }]) => `${length} ${told}`).join(', ');
  return { id: 'tried', title: 'Reproductions, each tried from nothing', items: [], brief };
}

/** Causes already say what is wrong with them. */
function violated(cells: Report['cells']): Section {
  const violations = cells.filter(({ verdict }) => verdict === 'violated');
  const groups = Map.groupBy(violations, ({ operationId }) => operationId);
  const names = [...groups].map(([id, all]) => [id, ...all.map(({ status }) => status)].join(' '));
  return { id: 'violated', title: 'Violated', items: [], brief: someOf(names, MOST_NAMED), isOfCells: true };
}

function nameCells(cells: Report['cells']): string {
  const names = cells.map(({ operationId, status }) => `${operationId} ${status}`);
  return someOf(names, MOST_NAMED);
}

/** The cells with a verdict, grouped by reason. */
function cellsThat(verdict: CellVerdict, cells: Report['cells']): Section {
  const matches = cells.filter((cell) => cell.verdict === verdict);
  const groups = Map.groupBy(matches, ({ reason = '' }) => reason);
  const items = [...groups].map(([text, all]) => ({ name: nameCells(all), text }));
  const brief = countedReasons(count(matches.length, 'response'), matches);
  return { id: verdict, title: asSentence(verdict), items, brief, isOfCells: true };
}

/** The responses that were never tried, grouped by the line that would reach them; others are listed by reason. */
function untried({ cells, changes, plan }: Report): Section {
  const gaps = changes || plan ? [] : cells.filter(({ verdict }) => UNTRIED.has(verdict));
  const groups = Map.groupBy(gaps, ({ remedy = '' }) => remedy);
  groups.delete('');
  const items = [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([name, all]) => ({ name, text: nameCells(all) }));
  return { id: 'untried', title: 'Never tried, by what would reach it', items };
}

const UNTRIED: ReadonlySet<CellVerdict> = new Set(['not reached', 'withheld', 'skipped']);

/** The operations without a valid request. For versions, other means compare them. */
function missing({ operations, changes }: Report): Section {
  const gaps = changes ? [] : operations.filter(({ verdict }) => verdict === 'not reached');
  const items = gaps.map(({ operationId: name, reason = '' }) => ({ name, text: reason }));
  const brief = countedReasons(`${gaps.length} of ${count(operations.length, 'operation')}`, gaps);
  return { id: 'missing', title: 'Operations not reached', items, brief };
}

function countedReasons(what: string, items: readonly { readonly reason: string | undefined }[]) {
  return items.length === 0 ? undefined : `${what}: ${counted(items.map(({ reason }) => reason ?? ''))}`;
}

/** Operations that the run did not call, with their reasons. */
function uncalled(id: string, title: string, operations: Report['withheld']): Section {
  const items = operations.map(({ method, path, reason }) => ({ name: `${method} ${path}`, text: reason }));
  const names = items.map(({ name }) => name);
  return { id, title, items, brief: someOf(names, MOST_NAMED) };
}

function notSpecified({ notSpecified: all }: Report): Section {
  const topics = new Map(
    all.map(({ operationId, question, text }) => [`${operationId} ${question ?? text}`, question ?? text]),
  );
  const brief = `${count(topics.size, 'undefined behaviour')}: ${counted([...topics.values()])}`;
  return {
    id: 'not-specified',
    title: 'Not specified by the document',
    items: groupObservations(all),
    brief: topics.size === 0 ? undefined : brief,
  };
}

/** The records that remain, or may remain. */
function created({ created: all }: Report): Section {
  const uncertain = all.filter(({ certain }) => !certain).length;
  const shared = all.find(({ mark }) => mark !== undefined)?.mark?.replace(/-[^-]*$/, '');
  const more = uncertain > 0 ? `, and possibly ${uncertain} more` : '';
  const marked = shared ? `; all bear the mark ${shared}-N` : '';
  const brief = all.length === 0 ? undefined : `${all.length - uncertain}${more}${marked}`;
  const items = all.map(({ operationId: name, mark = '', id = '', certain }) => {
    return { name, text: `${id} ${mark}${certain ? '' : ' (possibly)'}`.trim() };
  });
  return { id: 'created', title: 'Records created', items, brief, isDetail: true };
}

function coverage({ coverage: parts }: Report): Item[] {
  return Object.entries(parts).map(([name, { seen, total, missing: names }]) => ({
    name: name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    text: `${seen} of ${total}`,
    rest: names.join(', '),
  }));
}

/** The semantic version that follows from the changes between two versions of a document. */
function nextVersion({ semanticVersion }: Report): string | undefined {
  if (!semanticVersion || semanticVersion.follows === 'none') return undefined;
  const { follows, old, new: next, expected, isEnough } = semanticVersion;
  const step = expected === undefined ? '' : `: ${old} -> ${expected}`;
  return `${follows}${step}${isEnough === false ? `, and NEW is ${next}` : ''}`;
}
