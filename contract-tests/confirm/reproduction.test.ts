import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { linesOf } from '../send/curl.ts';
import type { SentStep } from '../send/trail.ts';
import { notesDocument } from '../testing/notes-service.ts';
import { scriptOf } from './reproduction.ts';

test.each([
  [7, 'jq -r .id'],
  ['a b', "jq -r '.id | @uri'"],
])(
  'no line uses a variable that it keeps itself, though what was sent at once stands in one: %s',
  async (made, kept) => {
    const contract = await readContract(notesDocument(), 'notes.json');
    const operationOf = (method: string) =>
      contract.operations.find(
        (one) => one.method === method && one.path.startsWith('/notes'),
      ) as SentStep['operation'];
    const [create, read] = [operationOf('POST'), operationOf('DELETE')];
    const resource = contract.resources.find(({ path }) => path === '/notes') as NonNullable<
      SentStep['created']
    >['resource'];
    const sent: SentStep[] = [];
    const send = (operation: SentStep['operation'], path: string, id?: unknown): SentStep => {
      const request = {
        method: operation.method,
        url: new URL(`http://a.test${path}`),
        headers: [],
        body: undefined,
      };
      const step: SentStep = {
        ...{ number: sent.length, operation, request: request as unknown as SentStep['request'] },
        ...{
          input: id === undefined ? {} : { path: { id } },
          amongOthers: true,
          versionOf: undefined,
          round: undefined,
        },
      };
      sent.push(step);
      return step;
    };
    const steps = [
      { ...send(create, '/notes'), created: { resource, id: made, at: ['id'] } },
      send(create, '/notes'),
      send(read, '/notes/7', made),
      send(read, '/notes/7', made),
    ];
    const run = {
      plan: {
        contract,
        settings: { base: new URL('http://a.test'), basePaths: [], headers: [], values: {}, credentials: {} },
      },
      log: { origins: { of: (_: unknown, id: unknown) => (id === made ? steps[0] : undefined) } },
    } as unknown as Parameters<typeof scriptOf>[0];
    const lines = linesOf(scriptOf(run, steps));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('ID1=$(');
    expect(lines[0]).toContain(kept);
    expect(lines[0]).not.toContain('$ID1');
    expect(lines[1]?.match(/\$ID1/g)).toHaveLength(2);
  },
);
