import {
  basisOf,
  type Contract,
  count,
  explicitStatuses,
  inBrief,
  type Operation,
  pathParameters,
  responseFor,
} from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { TakenTexts } from '../laws/blame.ts';
import { type Finding, isHeld } from '../laws/finding.ts';
import { resourceOf } from '../laws/operation-role.ts';
import { isAboutDrift } from '../laws/own-records.ts';
import type { RecordModel } from '../laws/record-model.ts';
import { optionFor } from '../run/not-reached.ts';
import { isElsewhere, NO_SERVICE, type Seen } from '../run/run.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Removes errors that may be due to made-up values, if the service accepted none of that kind: the document does not state
 * which values are valid. If it does not document such an error either, that is worth a look.
 */
export function withoutSuspects(
  results: readonly CaseResult[],
  takesText: TakenTexts['has'],
  settings: Pick<Settings, 'strict'>,
): readonly CaseResult[] {
  const doubtIn = ({ suspects }: Finding) => suspects?.find(({ key }) => !takesText(key));
  const isDescribed = ({ exchange: { operation, response } }: Finding) =>
    responseFor(operation.responses, response.status) !== undefined;
  return results.map((result) => {
    const doubtful = result.findings.find(doubtIn);
    const doubt = doubtful && doubtIn(doubtful);
    if (!doubt) return result;
    const kept = result.findings.filter((finding) => !doubtIn(finding) || !isDescribed(finding));
    const left = withFindings(
      result,
      kept.map((finding) => (doubtIn(finding) ? presumed(finding, settings) : finding)),
    );
    if (left.findings.some(isCounted)) return left;
    const name = doubt.path.at(-1);
    const [what, option] =
      name === undefined
        ? ['body', optionFor('--body', doubtful.exchange.operation.id, '=FILE')]
        : [name, `--value ${name}=V`];
    return {
      ...left,
      outcome: 'not reached',
      reason: `${doubtful.received}; which ${what} the service takes the document does not say: ${option} gives one`,
      // A made-up parameter counts as an unknown trigger; if no body is accepted, nothing of the operation is tested.
      code: doubt.in === 'body' ? 'target' : 'unprovoked',
    };
  });
}

/** Removes findings about members that change by themselves: later cases may have found out that they do. */
export function withoutDrift(
  results: readonly CaseResult[],
  contract: Contract,
  { drifting }: Pick<RecordModel, 'drifting'>,
): readonly CaseResult[] {
  return results.map((result) =>
    leaveOut(result, (finding) => {
      const resource = resourceOf(contract, finding.exchange.operation);
      return resource !== undefined && isAboutDrift(finding, drifting(resource));
    }),
  );
}

function presumed(finding: Finding, settings: Pick<Settings, 'strict'>): Finding {
  const fact = basisOf(['schema'], finding.exchange.operation.spot);
  return { ...finding, rests: [...(finding.rests ?? []), fact], worthALook: !isHeld(fact, settings) };
}

function leaveOut(result: CaseResult, isLeftOut: (finding: Finding) => boolean): CaseResult {
  const findings = result.findings.filter((finding) => !isLeftOut(finding));
  return findings.length === result.findings.length ? result : withFindings(result, findings);
}

const isCounted = ({ worthALook }: Finding) => !worthALook;

function withFindings(result: CaseResult, findings: readonly Finding[]): CaseResult {
  const { operation, status } = result.case;
  const isOf = (finding: Finding) => finding.operationId === operation.id && finding.status === status;
  const held = findings.filter(isCounted);
  const covered = result.reached.includes(`${operation.id}/${status}`) && !held.some(isOf);
  const outcome = held.length > 0 ? 'failed' : result.code === undefined ? 'passed' : 'not reached';
  return { ...result, covered, findings, outcome };
}

/** Fewer requests may have been rejected by chance. */
const LEAST_REFUSED = 4;

/**
 * Removes errors of operations that return the same documented error with the same wording to each request, valid or not:
 * its reason is the data or set-up of the service, and no request.
 */
export function withoutRefused(
  results: readonly CaseResult[],
  { refused }: Pick<Seen, 'refused'>,
  settings: Pick<Settings, 'strict' | 'values'>,
): readonly CaseResult[] {
  // A record that the user names exists.
  const isNamed = ({ path }: Operation) => pathParameters(path).some((name) => name in settings.values);
  const isSole = ({ exchange: { operation, response } }: Finding) => {
    const { words = '', count: times = 0, status } = refused.get(operation) ?? {};
    return words !== '' && times >= LEAST_REFUSED && status === response.status;
  };
  const isOfAll = (finding: Finding) => {
    const { operation, response } = finding.exchange;
    const isDescribed = explicitStatuses(operation.responses).includes(response.status);
    return OF_VALID.has(finding.law) && isDescribed && isSole(finding) && !isNamed(operation);
  };
  return results.map((before) => {
    // What is invalid is refused for the same reason.
    const isFollowing = before.findings.some(
      (finding) => finding.law === 'invalid-refused' && isSole(finding),
    );
    const findings = before.findings.map((finding) =>
      finding.law === 'invalid-refused' && isSole(finding) ? presumed(finding, settings) : finding,
    );
    const result = isFollowing ? withFindings(before, findings) : before;
    const refusal = result.findings.find(isOfAll);
    if (!refusal) return result;
    const left = leaveOut(result, isOfAll);
    if (left.findings.some(isCounted)) return left;
    const { operation, response } = refusal.exchange;
    const times = count(refused.get(operation)?.count ?? 0, 'request');
    const reason = `each of ${times}, valid or not, was answered ${response.status}, which the document describes: ${inBrief(response.text ?? '', 120)}`;
    return { ...left, outcome: 'not reached', reason, code: 'target' };
  });
}

const OF_VALID: ReadonlySet<Finding['law']> = new Set<Finding['law']>([
  'status',
  'example-accepted',
  'unique-free',
]);

/** Responses of another server prove nothing. */
export function withoutForeign(results: readonly CaseResult[], seen: Seen): readonly CaseResult[] {
  if (!isElsewhere(seen)) return results;
  return results.map((result) =>
    result.outcome === 'skipped' || result.outcome === 'withheld'
      ? result
      : {
          ...result,
          outcome: 'not reached',
          reason: result.reason ?? tellingFinding(result)?.received ?? NO_SERVICE,
          code: result.code ?? 'target',
          covered: false,
          findings: [],
          notSpecified: [],
          notices: [],
        },
  );
}

/** Another status says more than other problems of the response. */
function tellingFinding({ findings }: CaseResult): Finding | undefined {
  return findings.find(({ law }) => law === 'status') ?? findings[0];
}
