import {
  bodyMedia,
  type Contract,
  isRecord,
  memberShape,
  type Operation,
  type Parameter,
  placeOf,
  pointerText,
  type Resource,
  SAFE_METHODS,
  type Spot,
} from '#spec';
import { parameterExamples } from '#test-values';
import { freshId } from '../arrange/made-up.ts';
import { isValidBody, withMark } from '../arrange/record-members.ts';
import { ordinaryInput } from '../arrange/requests.ts';
import { pathOf, tryCreate } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { roleOf, successStatuses } from '../laws/operation-role.ts';
import { guessedQuery } from '../run/path-values.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { isSuccess } from '../send/response.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/**
 * Each documented example of a request is sent verbatim: a valid one must not be rejected as invalid. Whether the service
 * has the records that it names is another matter.
 */
export const documentedExamples: Family = (contract, settings) =>
  contract.operations.flatMap((operation) => {
    const [success] = successStatuses(operation);
    if (success === undefined) return [];
    return [
      ...parameterCase(contract, operation, success),
      // With a guessed query, an example of the body proves nothing.
      ...(guessedQuery(contract, operation, settings).length > 0
        ? []
        : bodyCases(contract, operation, success, !settings.onLoopback)),
    ];
  });

function parameterCase(contract: Contract, operation: Operation, success: number): Case[] {
  // Cursors come from earlier responses: an example of one may be invalid by now.
  const lists = contract.resources.flatMap(({ list, further }) => [list, ...further.map((one) => one.list)]);
  const cursors = new Set(lists.map((list) => list?.cursor));
  const examples = operation.parameters.flatMap((parameter) => {
    const [value] = parameterExamples(parameter);
    return value === undefined || !isSent(parameter) || cursors.has(parameter) ? [] : [{ parameter, value }];
  });
  if (examples.length === 0 || !SAFE_METHODS.has(operation.method)) return [];
  const title = 'the documented examples of its parameters are not refused as invalid';
  const drive = async (trial: Trial) => {
    const valid = examples.filter(({ parameter, value }) => isValid(trial, parameter, value));
    const send = async (values: typeof valid) => {
      const valuesIn = (place: string) =>
        Object.fromEntries(
          values.flatMap(({ parameter, value }) => (parameter.in === place ? [[parameter.name, value]] : [])),
        );
      const [{ parameter }] = values as [(typeof values)[number]];
      const path = await pathOf(trial, operation, valuesIn('path'));
      const example = placeOf(parameter.spot);
      tellRefusal(trial, await trial.send(operation, { path, query: valuesIn('query'), example }));
    };
    const required = valid.filter(({ parameter }) => parameter.required);
    if (required.length > 0) await send(required);
    if (valid.length > required.length) await send(valid);
  };
  return [makeCase({ operation, status: success }, 'example-parameters', title, drive, { demands: false })];
}

const isSent = ({ in: place }: Parameter) => place === 'path' || place === 'query';

function isValid(trial: Trial, { name, schema }: Parameter, value: unknown): boolean {
  const [violation] = schema ? trial.plan.contract.validators.compile(schema, 'request')(value) : [];
  if (violation) trial.notice(`the example of the parameter ${name} is not valid: it ${violation.expected}`);
  return violation === undefined;
}

interface BodyExample {
  readonly name: string;
  readonly value: unknown;
  readonly spot: Spot;
}

/** @param marked with the mark of the run, if others use the service, too */
function bodyCases(contract: Contract, operation: Operation, success: number, marked: boolean): Case[] {
  return examplesIn(operation).map(({ name, value, spot }) => {
    const title = `the documented request example ${name} is not refused as invalid`;
    const slug = `example-${slugOf(name)}${marked ? '-marked' : ''}`;
    const drive = async (trial: Trial) => {
      const { schema } = bodyMedia(operation.body) ?? {};
      const [violation] = schema ? contract.validators.compile(schema, 'request')(value) : [];
      if (violation) {
        trial.notice(
          `the request example ${name} is not valid: ${pointerText(violation.pointer, 'it')} ${violation.expected}`,
        );
        return;
      }
      const sent = marked ? markedExample(trial, operation, value) : value;
      tellRefusal(trial, await sendExample(trial, operation, sent, spot));
    };
    return makeCase({ operation, status: success }, slug, title, drive, { demands: false });
  });
}

/** The examples of the media type, else those of its schema. */
function examplesIn(operation: Operation): BodyExample[] {
  const media = bodyMedia(operation.body);
  if (!media) return [];
  const { examples, spot, shape } = media;
  if (examples.size > 0) return [...examples].map(([name, value]) => ({ name, value, spot }));
  const [example] = shape?.all('example') ?? [];
  return example ? [{ name: 'of the schema', value: example.value, spot: example.spot }] : [];
}

/** The example with the mark in one text, if it becomes a record. */
function markedExample(trial: Trial, operation: Operation, value: unknown): unknown {
  const { contract } = trial.plan;
  const { action } = roleOf(contract, operation) ?? {};
  if (!isRecord(value) || (action !== 'create' && action !== 'replace')) return value;
  const body = withMark(contract, operation, value, trial.marks.next());
  return isValidBody(trial, operation, body) ? body : value;
}

/** Without a mark, the ledger needs the record's id. */
async function sendExample(trial: Trial, operation: Operation, value: unknown, spot: Spot): Promise<Judged> {
  const role = roleOf(trial.plan.contract, operation);
  const example = placeOf(spot);
  if (role?.action === 'create') {
    const change = (_: unknown, mark: string | undefined) => withFreshId(trial, role.resource, value, mark);
    return tryCreate(trial, role.resource, { change, example });
  }
  return trial.send(operation, {
    ...(await ordinaryInput(trial, operation, true, { body: value })),
    example,
  });
}

/** Where the client chooses ids, the example's may exist from an earlier run. */
function withFreshId(
  trial: Trial,
  { id, actions }: Resource,
  value: unknown,
  mark: string | undefined,
): unknown {
  const shape = bodyMedia(actions.create?.body)?.shape;
  const member = id && shape && memberShape(shape, id.property);
  if (!id || !member || member.readOnly || !isRecord(value) || !(id.property in value)) return value;
  return { ...value, [id.property]: freshId(member, mark ?? trial.marks.next()) };
}

function tellRefusal(trial: Trial, { sound, response }: Judged): void {
  if (sound && !isSuccess(response)) trial.leaveOpen(`a documented example: ${describeStatus(response)}`);
}
