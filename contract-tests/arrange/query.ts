import { type Operation, sample } from '#spec';
import type { Trial } from '../run/trial.ts';
import { given } from './body.ts';
import { unknownId } from './unknown-id.ts';

type Data = Readonly<Record<string, unknown>>;

/** Good values for the query parameters that an operation requires. */
export function requiredQuery(trial: Trial, operation: Operation): Data {
  return Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name, shape }) => [
        name,
        given(trial, name, shape) ?? sample(shape, { key: `${trial.run.settings.seed}/${name}` }),
      ]),
  );
}

/** Path parameters of the right form that most likely name nothing. */
export function madeUpPath(operation: Operation): Data {
  return Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, shape }) => [name, unknownId(shape, name)]),
  );
}
