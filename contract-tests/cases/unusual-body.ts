import {
  type Basis,
  bodyMedia,
  type Contract,
  findSample,
  formsOf,
  isRecord,
  type Operation,
  type Resource,
  randomOf,
  type Shape,
  takesAnyOffset,
} from '#spec';
import { type BrokenValue, breakOneKeyword, explore } from '#test-values';
import { oneAlone, unclearMembers } from '../arrange/body.ts';
import type { Variation } from '../arrange/creation.ts';
import { type On, onEach } from '../arrange/lists.ts';
import { inOrder } from '../arrange/made-up.ts';
import { referringIn } from '../arrange/named-records.ts';
import {
  inRecord,
  isValidBody,
  markedLength,
  markedText,
  membersNamed,
  type Words,
  withMark,
} from '../arrange/record-members.ts';
import { followCreation } from '../arrange/requests.ts';
import { ordinaryBody, tryCreate } from '../arrange/target.ts';
import { SHORT_TEXTS } from '../laws/blame.ts';
import { shorten } from '../laws/compare-records.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { LONG_MARK, markMember, recordInBody, recordSent, withoutNull } from '../laws/mark.ts';
import { invalidStatus } from '../laws/operation-role.ts';
import { NoRoom, NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import type { Data } from '../send/wire.ts';
import { staysBroken } from './broken-bodies.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** @param promised why it must be accepted; undefined: it need not be */
type Unusual = [
  slug: string,
  title: string,
  change: (body: Data, mark: string | undefined) => Data,
  promised?: Basis | undefined,
];

/**
 * Bodies that the schema allows and no ordinary client sends: a service may reject them with a 4xx. If it accepts one, it
 * must store it as sent; and it must never fail.
 */
export const unusualBodies: Family = (contract, settings) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const { shape } = recordInBody(on.resource, on.operation);
    if (!shape) return [];
    return [
      ...unusualTexts(shape, settings.onLoopback),
      ...unusualIntegers(shape),
      ...otherOffsets(shape),
      ...otherForms(shape),
    ].map((unusual) => takenAsItIs(on, unusual));
  });

/** A moment with an offset from UTC is the same moment (RFC 3339 §4.2). */
function otherOffsets(shape: Shape): Unusual[] {
  return [...shape.properties].flatMap(([name, member]): Unusual[] => {
    if (member.readOnly || member.find('format')?.value !== 'date-time') return [];
    const change = (body: Data) => {
      const time = Date.parse(String(body[name]));
      if (Number.isNaN(time)) return body;
      return { ...body, [name]: new Date(time + 19_800_000).toISOString().replace(/Z$/, '+05:30') };
    };
    return [[`${slugOf(name)}-offset`, `${name} with an offset`, change, takesAnyOffset(member)]];
  });
}

/** Each alternative of a member: the ordinary body has one of them. */
function otherForms(shape: Shape): Unusual[] {
  return [...shape.properties].flatMap(([name, member]) => {
    if (member.readOnly || member.mainType === 'array') return [];
    const forms = formsOf(member).filter((form) => form.mainType === 'object');
    return (forms.length > 1 ? forms : []).flatMap((form, index): Unusual[] => {
      const value = findSample(form, { key: `${name} ${index}`, direction: 'request' });
      if (!isRecord(value)) return [];
      const title = `${name} in form ${index + 1}`;
      return [[slugOf(title), title, (body) => ({ ...body, [name]: value })]];
    });
  });
}

function unusualTexts(shape: Shape, unmarked: boolean): Unusual[] {
  const member = markMember(shape);
  if (member === undefined) return [];
  const texts: [slug: string, title: string, text: (mark: string) => string][] = [
    ['spaces', 'spaces at both ends', (mark) => `  ${mark} `],
    ['decomposed', 'a decomposed letter (NFD)', (mark) => `Zoe\u0308 ${mark}`],
    ['long', '1000 characters', (mark) => `${mark} `.padEnd(1000, 'paddock')],
    ['lines', 'a line break and a tab', (mark) => `a\n\tb ${mark}`],
    ['nul', 'the character U+0000', (mark) => `a\0b ${mark}`],
  ];
  // An empty text has no room for the run's mark.
  if (unmarked) texts.push(['empty', 'no character', () => '']);
  return texts.map(([slug, title, text]) => [
    `text-${slug}`,
    `${title} in ${member}`,
    (body, mark) => ({ ...body, [member]: text(mark ?? '') }),
  ]);
}

