import {
  type Contract,
  decodeParameter,
  encodeParameter,
  type ListForm,
  type Operation,
  type Parameter,
} from '#spec';
import { ordinaryAsk } from '../arrange/ordinary.ts';
import type { Case } from '../case.ts';
import { describeStatus, jsonOf } from '../laws/answer.ts';
import { judgePageSize, recordsOf } from '../laws/list.ts';
import { invalidStatus, roleOf, successStatuses } from '../operation-role.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase, slugOf } from './family.ts';

/**
 * Query values that break the document. Where it names a status for invalid input they get that one, unless the
 * operation has a body that the status may be meant for; else the document leaves it open: some 4xx, or a
 * success that keeps every documented bound.
 */
export const invalidParameter: Family = (contract) =>
  contract.operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap((parameter) =>
        wrongTexts(contract, parameter).map(([title, text]) =>
          oneWrong(contract, operation, parameter, title, text),
        ),
      ),
  );

function oneWrong(
  contract: Contract,
  operation: Operation,
  parameter: Parameter,
  title: string,
  text: string,
): Case {
  const promised = operation.body ? undefined : invalidStatus(operation);
  const status = promised ?? successStatuses(operation)[0] ?? 200;
  const slug = `${slugOf(parameter.name)}-${slugOf(title)}`;
  return makeCase(
    operation,
    status,
    slug,
    `${parameter.name} ${title} (${text || 'empty'}) is refused, or keeps the bounds`,
    async (trial) => {
      const ask = await ordinaryAsk(trial, operation);
      const answer = await trial.ask(operation, { ...ask, query: { ...ask.query, [parameter.name]: text } });
      if (promised !== undefined) trial.expect(answer, promised, 'invalid-refused');
      else if (answer.status === status) {
        if (trial.expect(answer, status))
          judgeBounds(trial, roleOf(contract, operation)?.resource.list, jsonOf(answer));
      } else trial.expectRefusal(answer, 'invalid-tolerated');
      if (promised === undefined && trial.findings.length === 0) {
        trial.leaveOpen(`${parameter.name}=${text}: ${describeStatus(answer)}`);
      }
    },
  );
}

/** Whatever a service makes of a page size that breaks the document, it never answers past the greatest one. */
function judgeBounds(trial: Trial, list: ListForm | undefined, body: unknown): void {
  const greatest = list?.pageSize?.shape.range.high?.value;
  if (list?.pageSize && greatest !== undefined) {
    trial.blame(judgePageSize(list.pageSize, Number(greatest), recordsOf(list, body)));
  }
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
  const texts = candidates.map(([title, value]): [string, string] => [
    title,
    encodeParameter(parameter, value)[0] ?? '',
  ]);
  return texts.filter(([, text]) => validate(decodeParameter(parameter, [text])).length > 0);
}
