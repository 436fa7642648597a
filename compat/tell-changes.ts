import type { ConsumerTouch, DocumentChange, LawName, Observation, ReportedFinding } from '#contract-tests';
import { keyAt } from '#report-parts';
import { placeOf, showPlace, toPointer } from '#spec';
import { type Break, breakAt, firstSuccess } from './break.ts';
import type { Change, Site } from './changes/change.ts';
import { ruleOf } from './changes/rules.ts';
import type { Compared } from './compare.ts';
import type { Proof } from './prove.ts';
import { reportBreak, reportLaw } from './report-break.ts';

interface Told {
  readonly changes: readonly DocumentChange[];
  readonly findings: readonly ReportedFinding[];
  readonly warnings: readonly Observation[];
}

/** All changes, with those that are findings, and those that are warnings. */
export function tellChanges(compared: Compared): Told {
  const { changes, proven } = compared;
  const proofs = new Map(proven.proofs.map((proof) => [proof.change, proof]));
  const refuted = new Set(proven.refuted);
  const fallback = compared.contracts.old.operations[0]?.id ?? '';
  const reportedChanges: DocumentChange[] = [];
  const findings: ReportedFinding[] = [];
  const warnings: Observation[] = [];
  for (const change of changes) {
    const proof = proofs.get(change);
    const isRefuted = refuted.has(change);
    const isBreaking = change.class === 'breaking' && !isRefuted;
    const isOfInterest = change.class === 'breaking' || change.class === 'warning';
    const key = keyOf(compared, change, proof?.breaks[0]);
    const touches = isOfInterest ? compared.touches?.ofChange(change) : undefined;
    if (isBreaking) findings.push(...findingsOf(compared, change, proof, key, touches));
    const reported: DocumentChange = {
      rule: change.rule,
      class: isRefuted ? 'warning' : change.class,
      subject: change.subject,
      text: sayChange(change),
      reason: isRefuted ? 'no value that was tried shows it' : change.reason,
      old: showPlace(placeOf(change.old)),
      new: showPlace(placeOf(change.new)),
      from: change.from,
      to: change.to,
      operations: change.operations.map(({ id }) => id),
      proof: isRefuted
        ? 'refuted'
        : proof &&
          (proof.breaks.length + proof.laws.length > 0
            ? 'tried'
            : proof.value === undefined
              ? 'documents'
              : 'value'),
      ...(touches && { consumers: touches }),
      key,
    };
    reportedChanges.push(reported);
    if (reported.class === 'warning') warnings.push(warningOf(fallback, reported));
  }
  return { changes: reportedChanges, findings, warnings };
}

function warningOf(
  fallback: string,
  { operations: [first = fallback], subject, text, from, to, old, new: next, reason }: DocumentChange,
): Observation {
  const at = from !== '' && to === '' ? old : next;
  return { caseId: `${first}/compat`, operationId: first, text: `${subject}: ${text}; ${reason} (${at})` };
}

/** The key of a change. Two changes at one place of OLD have different keys: a waiver of one does not cover the other. */
function keyOf({ contracts: { old } }: Compared, change: Change, shownBreak: Break | undefined): string {
  const spot = shownBreak?.oldSpot ?? change.old;
  const law = shownBreak?.law ?? lawOf(change);
  const last = spot.path.at(-1) ?? '';
  const isOwn = shownBreak && ruleOf(change.rule).keywords?.includes(last) && last !== 'required';
  const [{ steps = [], within = '' } = {}] = change.sites;
  // An addition has no place in OLD.
  const added = change.rule.endsWith('parameter-added') ? within.replace(/^the |`/g, '') : undefined;
  const member = steps.at(-1) ?? added;
  const kind = member === undefined ? change.rule : `${change.rule}:${member}`;
  const made = keyAt(old, { law }, placeOf(spot).uri, toPointer(spot.path));
  return isOwn ? made : `${law}/${kind}${made.slice(law.length)}`;
}

function lawOf({ direction, rule }: Change): LawName {
  return direction === 'request' ? 'status' : (ruleOf(rule).law ?? 'schema');
}

/** One finding for each operation, with the request that proves it, if there is one. */
function findingsOf(
  compared: Compared,
  change: Change,
  proof: Proof | undefined,
  key: string,
  touches: readonly ConsumerTouch[] | undefined,
): ReportedFinding[] {
  const { breaks = [], laws = [] } = proof ?? {};
  const findings =
    breaks.length > 0
      ? breaks.map((one) => reportBreak(compared, one, key, touches))
      : laws.flatMap((law) => reportLaw(compared, law, key, touches));
  const tried = new Set(findings.map(({ operationId }) => operationId));
  const others = [...new Map(change.sites.map((site) => [site.operation?.id ?? '', site])).values()];
  return [
    ...findings,
    ...others
      .filter(({ operation }) => !tried.has(operation?.id ?? ''))
      .map((site) => reportBreak(compared, asBreak(compared, change, proof, site), key, touches)),
  ];
}

/** A change that no request proves. */
function asBreak(
  { contracts }: Compared,
  change: Change,
  proof: Proof | undefined,
  { operation, status, within }: Site,
): Break {
  const owner = operation ?? contracts.old.operations[0];
  if (!owner) throw new Error('a document without operations has no change of one');
  const text = sayChange(change);
  const isLost = change.rule.endsWith('-removed') || change.rule.endsWith('-optional');
  const value = proof?.value;
  const received =
    value === undefined
      ? `${text}${proof?.unshown ? ` (not tried: ${proof.unshown})` : ''}`
      : `${text}: NEW ${change.direction === 'request' ? 'refuses' : 'allows'} ${value}`;
  return {
    ...breakAt(owner, change.old, placeOf(change.new)),
    status: status ?? firstSuccess(owner),
    law: lawOf(change),
    change,
    received,
    documented: change.from || (isLost ? change.subject : `${within || 'the operation'} without it`),
    request: undefined,
    answers: undefined,
  };
}

/** The change, in words: `maximum 5000 -> 4000`. */
function sayChange({ rule, from, to }: Pick<Change, 'rule' | 'from' | 'to'>): string {
  const { says, isLimit } = ruleOf(rule);
  if (says !== undefined) return says;
  const [name] = (to || from).split(' ');
  if (isLimit && name) {
    const sizeIn = (text: string) => text.slice(text.indexOf(' ') + 1) || 'none';
    return `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${sizeIn(from)} -> ${sizeIn(to)}`;
  }
  return `${rule.replaceAll('-', ' ')}${from || to ? ': ' : ''}${[from, to].filter(Boolean).join(' -> ')}`;
}
