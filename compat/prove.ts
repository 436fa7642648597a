import { type Contract, decodeText, namesInQuery, shortenText, stringifyJson } from '#spec';
import type { Break } from './break.ts';
import { candidates } from './candidates.ts';
import type { Change } from './changes/change.ts';
import { type Form, isMeant } from './changes/forms.ts';
import { type Direction, ruleOf } from './changes/rules.ts';
import type { Level } from './changes/schema-changes.ts';
import { isDocumented, wasReadWhole } from './members.ts';
import type { Pace } from './pace.ts';
import type { Contracts } from './pair.ts';
import { freshBreaks, type SuiteBreak } from './suite-breaks.ts';

/** The proof of a change by running. */
export interface Proof {
  readonly change: Change;
  /** Requests that NEW rejects. */
  readonly breaks: readonly Break[];
  /** Findings of OLD's suite for the mock of NEW. */
  readonly laws: readonly SuiteBreak[];
  /** A value that only one document allows at that place; undefined: none was searched for. */
  readonly value: string | undefined;
  /** Why it needs no request or value as proof; undefined: it does. */
  readonly unshown: string | undefined;
}

export interface Proven {
  readonly proofs: readonly Proof[];
  /** Breaks that no rule covers. */
  readonly others: readonly Break[];
  readonly otherLaws: readonly SuiteBreak[];
  /** Changes of a breaking rule that no value proves. */
  readonly refuted: readonly Change[];
}

/**
 * Combines the changes of the documents with the results of running. A rule about values is confirmed by a request, a
 * response or a value at its place; all others need no proof.
 * @param laws what the suite of OLD finds in NEW
 * @param wasTried whether requests to an operation were tried
 */
export async function prove(
  contracts: Contracts,
  changes: readonly Change[],
  { breaks, laws }: { readonly breaks: readonly Break[]; readonly laws: readonly SuiteBreak[] },
  wasTried: (id: string) => boolean,
  pace: Pace,
): Promise<Proven> {
  const breaksOf = new Map<Change, Break[]>(changes.filter(isBreakingRule).map((change) => [change, []]));
  const others: Break[] = [];
  for (const one of breaks) {
    const change = one.change ?? bestMatch([...breaksOf.keys()], one);
    if (change) breaksOf.get(change)?.push(one);
    else others.push(one);
  }
  const proofs: Proof[] = [];
  const stand = (change: Change, more: Partial<Proof>) =>
    void proofs.push({ change, breaks: [], laws: [], value: undefined, unshown: undefined, ...more });
  const refuted: Change[] = [];
  for (const [change, evidence] of breaksOf) {
    if (evidence.length > 0) stand(change, { breaks: evidence });
    else if (!ruleOf(change.rule).byValues)
      stand(change, { unshown: change.direction === 'request' ? 'no mock shows it' : undefined });
    else if (
      isSent(change) &&
      pace.stopped() === undefined &&
      change.operations.some(({ id }) => wasTried(id))
    )
      refuted.push(change);
    else if (change.level) {
      await pace.breathe();
      const stopped = pace.stopped();
      const value = stopped === undefined ? witness(contracts, change) : undefined;
      if (stopped !== undefined) stand(change, { unshown: stopped });
      else if (value === undefined) refuted.push(change);
      else stand(change, { value });
    } else stand(change, { unshown: pace.stopped() ?? 'no request could be tried' });
  }
  const responses = proofs.filter(({ change }) => change.direction === 'response');
  const bodies = new Set(responses.flatMap(({ change }) => change.operations.map(({ id }) => id)));
  const fresh = freshBreaks(laws, breaks, bodies);
  const withLaws = proofs.map((proof) => {
    const lawsOfChange = fresh.filter((law) => isOfLost(proof.change, law));
    return lawsOfChange.length === 0 ? proof : { ...proof, laws: lawsOfChange, unshown: undefined };
  });
  const explained = new Set(withLaws.flatMap((proof) => proof.laws));
  return { proofs: withLaws, others, otherLaws: fresh.filter((law) => !explained.has(law)), refuted };
}

/** Whether a finding is due to a parameter in the request that NEW lacks, and to which OLD gives a meaning. */
function isOfLost({ rule, sites }: Change, { finding: { exchange } }: SuiteBreak): boolean {
  if (ruleOf(rule).shownBy !== 'parameter') return false;
  const names = namesInQuery(exchange.operation, exchange.request.url.search.slice(1)).named;
  return sites.some(
    ({ operation, within }) =>
      operation?.id === exchange.operation.id &&
      names.some((name) => within === `the query parameter \`${name}\``),
  );
}

