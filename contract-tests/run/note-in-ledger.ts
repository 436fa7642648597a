import { isRecord, type Resource, recordPath, valueAt } from '#spec';
import type { Evidence } from '../laws/evidence.ts';
import { markIn } from '../laws/mark.ts';
import { furtherRoleOf } from '../laws/operation-role.ts';
import { isSuccess } from '../send/response.ts';
import type { Run } from './run.ts';

/**
 * Takes down what an exchange has made or removed, whatever its request was meant for.
 * @param order where the case stands, or the part of it
 */
export function noteInLedger(
  { ledger, mark, own: ownership, budget }: Pick<Run, 'ledger' | 'mark' | 'own' | 'budget'>,
  evidence: Evidence,
  { caseId, order }: { readonly caseId: string; readonly order: number },
): void {
  const { role, operation, exchange, json } = evidence;
  if (!isSuccess(exchange.response)) return;
  const { request, input } = exchange;
  const creator = role ? (role.action === 'create' ? role.resource : undefined) : createdBeside(evidence);
  if (creator) {
    const property = creator.id?.property ?? '';
    const shown = valueAt(json, [...recordPath(creator, operation), property]);
    // A response without a body shows no id, where the client has chosen it.
    const id = shown ?? (role && isRecord(input.body) ? input.body[property] : undefined);
    const own = markIn(Buffer.from(request.body ?? []).toString(), mark);
    // What is only inferred to be a create may answer with a record that was there before.
    if (!role && (own === undefined || markIn(exchange.response.text ?? '', mark) !== own)) return;
    const record = { operationId: operation.id, caseId, mark: own, id, path: input.path, certain: true };
    ledger.note(record, order, !budget.isRemovable(creator));
    if (id !== undefined) ownership.note(creator, id);
  } else if (role?.action === 'remove' && role.resource.actions.create) {
    const { id: identity, actions } = role.resource;
    const id = input.path?.[identity?.parameter ?? ''];
    ledger.strikeRemoved({ operationId: actions.create?.id ?? '', id, path: input.path });
  }
}

/** An operation on another path may add records to a collection too. */
function createdBeside({ contract, operation }: Evidence): Resource | undefined {
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  return further?.role === 'create' ? resource : undefined;
}
