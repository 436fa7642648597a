import type { Shape, Validators } from '#spec';
import { compileFit, type Fake, methodOf } from './fake.ts';

/** Names as real data has them and clients fail on, by kind. */
const NAMES = [
  ["D'Artagnan", "Ma'alin"],
  ['Zoë', 'Łukasz', 'Nguyễn Thị Ánh', 'Ŋũgĩ', 'Ağaoğlu'],
  ['Ελένη', 'Дмитрий', 'Անահիտ', 'नेहा', 'ใบเตย'],
  ['さくら', '小花', '하늘'],
  ['שָׂרָה', 'محمد الأمين'],
  ['O’Malley', 'Momo 🐾', 'Tom & "Jerry"', '<b>Bo</b>', 'Wolfeschlegelsteinhausenbergerdorff'],
];

/** The ends of int64, and the first integer that a double cannot hold (2^53 + 1). */
const INTEGERS = [[-(2n ** 63n)], [2n ** 63n - 1n, 2n ** 53n + 1n]];

/** Methods of faker that give names and titles. */
const NAMING = /^(?:(?:animal|commerce|company|person)\.|lorem\.words?$)/;

const SHARE = 0.12;

/** Edge cases for a share of the members that may hold them; undefined: an ordinary value is wanted. */
export function createEdgeCases(validators: Validators): Fake {
  const compiled = new WeakMap<Shape, Kinds>();
  return (name, shape, random) => {
    let values = compiled.get(shape);
    if (!values) {
      values = valuesFor(name, shape, validators);
      compiled.set(shape, values);
    }
    return values.length > 0 && random.next() < SHARE ? random.pick(random.pick(values)) : undefined;
  };
}

type Kinds = readonly (readonly unknown[])[];

function valuesFor(name: string, shape: Shape, validators: Validators): Kinds {
  const kinds = kindsFor(name, shape);
  if (kinds.length === 0) return kinds;
  const fits = compileFit(shape, validators);
  return kinds.map((values) => values.filter(fits)).filter((values) => values.length > 0);
}

function kindsFor(name: string, shape: Shape): Kinds {
  if (shape.mainType === 'string') return NAMING.test(methodOf(name, shape)?.method ?? '') ? NAMES : [];
  // Clients without support for int64 must find records by their ids, too.
  return shape.find('format')?.value === 'int64' && name !== 'id' ? INTEGERS : [];
}
