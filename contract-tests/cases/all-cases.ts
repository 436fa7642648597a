import { type Contract, count } from '#spec';
import type { Settings } from '../settings/settings.ts';
import { callbacks } from './callbacks.ts';
import type { Case, Family } from './case.ts';
import { changes, mergePatches, removals } from './change.ts';
import { conditionals } from './conditional.ts';
import { creates, references, refusedLeavesNothing, repeated, upserts } from './create.ts';
import { documentedExamples } from './documented-examples.ts';
import { invalidBody, invalidParameter } from './invalid-body.ts';
import { issuedKeys } from './issued-keys.ts';
import { keysets } from './keyset.ts';
import { completeLists, filters, inTheEnd, queries, reads } from './lists.ts';
import { jobs, several } from './many.ts';
import { files, heads, tables } from './media.ts';
import { heldRecords, nested } from './nested.ts';
import { acceptable, ordinary, preferred, xmlBodies } from './ordinary.ts';
import { combinations, pageSizes, pages } from './pages.ts';
import { provoked } from './provoked.ts';
import { races } from './races/races.ts';
import { readOnly } from './read-only.ts';
import { sequences } from './sequences/sequences.ts';
import { acted, states } from './states.ts';
import { counts, firstSummaries, summaries } from './tallies.ts';
import { alternatives, otherSchemes, unauthorised } from './unauthorised.ts';
import { uniqueValues } from './unique.ts';
import { unknownIds } from './unknown-id.ts';
import { generated, unusualBodies } from './unusual-body.ts';
import { strangeReads, strangeRecords, unknownPaths } from './unusual-request.ts';

const isUnsafe = ({ unsafe }: Case) => unsafe;
const isSafe = ({ unsafe }: Case) => !unsafe;
const isQuiet = ({ quiet = false }: Case) => quiet;

function only(isMeant: (one: Case) => boolean, family: Family): Family {
  return (contract, settings) => Iterator.from(family(contract, settings)).filter(isMeant);
}

/** Reads that need no known value: their responses may supply values for other operations. */
const READS: readonly Family[] = [only((one) => isSafe(one) && needsNothing(one), ordinary), firstSummaries];

/** Cases that collect the target's records, and cases that must be rejected before a record is looked up. */
const FIRST: readonly Family[] = [
  only((one) => isSafe(one) && !needsNothing(one), ordinary),
  // Some of these have no result before the run has created something.
  only(isSafe, filters),
  only(isUnsafe, ordinary),
  refusedLeavesNothing,
  only(isQuiet, creates),
  // They create few records each; longer cases would exhaust the budget.
  uniqueValues,
  heldRecords,
  references,
  repeated,
  several,
  jobs,
  states,
  acted,
  upserts,
  only(isUnsafe, documentedExamples),
  unauthorised,
  alternatives,
  otherSchemes,
  issuedKeys,
  only(isUnsafe, filters),
  reads,
  unknownIds,
  unknownPaths,
  invalidParameter,
  acceptable,
  strangeReads,
  heads,
  files,
  only(isSafe, documentedExamples),
];

/** Cases that create and change the run's records, the longest first. */
const WRITES: readonly Family[] = [
  sequences,
  races,
  only((one) => !isQuiet(one), creates),
  unusualBodies,
  strangeRecords,
  readOnly,
  changes,
  mergePatches,
  xmlBodies,
  conditionals,
  nested,
  only(isUnsafe, counts),
  removals,
  invalidBody,
  only(isUnsafe, completeLists),
  generated,
];

/**
 * Cases run in parallel within a phase. Reads come first: they show what the target's records look like before the run
 * adds its own. Lists are compared with each other when the run creates no more records; by then a target with few records
 * has enough of them. What the user provokes, such as a rate limit, disturbs neither.
 */
const PHASES: readonly (readonly Family[])[] = [
  READS,
  FIRST,
  WRITES,
  // A service may drop a record whose callback gets an error.
  [callbacks, provoked],
  [only(isUnsafe, pages), only(isUnsafe, queries)],
  [
    only(isSafe, completeLists),
    pageSizes,
    tables,
    keysets,
    summaries,
    only(isSafe, counts),
    combinations,
    only(isSafe, queries),
    only(isSafe, pages),
    inTheEnd,
  ],
];

const STATELESS_PHASES: readonly (readonly Family[])[] = [[preferred]];

/** All cases of a contract, in the order in which they start. */
export function* allCases(contract: Contract, settings: Settings): Generator<Case, void> {
  const phases = settings.stateless ? STATELESS_PHASES : PHASES;
  for (const [phase, families] of phases.entries()) {
    const looksBack = phase === phases.length - 1;
    for (const family of families)
      for (const one of family(contract, settings)) yield { ...one, phase, looksBack };
  }
}

/** What only a disposable target receives, of the selected cases; undefined: nothing. */
export function notTried(contract: Contract, settings: Settings): string | undefined {
  const { disposable, stateless } = settings;
  if (disposable || stateless) return undefined;
  const isMeant = ({ id, unsafe }: Case) => (settings.writes || !unsafe) && settings.isChosen(id);
  const numberOf = (family: Family, config: Settings) =>
    Iterator.from(family(contract, config)).filter(isMeant).toArray().length;
  const broken = { ...settings, disposable: true };
  const raced = numberOf(races, broken);
  const near = numberOf(unauthorised, broken) - numberOf(unauthorised, settings);
  const parts = [
    ...(raced > 0 ? [count(raced, 'race')] : []),
    ...(near > 0 ? [`${near} near misses of the key`] : []),
  ];
  if (parts.length === 0) return undefined;
  return `not tried: ${parts.join(' and ')}, which could break the target; --disposable sends them`;
}

function needsNothing({ operation: { path, parameters } }: Case): boolean {
  return (
    !path.includes('{') && !parameters.some((parameter) => parameter.in === 'query' && parameter.required)
  );
}
