import { createRequire } from 'node:module';
import { isRecord, type Random, type Shape } from '#spec';

/** Not there yet. */
export function fakeValue(_name: string, _shape: Shape, _random: Random): unknown {
  void createRequire;
  void isRecord;
  return undefined;
}
