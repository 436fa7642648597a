import type { Operation, Resource } from '#spec';
import { ordinaryBody, pathOf } from '../arrange/target.ts';
import { parentsOf } from '../laws/own-record.ts';
import type { Trial } from '../run/trial.ts';
import { curlOf } from '../send/curl.ts';
import { planRequest, type RequestInput } from '../send/plan-request.ts';

/** A request of a script, and the record that it has created. */
export interface ScriptedRequest {
  readonly operation: Operation;
  readonly input: RequestInput;
  readonly created?: { readonly resource: Resource; readonly id: unknown } | undefined;
}

/** Requests in their order; those of one entry are sent at once. */
export type Script = readonly (readonly ScriptedRequest[])[];

/** A script that grows while its requests are sent. */
export type Sent = ScriptedRequest[][];

/**
 * A script as lines for a shell. Ids of records that it creates are kept in variables, so that it may be run again: the
 * target assigns other ids then.
 */
export async function linesOf(trial: Trial, script: Script): Promise<string[]> {
  const whole = [...(await parentsIn(trial, script)), ...script];
  const requests = whole.flat();
  const variables = new Map<ScriptedRequest, string>();
  // What runs in the background of a shell sets no variable.
  for (const one of whole.filter(({ length }) => length === 1).flat()) {
    const isUsed = one.created && requests.some((other) => other !== one && usesId(other, one));
    if (isUsed) variables.set(one, `ID${variables.size + 1}`);
  }
  return whole.map((entry) => {
    const commands = entry.map((one) => commandOf(trial, one, variables));
    return commands.length === 1 ? commands.join('') : `${commands.join(' & ')} & wait`;
  });
}

/** The creates of those of the run's own records that the script's records belong to. */
async function parentsIn(trial: Trial, script: Script): Promise<Script> {
  const { ledger, contract, marks } = trial.run;
  const [first] = script.flat();
  const resource = contract.resources.find(({ actions }) => actions.create === first?.operation);
  if (!first || !resource) return [];
  const values = Object.values(parentsOf(resource, first.input.path));
  const parents: ScriptedRequest[][] = [];
  for (const own of ledger.records.filter(({ id }) => values.includes(String(id)))) {
    const owner = contract.resources.find(({ actions }) => actions.create?.id === own.operationId);
    const operation = owner?.actions.create;
    if (!owner || !operation) continue;
    const body = await ordinaryBody(trial, operation, { mark: marks.next() });
    const input = { path: await pathOf(trial, operation, own.path), body };
    parents.push([{ operation, input, created: { resource: owner, id: own.id } }]);
  }
  return parents;
}

function usesId({ input }: ScriptedRequest, { created }: ScriptedRequest): boolean {
  const parameter = created?.resource.id?.parameter;
  return created?.id !== undefined && parameter !== undefined && isSame(input.path?.[parameter], created.id);
}

function isSame(value: unknown, id: unknown): boolean {
  return value !== undefined && String(value) === String(id);
}

/** A text that no request holds, in place of a variable. */
const tokenOf = (variable: string) => `paddock~variable~${variable}~`;

function commandOf(trial: Trial, one: ScriptedRequest, variables: Map<ScriptedRequest, string>): string {
  const { settings } = trial.run;
  let path = one.input.path;
  for (const [creation, variable] of variables) {
    const parameter = creation.created?.resource.id?.parameter;
    if (creation !== one && parameter !== undefined && usesId(one, creation))
      path = { ...path, [parameter]: tokenOf(variable) };
  }
  const request = planRequest(settings, one.operation, { ...one.input, ...(path && { path }) });
  const curl = withVariables(curlOf(request, settings.apiKey));
  const variable = variables.get(one);
  const property = one.created?.resource.id?.property ?? '';
  if (variable === undefined) return curl;
  const member = /^[A-Za-z_]\w*$/.test(property) ? `.${property}` : `'.[${JSON.stringify(property)}]'`;
  return `${variable}=$(${curl.replace(/^curl -i/, 'curl -s')} | jq -r ${member})`;
}

/** Variables stand in double quotes; a word in single quotes, which know no escapes, is closed before and opened behind. */
function withVariables(curl: string): string {
  let quote = '';
  const inserted = curl.replace(
    /\\['"\\]?|['"]|paddock~variable~(\w+)~/g,
    (part, variable: string | undefined) => {
      if (variable !== undefined) return quote === "'" ? `'"$${variable}"'` : `$${variable}`;
      if (part.startsWith('\\') && quote !== "'") return part;
      const sign = part.at(-1) ?? '';
      if (sign === quote) quote = '';
      else if (quote === '') quote = sign;
      return part;
    },
  );
  return inserted.replace(/("\$ID\d+")''/g, '$1');
}
