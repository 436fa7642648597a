import { count, someOf } from '#spec';
import { promiseOf } from '../laws/law.ts';
import { type Cause, isWorthALook } from './cause.ts';
import { brokenInWords } from './in-words.ts';
import type { Report } from './report.ts';
import { type ReportedFinding, shownPlace } from './reported-finding.ts';
import { type Section, sectionsOf } from './sections.ts';
import { MOST_NAMED, provenance, totalsOf, triedPhrase, verdictOf } from './words.ts';

/**
 * The content of a report, selected once: each format renders this value. Its texts come unescaped from the target, the
 * document or the user, and each format escapes them.
 */
export interface ReportView {
  /** The verdict with its reason and the exit code. */
  readonly verdict: string;
  /** The headline of what is broken; undefined: nothing is, or the verdict says it. */
  readonly broken: string | undefined;
  readonly groups: readonly CauseGroup[];
  readonly sections: readonly Section[];
  /** The numbers of requests and results. */
  readonly totals: string;
  /** The document, and the version that checked it. */
  readonly provenance: string;
}

/** Causes that affect the verdict in the same way. */
export interface CauseGroup {
  readonly id: string;
  readonly title: string;
  /** Their effect; empty: each makes the verdict "broken". */
  readonly note: string;
  readonly causes: readonly CauseView[];
}

export interface CauseView {
  /** From 1, in the order of the report. */
  readonly number: number;
  readonly cause: Cause;
  /** The finding that is easiest to reproduce. */
  readonly finding: ReportedFinding;
  /** Why its effect differs from that of its group; empty: it does not. */
  readonly note: string;
  /** The shown case, and the number of others. Between two versions of a document no case need have run. */
  readonly cases: string;
  readonly facts: readonly Fact[];
}

/** A fact about a cause or finding: a text, lines, or both. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  /** Its position in the document; undefined: the text contains it. */
  readonly at?: string | undefined;
  /** A part of the document, or commands for a POSIX shell. */
  readonly lines?: readonly string[] | undefined;
  readonly language?: 'json' | 'sh';
  /** Whether it quotes the target or the document. */
  readonly isQuoted?: true;
  /** For readers who want all details. */
  readonly isDetail?: boolean;
}

/** Selects and orders the content of a report. */
export function viewOf(report: Report): ReportView {
  return {
    verdict: verdictOf(report),
    broken: report.verdict === 'broken' && !report.changes ? brokenInWords(report) : undefined,
    groups: groupsOf(report),
    sections: sectionsOf(report),
    totals: totalsOf(report),
    provenance: provenance(report),
  };
}

/** The title of causes that rest on presumed facts only. */
export const WORTH_A_LOOK = 'Worth a look';

const GROUPS: readonly Omit<CauseGroup, 'causes'>[] = [
  { id: 'findings', title: 'What is broken', note: '' },
  { id: 'seen-once', title: 'Seen once, and not again when it was tried', note: 'this does not gate' },
  {
    id: 'worth-a-look',
    title: WORTH_A_LOOK,
    note: 'presumed facts that the target does not keep; this does not gate without --strict presumed',
  },
];

function groupsOf(report: Report): CauseGroup[] {
  // Without a verdict the observations mean nothing.
  const views = report.verdict === 'no verdict' ? [] : causeViews(report);
  const groups = Map.groupBy(views, ({ cause }): string => {
    if (isWorthALook(cause)) return 'worth-a-look';
    return cause.confirmation?.outcome === 'not seen again' ? 'seen-once' : 'findings';
  });
  return GROUPS.map((group) => ({ ...group, causes: groups.get(group.id) ?? [] }));
}

/** The causes of a report with their facts. */
export function causeViews({ causes, findings, changes }: Report): CauseView[] {
  const isBreak = changes !== undefined;
  return causes.flatMap((cause, index) => {
    const { knownUntil, gates } = cause;
    const finding = findings[cause.finding];
    if (!finding) return [];
    const ids = [...new Set([...cause.instances.map(({ caseId }) => caseId), ...cause.cases])];
    return {
      number: index + 1,
      cause,
      finding,
      note: knownUntil ? `known until ${knownUntil}` : gates || isWorthALook(cause) ? '' : 'does not gate',
      cases: isBreak ? '' : someOf(ids, 1),
      facts: [...factsOf(finding, isBreak), ...factsOfCause(cause, finding, ids, isBreak)],
    };
  });
}

