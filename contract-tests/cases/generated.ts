import {
  type BrokenValue,
  breakEachKeyword,
  explore,
  type Operation,
  type Resource,
  randomOf,
  showPlace,
} from '#spec';
import { isReferring, makeBody } from '../arrange/body.ts';
import { tryCreate } from '../arrange/create.ts';
import { markMember } from '../arrange/mark.ts';
import type { Case, Exchange } from '../case.ts';
import { judgeAnswer, judgeStatus } from '../laws/answer.ts';
import type { Breach } from '../laws/law.ts';
import { judgeKept } from '../laws/record.ts';
import { invalidStatus, successStatuses } from '../operation-role.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase } from './family.ts';

type Data = Record<string, unknown>;

/** Generated bodies on top of the fixed ones; a failing one is shrunk until nothing smaller fails. */
export const generated: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { create } = resource.actions;
    const success = create && successStatuses(create)[0];
    const media = create?.body?.content.find(({ isJson }) => isJson);
    if (!create || success === undefined || !media?.shape || !media.schema || settings.examples === 0)
      return [];
    const refusal = invalidStatus(create);
    return [
      validBodies(resource, create, success),
      ...(refusal === undefined ? [] : [invalidBodies(resource, create, refusal)]),
    ];
  });

/** The longest text that counts as an ordinary one. */
const LONGEST_TEXT = 64;

/** What a try showed, kept until a smaller one shows the same. */
interface Shown {
  readonly exchange: Exchange;
  readonly breaches: readonly Breach[];
}

function validBodies(resource: Resource, create: Operation, success: number): Case {
  return makeCase(
    create,
    success,
    'generated',
    'generated ordinary bodies are accepted and come back equal',
    async (trial) => {
      await tryBodies(trial, create, async (body) => {
        const change = (_: Data, mark: string | undefined) => withMark(create, body, mark);
        const { answer, sent, record } = await tryCreate(trial, resource, { change });
        const wrong = judgeStatus(create, answer, success);
        if (wrong.length > 0) return wrong;
        const kept = judgeKept('created-equals-sent', resource.shape, sent, record, create.spot);
        return [...judgeAnswer(trial.run.contract, create, answer), ...kept];
      });
    },
  );
}

function invalidBodies(resource: Resource, create: Operation, refusal: number): Case {
  return makeCase(
    create,
    refusal,
    'generated',
    'generated bodies with one break each are refused',
    async (trial) => {
      const media = create.body?.content.find(({ isJson }) => isJson);
      const shape = media?.shape;
      if (!media?.schema || !shape) return;
      const validate = trial.run.contract.validators.compile(media.schema, 'request');
      await tryBodies(trial, create, async (body, salt) => {
        const breaks = breakEachKeyword(shape, body, validate);
        const broken = breaks[salt % Math.max(1, breaks.length)];
        if (!broken) return [];
        const { answer } = await tryCreate(trial, resource, { change: () => broken.value });
        const wrong = judgeStatus(create, answer, refusal, 'invalid-refused').map((breach) =>
          explain(breach, broken),
        );
        return wrong.length > 0 ? wrong : judgeAnswer(trial.run.contract, create, answer);
      });
    },
  );
}

/** No record may be made that does not bear the run's mark: it ends the generated text. */
function withMark(create: Operation, body: Data, mark: string | undefined): Data {
  const shape = create.body?.content.find(({ isJson }) => isJson)?.shape;
  const member = shape && markMember(shape);
  if (mark === undefined || member === undefined) return body;
  const text = [...String(body[member] ?? '')].slice(0, LONGEST_TEXT - mark.length - 1).join('');
  return { ...body, [member]: `${text.trim()} ${mark}`.trim() };
}

function explain(breach: Breach, broken: BrokenValue | undefined): Breach {
  if (!broken) return breach;
  const documented = `${breach.documented}, since ${broken.title} breaks "${broken.keyword}" (${showPlace(broken.at)})`;
  return { ...breach, documented, at: broken.at };
}

/** Runs a property over generated bodies, and blames the smallest that fails. */
async function tryBodies(
  trial: Trial,
  create: Operation,
  judge: (body: Data, salt: number) => Promise<Breach[]>,
): Promise<void> {
  const { settings, contract, ledger } = trial.run;
  const media = create.body?.content.find(({ isJson }) => isJson);
  if (!media?.shape || !media.schema) return;
  const ordinary = await makeBody(trial, create, {});
  let shown: Shown | undefined;
  await explore(
    media.shape,
    contract.validators.compile(media.schema, 'request'),
    {
      seed: randomOf(`${settings.seed} ${create.id}`).integer(0, 2 ** 31 - 1),
      runs: settings.examples,
      omit: (member) => member.readOnly,
      // What refers to something must exist on the target: only the ordinary value is known to.
      fixed: (name, shape) =>
        isReferring(name, shape) || name in settings.values ? ordinary[name] : undefined,
    },
    async (body, salt) => {
      if (!ledger.open()) return true;
      const breaches = await judge(body as Data, salt);
      if (breaches.length > 0) shown = { exchange: trial.last(), breaches };
      else if (!shown) trial.covered = true;
      return breaches.length === 0;
    },
  );
  if (shown) trial.blame(shown.breaches, shown.exchange);
  if (!ledger.open())
    trial.notice(`--max-creates ${settings.maxCreates} left no room for more generated bodies`);
}
