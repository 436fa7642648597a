import { bodyMedia, type Operation, type Resource, randomOf } from '#spec';
import { type BrokenValue, breakOneKeyword, explore } from '#test-values';
import { isReferring, unclearMembers } from '../arrange/body.ts';
import { type On, onEach } from '../arrange/lists.ts';
import { inOrder } from '../arrange/ordered-pairs.ts';
import { isValidBody, withMark } from '../arrange/record-members.ts';
import { ordinaryBody, tryCreate } from '../arrange/target.ts';
import { markMember, recordInBody, recordSent } from '../laws/mark.ts';
import { invalidStatus } from '../laws/operation-role.ts';
import { NoRoom } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { staysBroken } from './broken-bodies.ts';
import { type Case, type Family, makeCase } from './case.ts';

type Data = Readonly<Record<string, unknown>>;

/** Generated bodies on top of the fixed ones; a failing one is shrunk until nothing smaller fails. */
export const generated: Family = (contract, settings) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const media = bodyMedia(on.operation.body);
    if (!media?.shape || !media.schema || settings.examples === 0) return [];
    const refusal = invalidStatus(on.operation);
    return [
      { ...validBodies(on), creates: settings.examples, elastic: true },
      ...(refusal === undefined ? [] : [invalidBodies({ ...on, status: refusal })]),
    ].map((one) => ({ ...one, requests: settings.examples * 10 }));
  });

function validBodies(on: On): Case {
  const { resource, operation } = on;
  const title = 'generated ordinary bodies are accepted and returned as they were sent';
  return makeCase(on, 'generated', title, (trial) =>
    tryBodies(trial, operation, async (part, body) => {
      const change = (ordinary: Data, mark: string | undefined) =>
        marked(part, on, withIdOf(resource, ordinary, inOrder(body) as Data), mark);
      return (await tryCreate(part, resource, { change, expect: 'success' })).sound;
    }),
  );
}

function invalidBodies(on: On): Case {
  const { resource, operation } = on;
  const title = 'generated bodies that each break one keyword are refused';
  return makeCase(on, 'generated', title, async (trial) => {
    const media = bodyMedia(operation.body);
    const shape = media?.shape;
    if (!media?.schema || !shape) return;
    const validate = trial.run.contract.validators.compile(media.schema, 'request');
    await tryBodies(trial, operation, async (part, body, salt) => {
      const accepts = (one: BrokenValue) => staysBroken(media, one, validate);
      const broken = breakOneKeyword(shape, body, validate, { number: salt, accepts });
      return !broken || (await tryCreate(part, resource, { change: () => broken.value })).sound;
    });
  });
}

/** A generated id may be somebody's. */
function withIdOf({ id }: Resource, ordinary: Data, body: Data): Data {
  if (!id || !Object.hasOwn(body, id.property)) return body;
  const { [id.property]: own, ...others } = body;
  return ordinary[id.property] === undefined ? others : { ...body, [id.property]: ordinary[id.property] };
}

/** No record may be made that does not bear the run's mark: it ends the generated text. */
function marked({ run }: Trial, { resource, operation }: On, body: Data, mark: string | undefined): Data {
  const { shape } = recordInBody(resource, operation);
  const member = shape && markMember(shape);
  if (mark === undefined || member === undefined) return body;
  const before = recordSent(resource, operation, body)[member] ?? '';
  return withMark(run.contract, operation, body, mark, { before: String(before) });
}

/** A long row of requests takes less time in parts. */
const PARTS = 8;

type IsSound = (part: Trial, body: Data, salt: number) => Promise<boolean>;

/** Tries generated bodies; a failing one is shrunk, and the smallest that fails is the finding. */
async function tryBodies(trial: Trial, create: Operation, isSound: IsSound): Promise<void> {
  const { examples } = trial.run.settings;
  const ordinary = await ordinaryBody(trial, create);
  const drives = Array.from(
    { length: PARTS },
    (_, number) => (part: Trial) => tryPart(part, create, ordinary, number, isSound),
  );
  await trial.together(drives, Math.ceil(examples / PARTS));
}

/** One of the parts: of all generated bodies every fourth, until one fails. */
async function tryPart(
  part: Trial,
  create: Operation,
  ordinary: Data,
  number: number,
  isSound: IsSound,
): Promise<void> {
  const { settings, contract } = part.run;
  const media = bodyMedia(create.body);
  if (!media?.shape || !media.schema) return;
  const unclear = unclearMembers(media);
  let [count, isFull, isShrinking] = [0, false, false];
  await explore(
    media.shape,
    contract.validators.compile(media.schema, 'request'),
    {
      seed: randomOf(`${settings.seed} ${create.id}`).integer(0, 2 ** 31 - 1),
      runs: settings.examples,
      omit: (member) => member.readOnly || unclear.has(member.spot.value),
      // What refers to something must exist on the target: only the ordinary value is known to.
      fixed: (name, shape) =>
        isReferring(name, shape) || name in settings.values ? ordinary[name] : undefined,
    },
    async (body, salt) => {
      if (!isShrinking && count++ % PARTS !== number) return true;
      const found = part.findings.length;
      try {
        if (!isValidBody(part, create, body as Data)) return true;
        const sound = await isSound(part, body as Data, salt);
        // Only the smallest that fails is worth reporting.
        if (part.findings.length > found) part.findings.splice(0, found);
        isShrinking ||= !sound;
        return sound;
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error;
        isFull = true;
        return true;
      }
    },
  );
  if (isFull) part.notice(`--max-creates ${part.run.budget.most} left no room for more generated bodies`);
}
