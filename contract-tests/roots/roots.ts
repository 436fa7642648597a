import type { Contract } from '#spec';
import { compareEase, easeOf } from '../laws/ease.ts';
import type { Finding } from '../laws/finding.ts';
import { presumedIn } from '../laws/law.ts';
import { type Facts, factsOf } from './facts.ts';
import { explanations, type Group } from './follow-ups.ts';
import { errorForms, MESSAGE_RULES } from './message-rules.ts';
import { NEW_RECORD_LAWS, RECORD_RULES } from './record-rules.ts';
import type { Rule } from './rule.ts';
import { STATUS_RULES } from './status-rules.ts';

/** One thing that is wrong with a service, however many findings show it. */
export interface Root {
  /** Its identity in any run; that of its findings where they have one place in the document that has a name. */
  readonly key: string;
  /** Method, path and what is wrong, in words. */
  readonly title: string;
  /** The finding that is easiest to reproduce. */
  readonly best: Finding;
  /** Those that show the root itself, the best first. */
  readonly findings: readonly Finding[];
  /** Findings that the root explains. */
  readonly followUps: readonly FollowUp[];
}

/** Findings of one key that something else explains. */
export interface FollowUp {
  readonly key: string;
  readonly findings: readonly Finding[];
}

/** Groups findings by what is wrong with the service, in the order in which they were found. */
export function rootsOf(findings: readonly Finding[], contract: Contract): readonly Root[] {
  const all = findings.map((finding) => factsOf(finding, contract));
  const rules: readonly Rule[] = [...STATUS_RULES, errorForms(all), ...MESSAGE_RULES, ...RECORD_RULES];
  const ruleOf = new Map<string, Rule>();
  const byKey = Map.groupBy(all, (facts) => {
    for (const rule of rules) {
      const key = rule.keyOf(facts, contract);
      if (key === undefined) continue;
      ruleOf.set(key, ruleOf.get(key) ?? rule);
      return key;
    }
    return facts.finding.key;
  });
  const groups = [...byKey].map(([key, own]): Group => ({ key, own: own as [Facts, ...Facts[]] }));
  const { shown, explained } = fold(groups, contract);
  return groups.flatMap((group) => {
    const own = shown.get(group) ?? [];
    const [best, ...others] = own.toSorted((one, other) =>
      compareEase(easeOf(one.finding), easeOf(other.finding)),
    );
    if (!best) return [];
    const inOrder = [best, ...own.filter((one) => others.includes(one))] as const;
    const title = ruleOf.get(group.key)?.titleOf(inOrder) ?? best.finding.key;
    const followUps = Map.groupBy(explained.get(group) ?? [], ({ finding }) => finding.key);
    return {
      key: group.key,
      title,
      best: best.finding,
      findings: inOrder.map(({ finding }) => finding),
      followUps: [...followUps].map(([key, facts]) => ({
        key,
        findings: facts.map(({ finding }) => finding),
      })),
    };
  });
}

/** Moves what another group explains there. Of what explain each other the first stays. */
function fold(groups: readonly Group[], contract: Contract) {
  const explain = explanations(groups, contract);
  const culprits = new Map(
    groups.map((group) => [group, new Map(group.own.map((facts) => [facts, explain(facts, group)]))]),
  );
  /** Where a group is explained whole, what it would explain is explained by that. */
  function standing(group: Group, seen: ReadonlySet<Group>): Group | undefined {
    const all = [...(culprits.get(group)?.values() ?? [])];
    const [first] = all;
    if (!first || all.includes(undefined)) return group;
    return seen.has(first) ? undefined : standing(first, new Set([...seen, first]));
  }
  const shown = new Map<Group, Facts[]>(groups.map((group) => [group, []]));
  const explained = new Map<Group, Facts[]>(groups.map((group) => [group, []]));
  for (const group of groups)
    for (const facts of group.own) {
      const culprit = culprits.get(group)?.get(facts);
      const found = culprit && standing(culprit, new Set([group, culprit]));
      const target = found && (isPresumed(facts) || !found.own.every(isPresumed)) ? found : undefined;
      if (target) explained.get(target)?.push(facts);
      else if (isNearest(facts, group)) shown.get(group)?.push(facts);
      else explained.get(group)?.push(facts);
    }
  return { shown, explained };
}

/** Nobody is held to it: it is no reason for what somebody is held to. */
const isPresumed = ({ finding }: Facts) => presumedIn(finding) !== undefined;

/** Of what a create has made of a member its own response is the nearest; a read and a list follow. */
function isNearest({ law }: Facts, { own }: Group): boolean {
  const laws = own.map((facts) => NEW_RECORD_LAWS.indexOf(facts.law));
  return laws.includes(-1) || NEW_RECORD_LAWS.indexOf(law) === Math.min(...laws);
}
