import { parentsOf } from '../laws/own-record.ts';
import type { CreatedRecord } from '../run/ledger.ts';
import type { Run } from '../run/run.ts';
import { Unreachable } from '../send/patience.ts';
import { planRequest } from '../send/plan-request.ts';

/** Where the document has a delete, the run takes away what a case made; nobody else's record is touched. */
export async function tidyAfter(run: Run, caseId: string): Promise<void> {
  await removeAll(run, (record) => record.caseId === caseId && !run.ledger.isNeeded(record));
}

/** The last of it: what served several cases. */
export async function tidyUp(run: Run): Promise<void> {
  await removeAll(run, () => true);
}

/** The latest first: what belongs to a record was made after it. */
async function removeAll(run: Run, chosen: (record: CreatedRecord) => boolean): Promise<void> {
  if (!run.settings.writes || run.gaveUp() !== undefined) return;
  for (const record of run.ledger.records.toReversed()) {
    if (record.certain && record.id !== undefined && chosen(record)) await remove(run, record);
  }
}

const GONE = new Set([404, 410]);

async function remove(run: Run, record: CreatedRecord): Promise<void> {
  const resource = run.contract.resources.find(({ actions }) => actions.create?.id === record.operationId);
  const operation = resource?.actions.remove;
  const parameter = resource?.id?.parameter;
  if (!resource || !operation || parameter === undefined) return;
  const request = planRequest(run.settings, operation, { path: { ...record.path, [parameter]: record.id } });
  run.model.forget(resource, record.id, parentsOf(resource, record.path));
  try {
    const { status } = await run.client.send(request);
    if (status < 300 || GONE.has(status)) run.ledger.strike(record);
  } catch (error) {
    // What cannot be removed stays in the list of what was made.
    if (!(error instanceof Unreachable)) throw error;
  }
}
