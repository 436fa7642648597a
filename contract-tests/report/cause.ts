import type { Operation } from '#spec';
import type { Confirmation, Finding } from '../laws/finding.ts';
import { type LawName, promiseOf } from '../laws/law.ts';
import type { Root } from '../roots/roots.ts';
import type { ReportedFinding, WorthALook } from './reported-finding.ts';

/** What is broken: one thing that is wrong, however many findings show it. */
export interface Cause {
  /**
   * Its identity in any run; `known` accepts all of it by this key. That of a finding, `LAW/KIND#POINTER`, where they are of one
   * named place; of copies of one schema, parameter or header `~DIGEST` stands in place of the pointer to it.
   */
  readonly key: string;
  /** Method, path and what is wrong, in words. */
  readonly title: string;
  readonly law: LawName;
  readonly at: string;
  /** JSON Pointer of the place. */
  readonly pointer: string;
  /** False: none of its findings gates. */
  readonly gates: boolean;
  /** All of its findings break a fact that is presumed; undefined: one breaks what the document promises. */
  readonly worthALook?: WorthALook;
  /** Accepted until that day, by all of its findings. */
  readonly knownUntil: string | undefined;
  /** The finding that is easiest to reproduce, as an index into `findings`. */
  readonly finding: number;
  readonly received: string;
  readonly documented: string;
  readonly curl: string;
  readonly steps: readonly string[] | undefined;
  /** What the tries to reproduce it have shown; undefined: others have sent the requests. */
  readonly confirmation?: Confirmation | undefined;
  /** The ids of the cases that have seen it. */
  readonly cases: readonly string[];
  /** Three at most, of different operations where it is of several; the first is the one that is shown. */
  readonly instances: readonly Instance[];
  /** How many requests have shown it. */
  readonly count: number;
  /** The operations that have shown it. */
  readonly operations: readonly string[];
  /** Who has to do with it: `x-owner` of the first operation, else its first tag; undefined: it has neither. */
  readonly owner?: string | undefined;
  /** Which statuses came of which operation, where that is what is wrong. */
  readonly statuses: readonly SeenStatus[] | undefined;
  /** What it explains: findings by their keys. */
  readonly followUps: readonly { readonly key: string; readonly count: number }[];
}

export interface Instance {
  readonly caseId: string;
  readonly operationId: string;
  readonly received: string;
  readonly curl: string;
}

export interface SeenStatus {
  readonly operationId: string;
  readonly status: number;
  readonly count: number;
}

const MOST_INSTANCES = 3;

/**
 * Roots as data, those that gate first.
 * @param reported each finding as data, in their order
 */
export function causesOf(roots: readonly Root[], reported: ReadonlyMap<Finding, ReportedFinding>): Cause[] {
  const all = [...reported.values()];
  const asData = (findings: readonly Finding[]) => findings.flatMap((one) => reported.get(one) ?? []);
  const causes = roots.map((root): Cause => {
    const followUps = root.followUps.map(({ key, findings }) => ({ key, count: findings.length }));
    const own = asData(root.findings);
    const explained = asData(root.followUps.flatMap(({ findings }) => findings));
    const cause = causeOf(root.key, root.title, own, all);
    const names = [...new Set(root.findings.map((one) => one.exchange.operation.id))];
    const count = countOf(root.findings, own);
    return {
      ...cause,
      title: `${root.title}${extentOf({ count, operations: names })}`,
      gates: [...own, ...explained].some(({ gates }) => gates),
      knownUntil: knownUntilOf([...own, ...explained]),
      count,
      operations: names,
      owner: ownerOf(root.findings[0]?.exchange.operation),
      statuses: statusesOf(root),
      followUps,
    };
  });
  return gatingFirst(causes);
}

function ownerOf(operation: Operation | undefined): string | undefined {
  const said = operation && (operation.spot.value as { readonly 'x-owner'?: unknown })['x-owner'];
  return typeof said === 'string' ? said : operation?.tags[0];
}