/** Values in requests are tried as they are encoded, except for headers of parts. */
function isSent({ direction, level, sites }: Change): boolean {
  const isOfPart = sites.some(({ within }) => within.startsWith('the header'));
  return direction === 'request' && !isOfPart && (!level || isOfText(level));
}

/** Whether a value is sent as text: the reader decides which value it stands for. */
function isOfText({ written: { wire }, old: { shape } }: Level): boolean {
  return wire === 'text' || (wire === 'xml' && shape.mainType !== 'object' && shape.mainType !== 'array');
}

function isBreakingRule({ rule, direction }: Change): boolean {
  return ruleOf(rule)[direction] === 'breaking';
}

/** The change that a break belongs to: at the same place of the operation and, of several, for its keyword. */
function bestMatch(changes: readonly Change[], one: Break): Change | undefined {
  const { site, operation } = one;
  if (!site) return undefined;
  let best: { change: Change; rank: number } | undefined;
  for (const change of changes) {
    if (change.direction === 'response') continue;
    for (const at of change.sites) {
      if (at.operation?.id !== operation.id || (at.within !== site.within && at.within !== '')) continue;
      const rank = rankOf(change, at.steps, site.steps, site.keyword);
      if (rank > (best?.rank ?? 0)) best = { change, rank };
    }
  }
  return best?.change;
}

/** 0: it is about something else. */
function rankOf(
  { rule }: Change,
  path: readonly string[],
  steps: readonly string[],
  keyword: string,
): number {
  const { keywords, isOpen } = ruleOf(rule);
  const isAlong = path.slice(0, steps.length).every((segment, index) => fits(segment, steps[index] ?? ''));
  if (!isAlong) return 0;
  if (path.length === steps.length) return keywords?.includes(keyword) ? 4 : 2;
  // A change of a variant or condition may appear below it; for variants, the validator reports only that none matches.
  return (path.length < steps.length ? isOpen : GENERAL.has(keyword)) ? 1 : 0;
}

const GENERAL = new Set(['oneOf', 'anyOf', 'not', 'if', 'discriminator', 'false schema', 'type']);

function fits(segment: string, step: string): boolean {
  if (segment.startsWith('[')) return /^\d+$/.test(step);
  return segment === '*' || segment.startsWith('/') || segment === step;
}

/** Checks whether a value is valid in both documents at a place, and the schemas for it. */
export function checksOf({ old, new: next }: Contracts, level: Level, direction: Direction) {
  const compile = (contract: Contract, form: Form) => {
    const checks = form.shape.parts.map((spot) => contract.validators.compile(spot, direction));
    return (value: unknown) =>
      (form.nullable && value === null) ||
      (isMeant(form, value) && checks.every((check) => check(value).length === 0));
  };
  return {
    isOld: compile(old, level.old),
    isNew: compile(next, level.new),
    oldShape: level.old.shape,
    newShape: level.new.shape,
  };
}

/** A value at the place of a change that the sender may send, and the receiver does not expect. */
function witness(contracts: Contracts, { level, direction, sites }: Change): string | undefined {
  if (!level) return undefined;
  const { isOld, isNew, oldShape, newShape } = checksOf(contracts, level, direction);
  const parts = { old: [...oldShape.parts], new: [...newShape.parts] };
  const [sends, takes] = direction === 'request' ? [isOld, isNew] : [isNew, isOld];
  const [sender, receiver] = direction === 'request' ? [parts.old, parts.new] : [parts.new, parts.old];
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  // Where something was ignored, a value that seems valid proves nothing.
  if (!wasReadWhole(contracts.old, parts.old, []) || !wasReadWhole(contracts.new, parts.new, []))
    return undefined;
  const reader = direction === 'request' ? newShape : oldShape;
  const isOfHeader = sites.some(({ within }) => within.startsWith('the header'));
  const readings = (value: unknown) => {
    if (!isOfText(level) || value === undefined) return [value];
    if (typeof value !== 'object' || value === null) return [decodeText(String(value), reader)];
    // A header is one line, whatever its parts are.
    return isOfHeader ? [value, decodeText(Object.values(value).join(), reader)] : [value];
  };
  for (const value of candidates(parts.old, parts.new))
    if (sends(value) && !readings(value).some(takes) && isDocumented(sender, receiver, value, hidden))
      return shortenText(stringifyJson(value), 160);
  return undefined;
}
