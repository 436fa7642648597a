import type { Operation } from '#spec';
import { unknownId } from './unknown-id.ts';

type Data = Readonly<Record<string, unknown>>;

/** Path parameters of the right form that most likely name nothing. */
export function madeUpPath(operation: Operation): Data {
  return Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, shape }) => [name, unknownId(shape, name)]),
  );
}
