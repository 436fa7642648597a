import { type BrokenValue, type Contract, isRecord, type Operation, stringifyJson } from '#spec';
import { tryCreate } from '../arrange/create.ts';
import { ordinaryAsk } from '../arrange/ordinary.ts';
import type { Ask } from '../arrange/plan.ts';
import type { Case } from '../case.ts';
import { describeStatus } from '../laws/answer.ts';
import { invalidStatus, roleOf } from '../operation-role.ts';
import type { Trial } from '../trial.ts';
import { brokenBodies } from './broken-bodies.ts';
import { type Family, makeCase, slugOf } from './family.ts';

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

function oneKeywordBroken(contract: Contract, operation: Operation, broken: BrokenValue): Case {
  const status = invalidStatus(operation) ?? 400;
  return makeCase(
    operation,
    status,
    slugOf(broken.title),
    `a body ${phrase(broken.title)} is refused`,
    async (trial) => {
      const role = roleOf(contract, operation);
      const change = (body: Record<string, unknown>) => breakAlike(broken, body);
      if (role?.action === 'create') {
        const { answer } = await tryCreate(trial, role.resource, { change });
        judge(trial, answer, operation);
      } else {
        const ask = await ordinaryAsk(trial, operation, false);
        judge(
          trial,
          await trial.ask(operation, { ...ask, body: change(ask.body as Record<string, unknown>) }),
          operation,
        );
      }
      relocate(trial, broken);
    },
  );
}

function phrase(title: string): string {
  return title.startsWith('without') ? title : `with ${title}`;
}

function judge(trial: Trial, answer: Parameters<Trial['expect']>[0], operation: Operation): void {
  const status = invalidStatus(operation);
  if (status === undefined) trial.expectRefusal(answer, 'invalid-refused');
  else trial.expect(answer, status, 'invalid-refused');
}

/** A finding about a refusal that did not come points to the keyword that was broken. */
function relocate(trial: Trial, broken: BrokenValue): void {
  for (const [index, finding] of trial.findings.entries()) {
    if (finding.law !== 'invalid-refused') continue;
    const documented = `${finding.documented}, since ${broken.title} breaks "${broken.keyword}"`;
    trial.findings[index] = { ...finding, documented, at: broken.at };
  }
}

/** The same break in a body of this run: the other members keep its values, and its mark. */
function breakAlike(broken: BrokenValue, body: Record<string, unknown>): unknown {
  const [, top] = broken.pointer.split('/');
  if (top === undefined || !isRecord(broken.value)) return broken.value;
  const { [top]: _, ...others } = body;
  return top in broken.value ? { ...body, [top]: broken.value[top] } : others;
}

function emptyBody(operation: Operation): Case {
  const status = invalidStatus(operation) ?? 400;
  return makeCase(operation, status, 'empty-body', 'an empty body is refused', async (trial) => {
    const { body: _, ...ask } = await ordinaryAsk(trial, operation, false);
    judge(trial, await trial.ask(operation, { ...ask, rawBody: '' }), operation);
  });
}

/** What cannot be read as JSON at all: some 4xx; which one is nobody's promise. */
function unreadableBodies(operation: Operation): Case[] {
  const status = invalidStatus(operation) ?? 400;
  const unreadable: [slug: string, title: string, change: (text: string) => Partial<Ask>][] = [
    ['broken-json', 'broken JSON is refused', (text) => ({ rawBody: text.slice(0, -1) })],
    ['more-than-json', 'JSON with a word behind it is refused', (text) => ({ rawBody: `${text} paddock` })],
    [
      'trailing-comma',
      'JSON with a comma too many is refused',
      (text) => ({ rawBody: text.replace(/}$/, ',}') }),
    ],
    [
      'not-json',
      'a body of another media type is refused',
      (text) => ({ rawBody: text, contentType: 'text/plain' }),
    ],
  ];
  return unreadable.map(([slug, title, change]) =>
    makeCase(operation, status, slug, title, async (trial) => {
      const { body, ...ask } = await ordinaryAsk(trial, operation, false);
      const answer = await trial.ask(operation, { ...ask, ...change(stringifyJson(body)) });
      if (trial.expectRefusal(answer, 'invalid-refused'))
        trial.leaveOpen(`${title}: ${describeStatus(answer)}`);
    }),
  );
}
