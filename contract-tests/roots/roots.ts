import type { Contract } from '#spec';
import { compareEase, easeOf, type Finding } from '../laws/finding.ts';
import { presumedIn } from '../laws/law.ts';
import { isSuccess } from '../send/response.ts';
import { compileExplain, type Group } from './explanations.ts';
import { type Facts, factsOf, type Rule } from './facts.ts';
import {
  errorForms,
  MESSAGE_RULES,
  missingMembers,
  NEW_RECORD_LAWS,
  RECORD_RULES,
  shownAsSent,
} from './record-rules.ts';
import { statusRules } from './status-rules.ts';

/** One problem of a service, however many findings show it. */
export interface Root {
  /** Its identity across runs; the key of its findings, if they share a named place in the document. */
  readonly key: string;
  /** Method, path and problem, in words. */
  readonly title: string;
  /** The findings of the root itself, the easiest to reproduce first. */
  readonly findings: readonly Finding[];
  /** Findings that the root explains. */
  readonly followUps: readonly FollowUp[];
}

/** Findings of one key that another root explains. */
export interface FollowUp {
  readonly key: string;
  readonly findings: readonly Finding[];
}

/** Groups findings by the problem of the service, in the order in which they were found. */
export function rootsOf(findings: readonly Finding[], contract: Contract): readonly Root[] {
  const isOpen = findings.some(
    ({ law, exchange }) => law === 'unauthorised-first' && isSuccess(exchange.response),
  );
  const all = findings.map((finding) => factsOf(finding, contract, isOpen));
  const ofBodies = [errorForms(all), shownAsSent(all), missingMembers(all)];
  const rules: readonly Rule[] = [...statusRules(all), ...ofBodies, ...MESSAGE_RULES, ...RECORD_RULES];
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
  const groups = [...byKey].map(
    ([key, entries]): Group => ({ key, entries: entries as [Facts, ...Facts[]] }),
  );
  const { direct, explained } = fold(groups, contract);
  return groups.flatMap((group) => {
    const entries = direct.get(group) ?? [];
    const [best, ...others] = entries.toSorted((left, right) =>
      compareEase(easeOf(left.finding), easeOf(right.finding)),
    );
    if (!best) return [];
    const inOrder = [best, ...entries.filter((entry) => others.includes(entry))] as const;
    const title = ruleOf.get(group.key)?.titleOf(inOrder) ?? best.finding.key;
    const followUps = Map.groupBy(explained.get(group) ?? [], ({ finding }) => finding.key);
    return {
      key: group.key,
      title,
      findings: inOrder.map(({ finding }) => finding),
      followUps: [...followUps].map(([key, facts]) => ({
        key,
        findings: facts.map(({ finding }) => finding),
      })),
    };
  });
}

/** Moves explained findings to the group that explains them. Of groups that explain each other, the first one remains. */
function fold(groups: readonly Group[], contract: Contract) {
  const explain = compileExplain(groups, contract);
  const culprits = new Map(
    groups.map((group) => [group, new Map(group.entries.map((facts) => [facts, explain(facts, group)]))]),
  );
  /** If a group is explained as a whole, the findings that it explains move on to its own explanation. */
  function standing(group: Group, seen: ReadonlySet<Group>): Group | undefined {
    const all = [...(culprits.get(group)?.values() ?? [])];
    const [first] = all;
    if (!first || all.includes(undefined)) return group;
    return seen.has(first) ? undefined : standing(first, new Set([...seen, first]));
  }
  const direct = new Map<Group, Facts[]>(groups.map((group) => [group, []]));
  const explained = new Map<Group, Facts[]>(groups.map((group) => [group, []]));
  for (const group of groups)
    for (const facts of group.entries) {
      const culprit = culprits.get(group)?.get(facts);
      const top = culprit && standing(culprit, new Set([group, culprit]));
      const target = top && (isDoubtful(facts) || !top.entries.every(isDoubtful)) ? top : undefined;
      if (target) explained.get(target)?.push(facts);
      else if (isNearest(facts, group)) direct.get(group)?.push(facts);
      else explained.get(group)?.push(facts);
    }
  return { direct, explained };
}

/** A presumed finding, or one that was not reproduced, cannot explain one that gates. */
const isDoubtful = ({ finding }: Facts) =>
  presumedIn(finding) !== undefined || finding.confirmation?.outcome === 'not seen again';

/** Whether a finding is the closest to its cause: the response to a create comes before a read and a list. */
function isNearest({ law }: Facts, { entries }: Group): boolean {
  const laws = entries.map((facts) => NEW_RECORD_LAWS.indexOf(facts.law));
  return laws.includes(-1) || NEW_RECORD_LAWS.indexOf(law) === Math.min(...laws);
}
