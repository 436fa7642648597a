import { count, someOf } from '#spec';
import { promiseOf } from '../laws/law.ts';
import { type Cause, isWorthALook } from './cause.ts';
import { brokenInWords } from './in-words.ts';
import type { Report } from './report.ts';
import { type ReportedFinding, shownPlace } from './reported-finding.ts';
import { type Section, sectionsOf } from './sections.ts';
import { MOST_NAMED, provenance, totalsOf, triedPhrase, verdictOf } from './words.ts';

/**
 * What a report shows, decided once: each format renders this value. Texts are as the target, the document or the user has
 * them, and each format escapes them.
 */
export interface ReportView {
  /** The verdict with its reason and the exit code. */
  readonly verdict: string;
  /** What is broken; undefined: nothing is, or the verdict says it. */
  readonly broken: string | undefined;
  readonly groups: readonly CauseGroup[];
  readonly sections: readonly Section[];
  /** What was sent, and what became of it. */
  readonly totals: string;
  /** The document, and by what it was checked. */
  readonly provenance: string;
}

/** Causes that decide the verdict in one way. */
export interface CauseGroup {
  readonly id: string;
  readonly title: string;
  /** How they decide; empty: each makes the verdict "broken". */
  readonly note: string;
  readonly causes: readonly CauseView[];
}

export interface CauseView {
  /** From 1, in the order of the report. */
  readonly number: number;
  readonly cause: Cause;
  /** The finding that is easiest to reproduce. */
  readonly finding: ReportedFinding;
  /** Why it decides otherwise than the others of its group; empty: it does not. */
  readonly note: string;
  /** The case that is shown, and how many others there are. Of two versions of a document no case need have run. */
  readonly cases: string;
  readonly facts: readonly Fact[];
}

/** What is said of a cause or of a finding: a text, lines, or both. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  /** Where the document says it; undefined: the text names the place. */
  readonly at?: string | undefined;
  /** A part of the document, or commands for a POSIX shell. */
  readonly lines?: readonly string[] | undefined;
  readonly language?: 'json' | 'sh';
  /** It is in the words of somebody else. */
  readonly isQuoted?: true;
  /** Only who wants everything wants it. */
  readonly isDetail?: boolean;
}

/** What of a report is shown, and in which order. */
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

/** The title of causes that break what is presumed alone. */
export const WORTH_A_LOOK = 'Worth a look';

function groupsOf(report: Report): CauseGroup[] {
  // Without a verdict what was seen means nothing.
  const views = report.verdict === 'no verdict' ? [] : causeViews(report);
  const presumed = views.filter(({ cause }) => isWorthALook(cause));
  const once = views.filter(
    ({ cause }) => !isWorthALook(cause) && cause.confirmation?.outcome === 'not seen again',
  );
  const broken = views.filter((one) => !presumed.includes(one) && !once.includes(one));
  return [
    { id: 'findings', title: 'What is broken', note: '', causes: broken },
    {
      id: 'seen-once',
      title: 'Seen once, and not again when it was tried',
      note: 'this does not gate',
      causes: once,
    },
    {
      id: 'worth-a-look',
      title: WORTH_A_LOOK,
      note: 'presumed facts that the target does not keep; this does not gate without --strict presumed',
      causes: presumed,
    },
  ];
}

/** The causes of a report, each with what is said of it. */
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
 * What a finding says, whether it stands for a cause or is one of its instances.
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
    // What follows from the documents alone has no command.
    { label: 'reproduce', text: '', lines: steps ?? (curl === '' ? [] : [curl]), language: 'sh' },
    { label: 'tried', text: tried ?? '', isDetail: isPlain },
    ...consumers.map(({ consumer, touched, why }) => {
      return { label: touched === 'yes' ? 'touches' : 'may touch', text: `${consumer}: ${why}` };
    }),
  ];
  return facts.filter(({ text, lines = [] }) => text !== '' || lines.length > 0);
}

/** Findings that a line names. */
const MOST_KEYS = 3;

function factsOfCause(
  { statuses = [], followUps, owner = '', count: seen }: Cause,
  { times }: ReportedFinding,
  ids: readonly string[],
  isBreak: boolean,
): Fact[] {
  const byStatus = Map.groupBy(statuses, ({ status }) => status);
  const explained = followUps.reduce((sum, one) => sum + one.count, 0);
  const facts: Fact[] = [
    // Of one operation the title says it all.
    ...(statuses.length < 2 ? [] : [...byStatus]).map(([status, own]) => {
      const names = own.map(({ operationId }) => operationId);
      return { label: 'answered', text: `${status} by ${someOf(names, MOST_NAMED)}` };
    }),
    isBreak
      ? {
          label: 'also',
          text: someOf(
            ids.slice(1).map((id) => id.replace(/\/compat$/, '')),
            MOST_NAMED,
          ),
        }
      : ids.length === 1
        ? { label: 'case', text: ids.join(), isDetail: true }
        : { label: 'cases', text: `${ids.length}: ${ids.join(', ')}`, isDetail: true },
    {
      label: 'explains',
      text:
        explained === 0
          ? ''
          : `${count(explained, 'finding')}: ${someOf(
              followUps.map(({ key }) => key),
              MOST_KEYS,
            )}`,
      isDetail: true,
    },
    { label: 'owner', text: owner, isDetail: true },
    { label: 'seen', text: times !== undefined && seen > 1 ? `${seen} times` : '' },
  ];
  return facts.filter(({ text }) => text !== '');
}

/** What came, what is documented, and what settles whether that is meant. */
export function inOneLine(facts: readonly Fact[]): string {
  const said = facts.filter(({ isQuoted }) => isQuoted);
  return said.map(({ label, text }) => `${label} ${text}`).join('; ');
}
