import type { LawName } from '#contract-tests';
import type { Break } from './break.ts';
import type { SuiteBreak } from './suite-breaks.ts';

const OF_STATUS: ReadonlySet<LawName> = new Set(['status', 'example-accepted', 'created-equals-sent']);
const OF_BODY: ReadonlySet<LawName> = new Set([
  'schema',
  'content-type',
  'discriminator',
  'header',
  'whole-json',
]);

/** Laws about one response. All others are about what was stored before. */
export function isAboutOneResponse(law: LawName): boolean {
  return law === 'status' || law === 'example-accepted' || OF_BODY.has(law);
}

/** What the suite has found, without what generated values have shown already, in fewer requests; one of each cause. */
export function freshBreaks(found: readonly SuiteBreak[], told: readonly Break[]): SuiteBreak[] {
  const refused = new Set(told.filter(({ law }) => law === 'status').map(({ operation }) => operation.id));
  const bodies = new Set(told.filter(({ law }) => law !== 'status').map(({ operation }) => operation.id));
  const fresh = found.filter(({ finding: { law, exchange } }) => {
    const { id } = exchange.operation;
    if (refused.has(id) && (exchange.response.status >= 400 || OF_STATUS.has(law))) return false;
    return !(bodies.has(id) && OF_BODY.has(law));
  });
  const groups = Map.groupBy(
    fresh,
    ({ finding: { operationId, law, at } }) => `${operationId} ${law} ${at.uri}:${at.line}:${at.column}`,
  );
  return [...groups.values()].map((group) => shortest(group));
}

function shortest(group: readonly SuiteBreak[]): SuiteBreak {
  const cost = ({ reported, finding }: SuiteBreak) =>
    (finding.steps?.length ?? 1) * 100_000 + (reported?.steps?.join('') ?? reported?.curl ?? '').length;
  return group.toSorted((one, other) => cost(one) - cost(other))[0] as SuiteBreak;
}
