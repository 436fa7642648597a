import {
  type Contract,
  decodeParameter,
  encodeParameter,
  type Operation,
  type Parameter,
  percentDecode,
  queryPairs,
  statesCursorRefused,
} from '#spec';
import { listedResources } from '../arrange/lists.ts';
import { ordinaryInput } from '../arrange/requests.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { invalidStatus, successStatuses } from '../laws/operation-role.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/**
 * Query values that break the document. Where it names a status for invalid input they get that one, unless the
 * operation has a body that the status may be meant for; else the document leaves it open: some 4xx, or a
 * success that keeps every documented bound.
 */
export const invalidParameter: Family = (contract) => [
  ...contract.operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap((parameter) =>
        wrongTexts(contract, parameter).map(([title, text]) => oneWrong(operation, parameter, title, text)),
      ),
  ),
  ...invalidCursors(contract),
];

function oneWrong(operation: Operation, parameter: Parameter, title: string, text: string): Case {
  const promised = operation.body ? undefined : invalidStatus(operation);
  const status = promised ?? successStatuses(operation)[0] ?? 200;
  const slug = `${slugOf(parameter.name)}-${slugOf(title)}`;
  const says = `${parameter.name} ${title} (${text || 'empty'}) is refused, or keeps the bounds`;
  return makeCase(operation, status, slug, says, async (trial) => {
    const input = await ordinaryInput(trial, operation);
    const query = { ...input.query, [parameter.name]: text };
    const { sound, response } = await trial.send(operation, { ...input, query });
    const about = { question: `an invalid ${parameter.name}`, answer: `${response.status}` };
    if (promised === undefined && sound)
      trial.leaveOpen(`${parameter.name}=${text}: ${describeStatus(response)}`, about);
  });
}

/** Texts that still break the schema when they are read back from the wire. */
function wrongTexts(contract: Contract, parameter: Parameter): [title: string, text: string][] {
  const { shape, schema } = parameter;
  if (!schema) return [];
  const validate = contract.validators.compile(schema, 'request');
  const { low, high } = shape.range;
  const candidates: [string, unknown][] = [
    ['that is a word', 'paddock'],
    ['that is empty', ''],
    ['that is no whole number', 1.5],
    ...(low
      ? ([['below the least value', BigInt(Math.trunc(Number(low.value))) - 1n]] as [string, unknown][])
      : []),
    ...(high
      ? ([['above the greatest value', BigInt(Math.trunc(Number(high.value))) + 1n]] as [string, unknown][])
      : []),
    ['far above any value', '99999999999999999999'],
    ...(shape.values
      ?.slice(0, 1)
      .map((value): [string, unknown] => ['in another case', String(value).toUpperCase()]) ?? []),
  ];
  // The members of an object have names of their own.
  if (queryPairs(parameter, {}).length === 0) return [];
  const texts = candidates.map(([title, value]): [string, string] => [
    title,
    encodeParameter(parameter, value)[0] ?? '',
  ]);
  return texts
    .filter(([, text]) => text !== '' || !parameter.allowsEmpty)
    .filter(([, text]) => validate(decodeParameter(parameter, [text])).length > 0)
    .map(([title, text]) => [title, percentDecode(text)]);
}

const NO_CURSOR = 'paddock, no cursor';

/** A text that no service gives as a cursor, where the document says that such a one is refused. */
function invalidCursors(contract: Contract): Case[] {
  return listedResources(contract.resources).flatMap(({ operation, form: { cursor } }) => {
    if (!cursor?.schema || !statesCursorRefused(operation, cursor)) return [];
    if (contract.validators.compile(cursor.schema, 'request')(NO_CURSOR).length > 0) return [];
    const says = `a ${cursor.name} that is none is refused`;
    return [
      makeCase(operation, 400, `${slugOf(cursor.name)}-that-is-none`, says, async (trial) => {
        const input = await ordinaryInput(trial, operation);
        const query = { ...input.query, [cursor.name]: NO_CURSOR };
        await trial.send(operation, { ...input, query, expected: { status: 400, or4xx: true } });
      }),
    ];
  });
}
