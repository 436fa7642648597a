import type { Operation } from '#spec';
import type { Confirmation, Finding } from '../laws/finding.ts';
import { type LawName, promiseOf } from '../laws/law.ts';
import type { Root } from '../roots/roots.ts';
import type { ReportedFinding, WorthALook } from './reported-finding.ts';

/** A single problem of the service, however many findings show it. */
export interface Cause {
  /**
   * Its identity across runs, which `known` takes to waive it. If its findings share a named place, it is that of a
   * finding, `LAW/KIND#POINTER`; for copies of a schema, parameter or header, `~DIGEST` replaces the pointer.
   */
  readonly key: string;
  /** Method, path and problem, in words. */
  readonly title: string;
  readonly law: LawName;
  readonly at: string;
  /** JSON Pointer of the place. */
  readonly pointer: string;
  /** False: none of its findings gates. */
  readonly gates: boolean;
  /** Set if all of its findings rest on presumed facts; undefined: one breaks a promise of the document. */
  readonly worthALook?: WorthALook;
  /** Waived until that day, in all of its findings. */
  readonly knownUntil: string | undefined;
  /** The finding that is easiest to reproduce, as an index into `findings`. */
  readonly finding: number;
  readonly received: string;
  readonly documented: string;
  readonly curl: string;
  readonly steps: readonly string[] | undefined;
  /** The result of reproducing it; undefined: the traffic was sent by others. */
  readonly confirmation?: Confirmation | undefined;
  /** The ids of the cases that report it. */
  readonly cases: readonly string[];
  /** At most three, preferably of different operations; the first is the one that is shown. */
  readonly instances: readonly Instance[];
  /** The number of requests that show it. */
  readonly count: number;
  /** The operations that show it. */
  readonly operations: readonly string[];
  /** The owner: `x-owner` of the first operation, else its first tag; undefined: it has neither. */
  readonly owner?: string | undefined;
  /** The received statuses by operation, if they are the problem. */
  readonly statuses: readonly SeenStatus[] | undefined;
  /** The keys of the findings that it explains. */
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
 * Converts roots to causes, gating ones first.
 * @param reported each finding as data, in order
 */
export function causesOf(roots: readonly Root[], reported: ReadonlyMap<Finding, ReportedFinding>): Cause[] {
  const all = [...reported.values()];
  const asData = (findings: readonly Finding[]) => findings.flatMap((finding) => reported.get(finding) ?? []);
  const causes = roots.map((root): Cause => {
    const { key, findings, followUps } = root;
    const shown = asData(findings);
    const explained = asData(followUps.flatMap((followUp) => followUp.findings));
    const operations = [...new Set(findings.map(({ exchange }) => exchange.operation.id))];
    const count = countOf(findings, shown);
    return {
      ...causeOf(key, `${root.title}${extentOf({ count, operations })}`, shown, all),
      gates: [...shown, ...explained].some(({ gates }) => gates),
      knownUntil: knownUntilOf([...shown, ...explained]),
      count,
      operations,
      owner: ownerOf(findings[0]?.exchange.operation),
      statuses: statusesOf(root),
      followUps: followUps.map((followUp) => ({ key: followUp.key, count: followUp.findings.length })),
    };
  });
  return gatingFirst(causes);
}

function ownerOf(operation: Operation | undefined): string | undefined {
  const owner = operation && (operation.spot.value as { readonly 'x-owner'?: unknown })['x-owner'];
  return typeof owner === 'string' ? owner : operation?.tags[0];
}

/** Groups findings only by their keys: the first one that gates is shown. */
export function groupByCause(findings: readonly ReportedFinding[]): Cause[] {
  const groups = Map.groupBy(
    findings.toSorted((left, right) => Number(right.gates) - Number(left.gates)),
    ({ key }) => key,
  );
  return gatingFirst(
    [...groups].flatMap(([key, group]) =>
      group.slice(0, 1).map((first) => causeOf(key, `${first.caseId}: ${promiseOf(first)}`, group, findings)),
    ),
  );
}

/** Sorts causes: gating ones, then those that were not reproduced, and finally those worth a look. */
export function gatingFirst(causes: readonly Cause[]): Cause[] {
  const rank = (cause: Cause) =>
    Number(!cause.gates) +
    Number(cause.confirmation?.outcome === 'not seen again') +
    2 * Number(isWorthALook(cause));
  return causes.toSorted((left, right) => rank(left) - rank(right));
}

/** @param group its findings, the one to show first */
function causeOf(
  key: string,
  title: string,
  group: readonly ReportedFinding[],
  all: readonly ReportedFinding[],
): Cause {
  const [first] = group as [ReportedFinding];
  const isOwn = new Set(group);
  const inOrder = all.filter((finding) => isOwn.has(finding));
  const { law, at, pointer, received, documented, curl, steps, confirmation } = first;
  return {
    key,
    title,
    law,
    at,
    pointer,
    gates: group.some(({ gates }) => gates),
    ...(group.every((finding) => finding.worthALook) && { worthALook: first.worthALook ?? {} }),
    knownUntil: knownUntilOf(group),
    finding: all.indexOf(first),
    received,
    documented,
    curl,
    steps,
    confirmation,
    cases: [...new Set(inOrder.map(({ caseId }) => caseId))],
    instances: mostDifferent(group).map(({ caseId, operationId, received: text, curl: command }) => ({
      caseId,
      operationId,
      received: text,
      curl: command,
    })),
    count: group.length,
    operations: [...new Set(group.map(({ operationId }) => operationId))],
    statuses: undefined,
    followUps: [],
  };
}

/** The earliest day; undefined if one of them counts. */
export function knownUntilOf(all: readonly Pick<Cause, 'knownUntil'>[]): string | undefined {
  const days = all.map(({ knownUntil }) => knownUntil ?? '').sort();
  return days[0] || undefined;
}

/** The instances to show: one of each operation first, then others. */
export function mostDifferent<T extends Pick<Instance, 'operationId'>>(all: readonly T[]): T[] {
  const seen = new Set<string>();
  const first = all.filter(({ operationId }) => !seen.has(operationId) && seen.add(operationId));
  const others = all.filter((one) => !first.includes(one));
  return [...first, ...others].slice(0, MOST_INSTANCES);
}

/** The end of a title: the numbers of requests and operations, if there are several operations. */
export function extentOf({ count, operations }: Pick<Cause, 'count' | 'operations'>): string {
  return operations.length > 1 ? `: ${count} requests, ${operations.length} operations` : '';
}

/** Counts requests, since one may show several findings; in observed traffic, the occurrences of each finding. */
function countOf(findings: readonly Finding[], data: readonly ReportedFinding[]): number {
  if (data.some(({ times }) => times !== undefined))
    return data.reduce((sum, { times = 1 }) => sum + times, 0);
  return new Set(findings.map(({ exchange }) => exchange.request)).size;
}

function statusesOf({ findings, key }: Root): SeenStatus[] | undefined {
  if (!IS_OF_STATUSES.test(key)) return undefined;
  const groups = Map.groupBy(
    findings,
    ({ exchange }) => `${exchange.operation.id} ${exchange.response.status}`,
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ exchange: { operation, response } }) => {
      return { operationId: operation.id, status: response.status, count: group.length };
    }),
  );
}

/** Keys of roots that combine all operations. */
const IS_OF_STATUSES = /-for-\d+$|^status\/undocumented-4xx$|^refused\/\d+$/;

/** Whether a cause rests on presumed facts only and does not gate: it is reported separately. */
export function isWorthALook({ worthALook, gates }: Pick<Cause, 'worthALook' | 'gates'>): boolean {
  return worthALook !== undefined && !gates;
}
