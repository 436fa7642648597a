import type { Address } from './address.ts';
import type { Break } from './break.ts';
import type { Contracts } from './contracts.ts';
import { findDraft, type Tried } from './find-draft.ts';
import type { Pace } from './pace.ts';
import type { Pair } from './pair.ts';
import { refusedCredential } from './refused-credential.ts';
import { removedOperation } from './removed-operation.ts';
import { createRequestProbe } from './request-probe.ts';
import { type Twins, worked } from './twins.ts';

/** What was found of the requests to one operation. */
export interface RequestBreaks {
  readonly breaks: readonly Break[];
  /** A request to the mock of OLD has succeeded. */
  readonly tried: boolean;
}

/** What a client of one operation of OLD may send, and NEW refuses. */
export async function requestBreaks(
  twins: Twins,
  contracts: Contracts,
  { old, new: next }: Pair,
  address: Address,
  pace: Pace,
): Promise<RequestBreaks> {
  const alternatives = old.security.length > 0 ? old.security : [undefined];
  const breaks: Break[] = [];
  let base: Tried | undefined;
  let tried = false;
  for (const requirement of alternatives) {
    const draft = await findDraft(twins, contracts.old, old, requirement);
    base ??= draft;
    tried ||= worked(draft?.answer);
    if (!next || !draft) continue;
    const refused = await refusedCredential(twins, contracts.new, { old, new: next, address }, draft);
    if (refused) breaks.push(refused);
  }
  if (!next) return { breaks: [await removedOperation(twins, contracts.new, old, base)], tried };
  if (!base) return { breaks, tried };
  const probe = createRequestProbe(twins, contracts, { old, new: next, address }, pace);
  await probe.base(base.draft);
  for (const parameter of old.parameters) await probe.parameter(base.draft, parameter);
  for (const media of old.body?.content ?? []) await probe.body(base.draft, media);
  if (old.body && !old.body.required) await probe.base({ ...base.draft, body: undefined });
  return { breaks: [...breaks, ...probe.found], tried };
}
