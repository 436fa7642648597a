import { type Contract, type Operation, stringifyJson } from '#spec';
import { ordinaryInput } from '../arrange/ask.ts';
import { tryCreate } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { invalidStatus, roleOf } from '../laws/operation-role.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { type BrokenBody, breakAlike, brokenBodies } from './broken-bodies.ts';
import type { Case } from './case.ts';
import { type Family, makeCase, slugOf } from './family.ts';

type Data = Readonly<Record<string, unknown>>;

/** A body that breaks one keyword of its schema is refused with the status that the document names for it. */
export const invalidBody: Family = (contract, settings) =>
  contract.operations.flatMap((operation) => {
    const media = operation.body?.content.find(({ isJson }) => isJson);
    if (!media?.shape || !media.schema) return [];
    return [
      ...brokenBodies(contract, settings, operation).map((broken) =>
        oneKeywordBroken(contract, operation, broken),
      ),
      ...(operation.body?.required ? [emptyBody(operation)] : []),
      ...unreadableBodies(operation),
    ];
  });

/** The cell of a refusal: the status that the document names for invalid input. */
function refusalOf(operation: Operation): number {
  return invalidStatus(operation) ?? 400;
}

function oneKeywordBroken(contract: Contract, operation: Operation, broken: BrokenBody): Case {
  const what = broken.title.startsWith('without') ? broken.title : `with ${broken.title}`;
  const title = `a body ${what} is refused`;
  return makeCase(operation, refusalOf(operation), slugOf(broken.title), title, async (trial) => {
    const role = roleOf(contract, operation);
    const change = (body: Data) => breakAlike(broken, body);
    if (role?.action === 'create') await tryCreate(trial, role.resource, { change });
    else {
      const input = await ordinaryInput(trial, operation, false);
      await trial.send(operation, { ...input, body: change(input.body as Data) });
    }
  });
}

function emptyBody(operation: Operation): Case {
  return makeCase(
    operation,
    refusalOf(operation),
    'empty-body',
    'an empty body is refused',
    async (trial) => {
      const { body: _, ...input } = await ordinaryInput(trial, operation, false);
      await trial.send(operation, { ...input, rawBody: '' });
    },
  );
}

type Unreadable = [slug: string, title: string, change: (text: string) => Partial<RequestInput>];

/** What cannot be read as JSON at all: some 4xx; which one is not documented. Another media type may be taken. */
const UNREADABLE: readonly Unreadable[] = [
  ['broken-json', 'broken JSON is refused', (text) => ({ rawBody: text.slice(0, -1) })],
  ['more-than-json', 'JSON with a word behind it is refused', (text) => ({ rawBody: `${text} paddock` })],
  [
    'trailing-comma',
    'JSON with a comma too many is refused',
    (text) => ({ rawBody: text.replace(/}$/, ',}') }),
  ],
  [
    'not-json',
    'a body of another media type is taken or refused',
    (text) => ({ rawBody: text, contentType: 'text/plain' }),
  ],
];

function unreadableBodies(operation: Operation): Case[] {
  return UNREADABLE.map(([slug, title, change]) => ({
    ...makeCase(operation, refusalOf(operation), slug, title, async (trial) => {
      const { body, ...input } = await ordinaryInput(trial, operation, false);
      const { sound, response } = await trial.send(operation, { ...input, ...change(stringifyJson(body)) });
      const about = { question: 'a body that cannot be read', answer: `${response.status}` };
      if (sound) trial.leaveOpen(`${title}: ${describeStatus(response)}`, about);
    }),
    demands: false,
  }));
}