/** Groups findings that have nothing but their keys in common: the first one that gates is shown. */
export function groupByCause(findings: readonly ReportedFinding[]): Cause[] {
  const groups = Map.groupBy(findings, ({ key }) => key);
  return gatingFirst(
    [...groups].map(([key, group]) => {
      const own = group.toSorted((one, other) => Number(other.gates) - Number(one.gates)) as [
        ReportedFinding,
      ];
      return causeOf(key, `${own[0].caseId}: ${promiseOf(own[0])}`, own, findings);
    }),
  );
}

/** Those that gate first, then those that no try has shown again, and last those that are worth a look. */
export function gatingFirst(causes: readonly Cause[]): Cause[] {
  const rank = (cause: Cause) =>
    Number(!cause.gates) +
    Number(cause.confirmation?.outcome === 'not seen again') +
    2 * Number(isWorthALook(cause));
  return causes.toSorted((one, other) => rank(one) - rank(other));
}

/** @param own the one that is shown first */
function causeOf(
  key: string,
  title: string,
  own: readonly ReportedFinding[],
  all: readonly ReportedFinding[],
): Cause {
  const [shown] = own as [ReportedFinding];
  const isOwn = new Set(own);
  const inOrder = all.filter((one) => isOwn.has(one));
  const { law, at, pointer, received, documented, curl, steps, confirmation } = shown;
  return {
    key,
    title,
    law,
    at,
    pointer,
    gates: own.some(({ gates }) => gates),
    ...(own.every((one) => one.worthALook) && { worthALook: shown.worthALook ?? {} }),
    knownUntil: knownUntilOf(own),
    finding: all.indexOf(shown),
    received,
    documented,
    curl,
    steps,
    confirmation,
    cases: [...new Set(inOrder.map(({ caseId }) => caseId))],
    instances: instancesOf(own),
    count: own.length,
    operations: [...new Set(own.map(({ operationId }) => operationId))],
    statuses: undefined,
    followUps: [],
  };
}

/** The earliest day; undefined where one of them counts. */
export function knownUntilOf(all: readonly Pick<Cause, 'knownUntil'>[]): string | undefined {
  const days = all.map(({ knownUntil }) => knownUntil ?? '').sort();
  return days[0] || undefined;
}

function instancesOf(own: readonly ReportedFinding[]): Instance[] {
  return mostDifferent(own).map(({ caseId, operationId, received, curl }) => {
    return { caseId, operationId, received, curl };
  });
}

/** As many instances as are shown: those of other operations come before others of the same. */
export function mostDifferent<T extends Pick<Instance, 'operationId'>>(all: readonly T[]): T[] {
  const seen = new Set<string>();
  const first = all.filter(({ operationId }) => !seen.has(operationId) && seen.add(operationId));
  const others = all.filter((one) => !first.includes(one));
  return [...first, ...others].slice(0, MOST_INSTANCES);
}

/** The end of a title: how far what is wrong goes, where that is more than one operation. */
export function extentOf({ count, operations }: Pick<Cause, 'count' | 'operations'>): string {
  return operations.length > 1 ? `: ${count} requests, ${operations.length} operations` : '';
}

/** A request may have shown several of the findings; traffic shows one of them many times. */
function countOf(findings: readonly Finding[], own: readonly ReportedFinding[]): number {
  if (own.some(({ times }) => times !== undefined)) return own.reduce((sum, { times = 1 }) => sum + times, 0);
  return new Set(findings.map(({ exchange }) => exchange.request)).size;
}

function statusesOf({ findings, key }: Root): SeenStatus[] | undefined {
  if (!IS_OF_STATUSES.test(key)) return undefined;
  const groups = Map.groupBy(
    findings,
    ({ exchange }) => `${exchange.operation.id} ${exchange.response.status}`,
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first
      ? {
          operationId: first.exchange.operation.id,
          status: first.exchange.response.status,
          count: others.length + 1,
        }
      : [],
  );
}

/** Those that are one for all operations. */
const IS_OF_STATUSES = /-for-\d+$|^status\/undocumented-4xx$|^refused\/\d+$/;

/** It breaks what is presumed alone, and nobody is held to that: reported apart from what is broken. */
export function isWorthALook({ worthALook, gates }: Pick<Cause, 'worthALook' | 'gates'>): boolean {
  return worthALook !== undefined && !gates;
}
