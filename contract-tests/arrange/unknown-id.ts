import { randomOf, type Shape, sample } from '#spec';

/** An id of the documented form that most likely names no record: large for integers, made up for texts. */
export function unknownId(shape: Shape, key: string): unknown {
  const random = randomOf(`unknown ${key}`);
  if (shape.mainType !== 'integer') return sample(shape, { key: `unknown ${key}` });
  const high = Number(shape.range.high?.value ?? Number.MAX_SAFE_INTEGER);
  const top = Math.min(high, 2 ** 52);
  return random.integer(Math.floor(top / 2), top - 1);
}
