import { type Filter, isRecord, type Resource } from '#spec';
import type { Trial } from '../run/trial.ts';
import { targetRecords } from './target.ts';

/**
 * A value to filter by that a record of the target has; undefined if none has one. Some records hold an object, or a
 * longer text, where the parameter takes an id: these are no values of the parameter.
 */
export async function seenValue(
  trial: Trial,
  resource: Resource,
  { parameter, property }: Filter,
): Promise<unknown> {
  const { shape, schema } = parameter;
  const validate = schema && trial.run.contract.validators.compile(schema, 'request');
  const mayBeAsked = (value: unknown) =>
    !validate || validate(shape.mainType === 'array' ? [value] : value).length === 0;
  const records = await targetRecords(trial, resource);
  return records
    .flatMap((record) => record[property])
    .find((value) => value !== undefined && value !== null && !isRecord(value) && mayBeAsked(value));
}
