import type { Spot } from '../document/spot.ts';
import { singularName } from '../meaning/names.ts';
import { sentencesOf } from '../stated.ts';

/** What descriptions say of records that belong to others, in recognised words. */

/** What says that there is something, and of what: `still has pets`, `pets that belong to it`. Another word between may limit it. */
const HAS =
  /\b(?:has|have|contains?|holds?|owns?|(?:used|referenced|needed) by)(?: (?:any|some|existing|one or more|at least one))?$/i;
const BELONGS =
  /^(?:(?:that|which|still|there|are) )*(?:belong|depend|refer|remain|exist|assigned|attached|left)/i;
/** What says it of no records in particular. */
const HOLDS_SOME =
  /\b(?:not empty|in use|still (?:used|referenced)|referenced by|has (?:children|dependents))\b/i;
const DENIES = /\b(?:no|never|not(?! empty))\b/i;
const HEDGES = /\b(?:may|might|can|could|should|unless|except|depending|optionally|if)\b/i;

/** Whether a refusal is said to be for records of this name, or for some that it does not name. */
export function saysHeld(spot: Spot, noun: string): 'named' | 'unnamed' | undefined {
  const said = sentencesOf(spot).filter((one) => !DENIES.test(one));
  const isNamed = said.some((one) =>
    around(one, noun).some(([before, after]) => HAS.test(before) || BELONGS.test(after)),
  );
  if (isNamed) return 'named';
  return said.some((one) => HOLDS_SOME.test(one)) ? 'unnamed' : undefined;
}

/** `of this owner`, `belongs to that owner`, `another owner's`. */
const THIS =
  /\b(?:of|for|to|by|under|below|within|in) (?:this|that|the (?:given|same|named|specified)|another|its)$/i;

/** Whether records of one name are said to be of this one record of the other name alone: `There is no such pet of this owner`. */
export function saysApart(spot: Spot, noun: string, parent: string): boolean {
  return sentencesOf(spot).some(
    (one) =>
      !HEDGES.test(one) &&
      around(one, noun).length > 0 &&
      around(one, parent).some(([before]) => THIS.test(before)),
  );
}

/** `and all of its pets`, `with the pets`. */
const TOO = /\b(?:and|with|including|as well as)(?: all)?(?: of)?(?: (?:its|their|his|her|the))?$/i;

/** Whether a removal is said to take records of this name along. */
export function saysTaken(spot: Spot, noun: string): boolean {
  return sentencesOf(spot).some(
    (one) => !HEDGES.test(one) && !DENIES.test(one) && around(one, noun).some(([before]) => TOO.test(before)),
  );
}

/** What stands before and after each mention of a name, in the singular or in the plural. */
function around(sentence: string, noun: string): [before: string, after: string][] {
  return [...sentence.matchAll(/[\p{L}\p{N}_-]+/gu)].flatMap(({ 0: word, index }) => {
    if (singularName(word) !== noun) return [];
    return [[sentence.slice(0, index).trim(), sentence.slice(index + word.length).trim()]];
  });
}
