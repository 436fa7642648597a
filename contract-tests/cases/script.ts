import type { Operation, Resource } from '#spec';
import { ordinaryBody, pathOf } from '../arrange/target.ts';
import { ownerOf } from '../laws/operation-role.ts';
import { parentsOf } from '../laws/own-record.ts';
import type { Trial } from '../run/trial.ts';
import { placeholderOf, type Script } from '../send/curl.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';

/** A request of a case, and the record that it has created. */
export interface SentRequest {
  readonly operation: Operation;
  readonly input: RequestInput;
  readonly created?: { readonly resource: Resource; readonly id: unknown } | undefined;
}

/** The requests of a case in their order, while it is at work; those of one entry were sent at once. */
export type Sent = (readonly SentRequest[])[];

/** What was sent as a script that reproduces it from nothing: it keeps the ids of what it creates in variables. */
export async function scriptOf(trial: Trial, sent: Sent): Promise<Script> {
  const whole = [...(await parentsOfRecords(trial, sent)), ...sent];
  const requests = whole.flat();
  const variables = new Map<SentRequest, string>();
  // What runs in the background of a shell sets no variable.
  for (const one of whole.filter(({ length }) => length === 1).flat()) {
    const isUsed = one.created && requests.some((other) => other !== one && usesId(other, one));
    if (isUsed) variables.set(one, `ID${variables.size + 1}`);
  }
  return whole.map((entry) =>
    entry.map((one) => {
      const path = withPlaceholders(one, variables);
      const input = { ...one.input, ...(path && { path }) };
      const variable = variables.get(one);
      const member = one.created?.resource.id?.property ?? '';
      return {
        request: planRequest(trial.run.settings, one.operation, input),
        keeps: variable === undefined ? undefined : { variable, member },
      };
    }),
  );
}

/** A create for each record that the first one belongs to, whoever has made that: another target has none of them. */
async function parentsOfRecords(trial: Trial, sent: Sent): Promise<Sent> {
  const { contract, settings } = trial.run;
  const [first] = sent.flat();
  const resource = contract.resources.find(({ actions }) => actions.create === first?.operation);
  if (!first || !resource) return [];
  const creates: SentRequest[][] = [];
  for (const [parameter, id] of Object.entries(parentsOf(resource, first.input.path))) {
    const owner = ownerOf(contract, first.operation, parameter);
    const operation = owner?.actions.create;
    if (!owner || !operation || parameter in settings.values) continue;
    const body = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
    const input = { path: await pathOf(trial, operation, parentsOf(owner, first.input.path)), body };
    creates.push([{ operation, input, created: { resource: owner, id } }]);
  }
  return creates;
}

function usesId({ input }: SentRequest, { created }: SentRequest): boolean {
  const parameter = created?.resource.id?.parameter;
  if (created?.id === undefined || parameter === undefined) return false;
  const value = input.path?.[parameter];
  return value !== undefined && String(value) === String(created.id);
}

function withPlaceholders(one: SentRequest, variables: ReadonlyMap<SentRequest, string>) {
  let { path } = one.input;
  for (const [creation, variable] of variables) {
    const parameter = creation.created?.resource.id?.parameter;
    if (creation !== one && parameter !== undefined && usesId(one, creation))
      path = { ...path, [parameter]: placeholderOf(variable) };
  }
  return path;
}
