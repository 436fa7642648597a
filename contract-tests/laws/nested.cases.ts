import { HOLDS, type LawTable } from '../testing/law-table.ts';
import { ask } from '../testing/steps.ts';

type Data = Readonly<Record<string, unknown>>;

const QUARRY = { name: 'paddock-x-1n' };
const open = (id: number) =>
  ask('openQuarry', { body: { ...QUARRY, stone: 'slate' } }, 201, {
    ...QUARRY,
    id,
    crews: [],
    stone: 'slate',
  });
const close = (id: number) => ask('closeQuarry', { path: { quarryId: id } }, 204);
const closeNone = (id: number) => ask('closeQuarry', { path: { quarryId: id } }, 404, { error: 'none' });
const noQuarry = (id: number) => ask('readQuarry', { path: { quarryId: id } }, 404, { error: 'gone' });
const PIT = { depth: 4, flooded: true };
const dig = (quarry: number, id: number) =>
  ask('digPit', { path: { quarry }, body: PIT }, 201, { id, ...PIT });
const readPit = (quarry: number, pit: number, got: Data = PIT) =>
  ask('readPit', { path: { quarry, pit } }, 200, { id: pit, ...got });
const noPit = (quarry: number, pit: number) =>
  ask('readPit', { path: { quarry, pit } }, 404, { error: 'none' });
const pitsOf = (quarry: number, ...pits: Data[]) => ask('listPits', { path: { quarry } }, 200, pits);
const SAMPLE = { density: 2 };
const take = (quarry: number, pit: number, id: number) =>
  ask('takeSample', { path: { quarry, pit }, body: SAMPLE }, 201, { id, ...SAMPLE });
const readSample = (quarry: number, pit: number, sample: number) =>
  ask('readSample', { path: { quarry, pit, sample } }, 200, { id: sample, ...SAMPLE });
const crewOf = (quarryId: number, crewId: number) =>
  ask('readCrewOfQuarry', { path: { quarryId, crewId } }, 200, { id: crewId, name: 'paddock-x-2n' });
const hire = (quarryId: number, id: number) =>
  ask('hireCrewForQuarry', { path: { quarryId }, body: { name: 'paddock-x-2n' } }, 201, {
    ...{ id, name: 'paddock-x-2n', quarryId },
  });

const PIT_7 = '{"id":7,"depth":4,"flooded":true}';

export const NESTED_CASES: LawTable = {
  'apart-by-parent': [
    [
      'numbers alone, below the own parent',
      { given: [open(1), open(2), dig(1, 7), readPit(1, 7)], want: HOLDS },
    ],
    [
      'numbers alone, below a parent that has nothing yet',
      {
        given: [open(1), open(2), dig(1, 7), readPit(2, 7)],
        want: [
          `apart-by-parent: ${PIT_7} below {"quarry":"2"} | it below {"quarry":"1"} only, where it was made`,
        ],
      },
    ],
    [
      'numbers alone, listed below a parent that has nothing yet',
      {
        given: [open(1), open(2), dig(1, 7), pitsOf(2, { id: 7, ...PIT })],
        want: [
          `apart-by-parent: ${PIT_7} below {"quarry":"2"} | it below {"quarry":"1"} only, where it was made`,
        ],
      },
    ],
    [
      'the same number and members below a parent where a record was made',
      { given: [open(1), open(2), dig(1, 7), dig(2, 8), readPit(2, 7)], want: HOLDS },
    ],
    [
      'the same number below a parent that the sequence has not made',
      { given: [open(1), dig(1, 7), readPit(3, 7)], want: HOLDS },
    ],
    [
      'a record that a new parent begins with',
      { given: [open(1), open(2), dig(1, 7), readPit(2, 7, { depth: 0 })], want: HOLDS },
    ],
    [
      'below another grandparent',
      {
        given: [open(1), open(2), dig(1, 7), take(1, 7, 9), readSample(2, 7, 9)],
        want: [
          'apart-by-parent: {"id":9,"density":2} below {"quarry":"2","pit":"7"} | it below {"quarry":"1","pit":"7"} only, where it was made',
        ],
      },
    ],
    [
      'a record that has a path of its own, too',
      { given: [open(1), open(2), hire(1, 5), crewOf(2, 5)], want: 'not judged' },
    ],
  ],
  'gone-with-parent': [
    [
      'nothing is listed below a removed record',
      { given: [open(1), dig(1, 7), close(1), noQuarry(1), pitsOf(1)], want: HOLDS },
    ],
    [
      'it is read below a removed record',
      {
        given: [open(1), dig(1, 7), close(1), noQuarry(1), readPit(1, 7)],
        want: [`gone-with-parent: ${PIT_7} below quarry 1, which was removed | nothing below it`],
      },
    ],
    [
      'it is listed below a removed record',
      {
        given: [open(1), dig(1, 7), close(1), noQuarry(1), pitsOf(1, { id: 7, ...PIT })],
        want: [`gone-with-parent: ${PIT_7} below quarry 1, which was removed | nothing below it`],
      },
    ],
    [
      'what is below what was below it is read',
      {
        given: [open(1), dig(1, 7), take(1, 7, 9), close(1), noQuarry(1), readSample(1, 7, 9)],
        want: ['gone-with-parent: {"id":9,"density":2} below quarry 1, which was removed | nothing below it'],
      },
    ],
    [
      'below another record',
      { given: [open(1), dig(2, 7), close(1), noQuarry(1), readPit(2, 7)], want: HOLDS },
    ],
    [
      'a removal that is refused',
      { given: [open(1), dig(1, 7), closeNone(2), noQuarry(2), readPit(1, 7)], want: HOLDS },
    ],
    [
      'a record that can still be read',
      { given: [open(1), dig(1, 7), close(1), readPit(1, 7)], want: HOLDS },
    ],
    ['what was not there before', { given: [noPit(1, 7)], want: 'not judged' }],
    [
      'a record that has a path of its own, too',
      { given: [open(1), hire(1, 5), close(1), noQuarry(1), crewOf(1, 5)], want: 'not judged' },
    ],
  ],
};
