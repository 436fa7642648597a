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

/** How a change that the documents show was shown by running, too. */
export interface Proof {
  readonly change: Change;
  /** Requests that NEW refuses. */
  readonly breaks: readonly Break[];
  /** What the suite of OLD says of the mock of NEW. */
  readonly laws: readonly SuiteBreak[];
  /** A value that the one document allows at that place, and the other does not; undefined: none was looked for. */
  readonly value: string | undefined;
  /** Why it stands without a request or a value; undefined: it does not. */
  readonly unshown: string | undefined;
}

export interface Proven {
  readonly proofs: readonly Proof[];
  /** What running shows, and no rule. */
  readonly others: readonly Break[];
  readonly otherLaws: readonly SuiteBreak[];
  /** Changes of a breaking rule of which no value shows anything. */
  readonly refuted: readonly Change[];
}

/**
 * Brings together what the documents say and what running has shown. A rule about values stands if a request, a response or
 * a value at its place shows it; all others stand by themselves.
 * @param laws what the suite of OLD says of NEW
 * @param wasTried whether requests to an operation were tried
 */
export async function prove(
  contracts: Contracts,
  changes: readonly Change[],
  { breaks, laws }: { readonly breaks: readonly Break[]; readonly laws: readonly SuiteBreak[] },
  wasTried: (id: string) => boolean,
  pace: Pace,
): Promise<Proven> {
  const found = new Map<Change, Break[]>(changes.filter(isBreakingRule).map((change) => [change, []]));
  const others: Break[] = [];
  for (const one of breaks) {
    const change = one.change ?? bestMatch([...found.keys()], one);
    if (change) found.get(change)?.push(one);
    else others.push(one);
  }
  const proofs: Proof[] = [];
  const stand = (change: Change, more: Partial<Proof>) =>
    void proofs.push({ change, breaks: [], laws: [], value: undefined, unshown: undefined, ...more });
  const refuted: Change[] = [];
  for (const [change, shown] of found) {
    if (shown.length > 0) stand(change, { breaks: shown });
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
    const own = fresh.filter((law) => isOfLost(proof.change, law));
    return own.length === 0 ? proof : { ...proof, laws: own, unshown: undefined };
  });
  const known = new Set(withLaws.flatMap((proof) => proof.laws));
  return { proofs: withLaws, others, otherLaws: fresh.filter((law) => !known.has(law)), refuted };
}

/** NEW breaks a law where a request has a parameter that it lacks, and that OLD gives a meaning. */
function isOfLost({ rule, sites }: Change, { finding: { exchange } }: SuiteBreak): boolean {
  if (ruleOf(rule).shownBy !== 'parameter') return false;
  const names = namesInQuery(exchange.operation, exchange.request.url.search.slice(1)).named;
  return sites.some(
    ({ operation, within }) =>
      operation?.id === exchange.operation.id &&
      names.some((name) => within === `the query parameter \`${name}\``),
  );
}

/** Texts of requests are tried as they are sent, but for the headers of parts. */
function isSent({ direction, level, sites }: Change): boolean {
  const isOfPart = sites.some(({ within }) => within.startsWith('the header'));
  return direction === 'request' && !isOfPart && (!level || isOfText(level));
}

/** What is sent is a text; which value it stands for, who reads it says. */
function isOfText({ written: { wire }, old: { shape } }: Level): boolean {
  return wire === 'text' || (wire === 'xml' && shape.mainType !== 'object' && shape.mainType !== 'array');
}

function isBreakingRule({ rule, direction }: Change): boolean {
  return ruleOf(rule)[direction] === 'breaking';
}

/** The change that a break is about: at the same place of the operation, of the keyword if there are several. */
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
function rankOf({ rule }: Change, own: readonly string[], steps: readonly string[], keyword: string): number {
  const { keywords, isOpen } = ruleOf(rule);
  const isAlong = own.slice(0, steps.length).every((segment, index) => fits(segment, steps[index] ?? ''));
  if (!isAlong) return 0;
  if (own.length === steps.length) return keywords?.includes(keyword) ? 4 : 2;
  // What follows from a variant or a condition shows within it; of several variants the validator says only that none fits.
  return (own.length < steps.length ? isOpen : GENERAL.has(keyword)) ? 1 : 0;
}

const GENERAL = new Set(['oneOf', 'anyOf', 'not', 'if', 'discriminator', 'false schema', 'type']);

function fits(segment: string, step: string): boolean {
  if (segment.startsWith('[')) return /^\d+$/.test(step);
  return segment === '*' || segment.startsWith('/') || segment === step;
}

/** Whether a value fits both documents at one place, and what each of them says there. */
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
    mine: level.old.shape,
    theirs: level.new.shape,
  };
}

/** A value at the place of a change that who sends it may send, and who receives it does not expect. */
function witness(contracts: Contracts, { level, direction, sites }: Change): string | undefined {
  if (!level) return undefined;
  const { isOld, isNew, mine, theirs } = checksOf(contracts, level, direction);
  const parts = { old: [...mine.parts], new: [...theirs.parts] };
  const [sends, takes] = direction === 'request' ? [isOld, isNew] : [isNew, isOld];
  const [own, other] = direction === 'request' ? [parts.old, parts.new] : [parts.new, parts.old];
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  // Where something was ignored, a value that seems to fit is no evidence.
  if (!wasReadWhole(contracts.old, parts.old, []) || !wasReadWhole(contracts.new, parts.new, []))
    return undefined;
  const reader = direction === 'request' ? theirs : mine;
  const isOfHeader = sites.some(({ within }) => within.startsWith('the header'));
  const readings = (value: unknown) => {
    if (!isOfText(level) || value === undefined) return [value];
    if (typeof value !== 'object' || value === null) return [decodeText(String(value), reader)];
    // One line, whatever its parts are.
    return isOfHeader ? [value, decodeText(Object.values(value).join(), reader)] : [value];
  };
  for (const value of candidates(parts.old, parts.new))
    if (sends(value) && !readings(value).some(takes) && isDocumented(own, other, value, hidden))
      return shortenText(stringifyJson(value), 160);
  return undefined;
}
