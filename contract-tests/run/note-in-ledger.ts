import { type Evidence, recordIn } from '../laws/evidence.ts';
import { markIn } from '../laws/mark.ts';
import { isSuccess } from '../send/response.ts';
import type { Run } from './run.ts';

/**
 * Takes down what an exchange has made or removed, whatever its request was meant for.
 * @param order where the case stands, or the part of it
 */
export function noteInLedger(
  { ledger, mark }: Pick<Run, 'ledger' | 'mark'>,
  { role, operation, exchange, json }: Evidence,
  { caseId, order }: { readonly caseId: string; readonly order: number },
): void {
  if (!role || !isSuccess(exchange.response)) return;
  const { action, resource } = role;
  const { create } = resource.actions;
  const { request, input } = exchange;
  if (action === 'create') {
    const id = recordIn(role, json)?.[resource.id?.property ?? ''];
    const own = markIn(Buffer.from(request.body ?? []).toString(), mark);
    const record = { operationId: operation.id, caseId, mark: own, id, path: input.path, certain: true };
    ledger.note(record, order);
  } else if (action === 'remove' && create) {
    const id = input.path?.[resource.id?.parameter ?? ''];
    ledger.strikeRemoved({ operationId: create.id, id, path: input.path });
  }
}