/**
 * The facts of a finding, for a cause or one of its instances.
 * @param isBreak it is one between two versions of a document
 */
export function factsOf(finding: ReportedFinding, isBreak = false): Fact[] {
  const { documented, excerpt, pointer, curl, steps, worthALook = {}, consumers = [] } = finding;
  const { target, meant, otherwise } = worthALook;
  const settling = target ? [`${meant} at ${target}, if it is meant`, `${otherwise}, if it is not`] : [];
  const place = excerpt ? `${shownPlace(finding)}  ${pointer}` : shownPlace(finding);
  const tried = triedPhrase(finding);
  const { outcome, reason, needsData, wholeCase } = finding.confirmation ?? {};
  const isPlain = outcome === 'confirmed' && reason === undefined && !needsData && !wholeCase;
  const received: Fact = { label: isBreak ? 'NEW' : 'received', text: finding.received, isQuoted: true };
  const promised: Fact = {
    label: isBreak ? 'OLD' : 'documented',
    text: documented,
    at: documented.includes(`${place})`) ? undefined : place,
    lines: excerpt,
    language: 'json',
    isQuoted: true,
  };
  const facts: Fact[] = [
    { label: 'promise', text: promiseOf(finding), isDetail: true },
    ...(isBreak ? [promised, received] : [received, promised]),
    ...settling.map((text) => ({ label: 'settled by', text, isQuoted: true }) as const),
    // A conclusion from the documents alone has no command.
    { label: 'reproduce', text: '', lines: steps ?? (curl === '' ? [] : [curl]), language: 'sh' },
    { label: 'tried', text: tried ?? '', isDetail: isPlain },
    ...consumers.map(({ consumer, touched, why }) => {
      return { label: touched === 'yes' ? 'touches' : 'may touch', text: `${consumer}: ${why}` };
    }),
  ];
  return facts.filter(({ text, lines = [] }) => text !== '' || lines.length > 0);
}

/** The maximum number of findings that a line names. */
const MOST_KEYS = 3;

function factsOfCause(
  { statuses = [], followUps, owner = '', count: seen }: Cause,
  { times }: ReportedFinding,
  ids: readonly string[],
  isBreak: boolean,
): Fact[] {
  // For a single operation the title is enough.
  const byStatus = Map.groupBy(statuses.length < 2 ? [] : statuses, ({ status }) => status);
  const explained = followUps.reduce((sum, followUp) => sum + followUp.count, 0);
  const keys = followUps.map(({ key }) => key);
  const others = ids.slice(1).map((id) => id.replace(/\/compat$/, ''));
  const all = ids.length === 1 ? ids.join() : `${ids.length}: ${ids.join(', ')}`;
  return [
    ...[...byStatus].map(([status, group]) => {
      const names = group.map(({ operationId }) => operationId);
      return { label: 'answered', text: `${status} by ${someOf(names, MOST_NAMED)}` };
    }),
    isBreak
      ? { label: 'also', text: someOf(others, MOST_NAMED) }
      : { label: ids.length === 1 ? 'case' : 'cases', text: all, isDetail: true },
    {
      label: 'explains',
      text: explained === 0 ? '' : `${count(explained, 'finding')}: ${someOf(keys, MOST_KEYS)}`,
      isDetail: true,
    },
    { label: 'owner', text: owner, isDetail: true },
    { label: 'seen', text: times !== undefined && seen > 1 ? `${seen} times` : '' },
  ].filter(({ text }) => text !== '');
}

/** What was received and documented, and what settles whether that is meant, in one line. */
export function inOneLine(facts: readonly Fact[]): string {
  const quotes = facts.filter(({ isQuoted }) => isQuoted);
  return quotes.map(({ label, text }) => `${label} ${text}`).join('; ');
}
