import type { Contract } from '#spec';
import { judgeExchange } from '../laws/all-laws.ts';
import { gatherEvidence } from '../laws/evidence.ts';
import type { Finding } from '../laws/finding.ts';
import { roleOf } from '../laws/operation-role.ts';
import { createRecordModel } from '../laws/record-model.ts';
import { CaseLog } from '../run/case-log.ts';
import { resolveSettings, type Settings } from '../settings/settings.ts';
import { exchangeIn, type Step } from './steps.ts';

/**
 * The findings that a run makes of cases, each of which is a sequence of exchanges.
 * @param cases by id, which begins with an operation's id
 */
export function findingsOf(
  contract: Contract,
  cases: Readonly<Record<string, readonly Step[]>>,
  options: Partial<Settings> = {},
): Finding[] {
  const settings = { ...resolveSettings({ target: 'http://localhost', document: '' }), ...options };
  return Object.entries(cases).flatMap(([id, steps]) => {
    const [name = '', status = ''] = id.split('/');
    const operation = contract.operations.find((one) => one.id === name);
    if (!operation) throw new Error(name);
    const log = new CaseLog({ id, operation, status: Number(status) }, { contract, settings });
    const model = createRecordModel();
    const earlier: ReturnType<typeof gatherEvidence>[] = [];
    for (const step of steps) {
      const exchange = exchangeIn(contract, step);
      const view = model.begin(roleOf(contract, exchange.operation), step.input);
      const evidence = gatherEvidence(exchange, { contract, model: view, earlier: [...earlier] });
      const judgements = judgeExchange(evidence);
      log.blame(judgements, exchange);
      model.observe(evidence, true);
      view.end(true);
      earlier.push(evidence);
    }
    return log.findings;
  });
}
