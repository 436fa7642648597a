import { LOOKALIKES } from './all-lookalikes.ts';
import { MUTANTS } from './all-mutants.ts';
import type { JudgeVerdict } from './judges.ts';
import { SHIPPED_DOCUMENT } from './suspect.ts';
import type { Outcome } from './try-suspect.ts';

/** The verdicts of suite and judges on one suspect, as the page shows them. */
export interface JudgedRow {
  readonly name: string;
  readonly suite: string;
  readonly dredd: string;
  readonly prism: string;
}

export const VERDICTS = {
  killed: 'killed',
  notSeen: 'not seen',
  accepted: 'accepted',
  refused: '**refused**',
  /** It judged none of the responses. */
  silent: 'says nothing',
} as const;

/** Suspects of the shipped document, and those of all others. */
export const GROUPS = [
  { title: 'Pet Store', ...suspectsOf((document) => document === SHIPPED_DOCUMENT) },
  { title: 'Other documents', ...suspectsOf((document) => document !== SHIPPED_DOCUMENT) },
] as const;

function suspectsOf(isOwn: (document: string) => boolean) {
  const namesOf = (suspects: readonly { name: string; document: string }[]) =>
    suspects.filter(({ document }) => isOwn(document)).map(({ name }) => name);
  return { mutants: namesOf(MUTANTS), lookalikes: namesOf(LOOKALIKES) };
}

/** Correct services: an objection to one of them is not caused by a fault. */
export const PLAIN = /-as-it-is$/;

export function judgedRows(outcomes: readonly Outcome[]): JudgedRow[] {
  const documents = new Map([...MUTANTS, ...LOOKALIKES].map(({ name, document }) => [name, document]));
  const plain = outcomes.filter(({ name }) => PLAIN.test(name));
  return outcomes.flatMap(({ name, kind, fault, verdicts }) => {
    if (!verdicts) return [];
    const baseline = plain.find((one) => documents.get(one.name) === documents.get(name))?.verdicts;
    const word = (judge: 'dredd' | 'prism') =>
      kind === 'mutant' ? ofMutant(verdicts[judge], baseline?.[judge]) : ofLookalike(verdicts[judge]);
    return [{ name, suite: ofSuite(kind, fault), dredd: word('dredd'), prism: word('prism') }];
  });
}

function ofSuite(kind: Outcome['kind'], fault: string | undefined): string {
  if (kind === 'lookalike') return fault === undefined ? VERDICTS.accepted : VERDICTS.refused;
  return fault === undefined ? VERDICTS.killed : `**${fault}**`;
}

function ofMutant({ judged, violations }: JudgeVerdict, baseline: JudgeVerdict | undefined): string {
  if (judged === 0) return VERDICTS.silent;
  const always = new Set(baseline?.violations.map(subjectOf));
  return violations.some((text) => !always.has(subjectOf(text))) ? VERDICTS.killed : VERDICTS.notSeen;
}

function ofLookalike({ judged, violations }: JudgeVerdict): string {
  if (judged === 0) return VERDICTS.silent;
  return violations.length > 0 ? VERDICTS.refused : VERDICTS.accepted;
}

/** The operation and the status of the response. */
function subjectOf(violation: string): string {
  return violation.replace(/: .*/s, '');
}
