import type { Run } from '../run.ts';
import { Unreachable } from '../send/patience.ts';
import type { CreatedRecord } from './ledger.ts';
import { planRequest } from './plan.ts';

/** Where the document has a delete, the run takes away what a case made; nobody else's record is touched. */
export async function tidyAfter(run: Run, caseId: string): Promise<void> {
  const { ledger, memory } = run;
  const spent = (record: CreatedRecord) => !ledger.isShared(record) && !memory.needs(record.id);
  await removeAll(run, (record) => record.caseId === caseId && spent(record));
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
  if (!operation || parameter === undefined) return;
  const request = planRequest(run.settings, operation, { path: { ...record.path, [parameter]: record.id } });
  try {
    const { status } = await run.client.send(request);
    if (status < 300 || GONE.has(status)) forget(run, record);
  } catch (error) {
    // What cannot be removed stays in the list of what was made.
    if (!(error instanceof Unreachable)) throw error;
  }
}

function forget({ ledger, memory }: Run, record: CreatedRecord): void {
  ledger.strike(record);
  memory.forget(record.id);
}