function unusualIntegers(shape: Shape): Unusual[] {
  return [...shape.properties].flatMap(([name, member]) => {
    if (member.mainType !== 'integer' || member.readOnly || member.values) return [];
    const values = { zero: 0, negative: -1, greatest: member.range.high?.value };
    return Object.entries(values).flatMap(([slug, value]): Unusual[] => {
      const change = (body: Data) => ({ ...body, [name]: value });
      return value === undefined ? [] : [[`${slugOf(name)}-${slug}`, `${name} ${value}`, change]];
    });
  });
}

function takenAsItIs(on: On, [slug, what, change, promised]: Unusual): Case {
  const { resource, operation } = on;
  const title = `a body with ${what} is stored as it is${promised ? '' : ', or refused'}`;
  const edit = inRecord(resource, operation, change);
  return makeCase(on, slug, title, async (trial) => {
    let valid = true;
    let ordinary: Data | undefined;
    const create = () =>
      tryCreate(trial, resource, {
        ...(promised ? { expected: { status: on.status, rests: [promised] } } : { expect: 'success or 4xx' }),
        change(body, mark) {
          ordinary = body;
          const changed = edit(body, mark);
          valid = isValidBody(trial, operation, changed);
          // Where the schema forbids it, the ordinary body is sent instead.
          return valid ? changed : body;
        },
      });
    const creation = await create().catch(async (error: unknown) => {
      if (!(error instanceof NotProvoked) || !ordinary) throw error;
      // If the body is accepted without the variation, what it refers to is not the reason.
      const change = (_: Data, mark = '') => withMark(trial.plan.contract, operation, ordinary ?? {}, mark);
      await tryCreate(trial, resource, { change });
      return create();
    });
    if (!valid) trial.notice(`${shorten(what)} is not allowed here`);
    if (!creation.sound) return;
    if (creation.response.status === on.status) return followCreation(trial, resource, creation);
    const about = { question: 'a value that few clients send', answer: `${creation.response.status}` };
    trial.leaveOpen(`${what}: ${describeStatus(creation.response)}`, about);
  });
}

/** A difference from the ordinary body, with its slug and title. */
export type Variant = [slug: string, title: string, variation: Variation];

/**
 * Ordinary texts: 1 to 64 printable characters, NFC, no space at either end, any script.
 * @param unmarked include those without room for the run's mark
 */
export function ordinaryTexts(
  contract: Contract,
  resource: Resource,
  create: Operation,
  unmarked: boolean,
): Variant[] {
  const { shape } = recordInBody(resource, create);
  const member = shape && markMember(shape);
  if (!shape || member === undefined) return [];
  const { least, most } = markedLength(contract, create);
  const patterns = membersNamed(shape, member).flatMap((one) => withoutNull(one).patterns);
  const isAllowed = (text: string) => patterns.every((pattern) => pattern.test(text));
  const variant = (slug: string, title: string, change: NonNullable<Variation['change']>): Variant => [
    `text-${slug}`,
    `with ${title} in ${member}`,
    { change },
  ];
  // Beside a long mark there may be no room for the words.
  const marked = [...MARKED, ['longest', `${most} characters`, { after: FILLING }] as const].filter(
    ([, , words]) =>
      [LONG_MARK, LONG_MARK.slice(0, 16)].every((mark) =>
        isAllowed(markedText(mark, words, { least, most })),
      ),
  );
  const fitting = BARE.filter(
    ([, , words]) => words.length >= least && words.length <= most && isAllowed(words),
  );
  const bare = unmarked ? fitting : [];
  return [
    ...marked.map(([slug, title, words]) =>
      variant(slug, title, (body, mark = '') => withMark(contract, create, body, mark, words)),
    ),
    ...bare.map(([slug, title, words]) =>
      variant(
        slug,
        title,
        inRecord(resource, create, (record) => ({ ...record, [member]: words })),
      ),
    ),
  ];
}

/** Not ASCII, so that counting bytes differs from counting characters. */
const FILLING = 'Zoë-Ñandú-';

const MARKED: readonly (readonly [slug: string, title: string, words: Words])[] = [
  ['apostrophe', 'quotes and an ampersand', { before: `O'Brien "Rex" & <co>` }],
  ['accents', 'accents', { before: 'Zoë Łukasz Ñandú' }],
  ['scripts', 'several scripts', { before: '猫 кот قط ねこ' }],
  ['emoji', 'characters beyond the basic plane', { before: '🐈‍⬛ 𝔘' }],
  ['signs', 'signs and two spaces in a row', { before: '100% a+b=c\\d/e %41  {x} $y #1;' }],
];

/** Texts that careless code misinterprets; too short for a mark. */
const BARE: [slug: string, title: string, words: string][] = [
  ['shortest', 'one character', SHORT_TEXTS.letter],
  ['digits', 'digits only', '0042'],
  ['null', 'the word null', SHORT_TEXTS.null],
];

/** Generated bodies in addition to the fixed ones; a failing one is shrunk to the smallest that fails. */
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
    const validate = trial.plan.contract.validators.compile(media.schema, 'request');
    await tryBodies(trial, operation, async (part, body, salt) => {
      const accepts = (value: BrokenValue) => staysBroken(media, value, validate);
      const broken = breakOneKeyword(shape, body, validate, { number: salt, accepts });
      return !broken || (await tryCreate(part, resource, { change: () => broken.value })).sound;
    });
  });
}

/** A generated id may belong to another client. */
function withIdOf({ id }: Resource, ordinary: Data, body: Data): Data {
  if (!id || !Object.hasOwn(body, id.property)) return body;
  const { [id.property]: _, ...others } = body;
  return ordinary[id.property] === undefined ? others : { ...body, [id.property]: ordinary[id.property] };
}

/** Appends the run's mark to a generated text: no record may be created without it. */
function marked({ plan }: Trial, { resource, operation }: On, body: Data, mark: string | undefined): Data {
  const { shape } = recordInBody(resource, operation);
  const member = shape && markMember(shape);
  if (mark === undefined || member === undefined) return body;
  const before = recordSent(resource, operation, body)[member] ?? '';
  return withMark(plan.contract, operation, body, mark, { before: String(before) });
}

/** The requests are split into parallel parts. */
const PARTS = 8;

type IsSound = (part: Trial, body: Data, salt: number) => Promise<boolean>;

/** Tries generated bodies; a failing one is shrunk, and the smallest that fails is the finding. */
async function tryBodies(trial: Trial, create: Operation, isSound: IsSound): Promise<void> {
  const { examples } = trial.plan.settings;
  const ordinary = await ordinaryBody(trial, create);
  const drives = Array.from(
    { length: PARTS },
    (_, number) => (part: Trial) => tryPart(part, create, ordinary, number, isSound),
  );
  await trial.together(drives, Math.ceil(examples / PARTS));
}

/** Tries the generated bodies of one part until one fails. */
async function tryPart(
  part: Trial,
  create: Operation,
  ordinary: Data,
  number: number,
  isSound: IsSound,
): Promise<void> {
  const { settings, contract } = part.plan;
  const media = bodyMedia(create.body);
  if (!media?.shape || !media.schema) return;
  const unclear = unclearMembers(media);
  const isReferring = referringIn(contract, create);
  let [count, isFull, isShrinking] = [0, false, false];
  await explore(
    oneAlone(media.shape),
    contract.validators.compile(media.schema, 'request'),
    {
      seed: randomOf(`${settings.seed} ${create.id}`).integer(0, 2 ** 31 - 1),
      runs: settings.examples,
      omit: (member) => member.readOnly || unclear.has(member.spot.value),
      // References must exist on the target: only the ordinary value does for sure.
      fixed: (name, shape) =>
        isReferring(name, shape) || name in settings.values ? ordinary[name] : undefined,
    },
    async (body, salt) => {
      if (!isShrinking && count++ % PARTS !== number) return true;
      const before = part.findings.length;
      try {
        if (!isValidBody(part, create, body as Data)) return true;
        const sound = await isSound(part, body as Data, salt);
        // Only the smallest failing body is reported.
        if (part.findings.length > before) part.findings.splice(0, before);
        isShrinking ||= !sound;
        return sound;
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error;
        isFull = true;
        return true;
      }
    },
  );
  if (isFull) part.notice(`--max-creates ${part.plan.budget.most} left no room for more generated bodies`);
}
