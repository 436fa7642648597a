import {
  type Contract,
  isRecord,
  type Place,
  parseFragment,
  placeOf,
  rawChild,
  type Spot,
  stringifyJson,
} from '#spec';
import { TimeIsOver, UserCodeError } from '../send/wire.ts';
import { VERSION_LAWS } from './conditional.ts';
import { circumstanceOf, type Evidence, recordOf } from './evidence.ts';
import { SENT_VALUE_LAWS } from './expect-status.ts';
import { type Breach, LAWS, type Law, type LawName, presumedIn } from './law.ts';
import { LIST_LAWS, QUERY_LAWS } from './list.ts';
import { LISTED_RECORD_LAWS, MARKED_RECORD_LAWS } from './listed-records.ts';
import { MESSAGE_LAWS } from './message.ts';
import { NESTED_LAWS } from './nested.ts';
import { parentsOf } from './operation-role.ts';
import { OWN_RECORD_LAWS } from './own-records.ts';
import { PAGE_LAWS } from './pages.ts';
import { RECORD_LAWS } from './records.ts';
import { STATUS_LAWS } from './status.ts';
import { STREAM_LAWS } from './streams.ts';
import { TWIN_LAWS, UNIQUE_LAWS } from './unique.ts';

/** Every law. Each exchange of a run is judged by all that apply to it, whichever case sent it. */
export const ALL_LAWS: readonly Law[] = [
  ...UNIQUE_LAWS,
  ...SENT_VALUE_LAWS,
  ...STATUS_LAWS,
  ...MESSAGE_LAWS,
  ...STREAM_LAWS,
  ...LIST_LAWS,
  ...QUERY_LAWS,
  ...PAGE_LAWS,
  ...RECORD_LAWS,
  ...NESTED_LAWS,
  ...VERSION_LAWS,
  ...TWIN_LAWS,
  ...[...OWN_RECORD_LAWS, ...LISTED_RECORD_LAWS, ...MARKED_RECORD_LAWS].map(ofSequence),
];

function ofSequence(law: Law): Law {
  return { ...law, about: 'sequence' };
}

/** The laws that a target without state can be held to. */
export const MESSAGE_ONLY: readonly Law[] = [...STATUS_LAWS, ...MESSAGE_LAWS, ...STREAM_LAWS];

const ECHOES: ReadonlySet<LawName> = new Set(['replaced-is-replaced', 'merged-is-merged']);

/**
 * The laws of one response among several at once: a change may respond with what another one has made of the record, and
 * nothing is repeated until it settles.
 */
export const RACE_LAWS: readonly Law[] = ALL_LAWS.filter(
  ({ name, settles }) => !ECHOES.has(name) && settles === undefined,
);

/** A breach, and the law that it breaks. */
export interface Judgement {
  readonly breach: Breach;
  readonly law: Law;
}

/** Nobody is held to it: but for it the response is sound. */
export const isPresumed = ({ breach }: Judgement) => presumedIn(breach) !== undefined;

/**
 * What other cases have made is judged with them, and at the end of the run: whether a response shows it depends on which
 * case was faster.
 */
function isOfOthers({ about }: Breach, evidence: Evidence): boolean {
  const { role, exchange, model } = evidence;
  if (!role) return false;
  const shown = about ?? (role.action === 'read' ? [recordOf(evidence)] : []);
  const parents = parentsOf(role.resource, exchange.input.path);
  return shown.length > 0 && shown.every((one) => model.isOfOthers(role.resource, one, parents));
}

/** So many breaches of one promise in one response show it: a long list may have one in each record. */
const MOST_ALIKE = 20;

function firstOfEach(breaches: readonly Breach[]): readonly Breach[] {
  if (breaches.length <= MOST_ALIKE) return breaches;
  const times = new Map<Breach['at'], number>();
  return breaches.filter(({ at }) => {
    const before = times.get(at) ?? 0;
    times.set(at, before + 1);
    return before < MOST_ALIKE;
  });
}

/** So long, in milliseconds, a response that came in time is judged beyond it: most need far less. */
const BEYOND = 500;

/**
 * Judges one exchange. Of the laws of the status only the first that is broken is told.
 * @param deadline on the clock of `performance.now()`; default: none
 * @throws TimeIsOver where a large response is not judged by then
 */
export function judgeExchange(
  evidence: Evidence,
  laws: readonly Law[] = ALL_LAWS,
  deadline = Number.POSITIVE_INFINITY,
): Judgement[] {
  const judgements: Judgement[] = [];
  const end = Math.max(deadline, performance.now()) + BEYOND;
  let statusBroken = false;
  for (const law of laws) {
    if (performance.now() > end) throw new TimeIsOver();
    if ((law.stage === 'status' && statusBroken) || !law.applies(evidence)) continue;
    const broken = [law.judge(evidence)].flat().map((one): Breach => ({ law: law.name, ...one }));
    const breaches = firstOfEach(broken.filter((breach) => !isOfOthers(breach, evidence)));
    // What nobody is held to hides nothing.
    statusBroken ||= law.stage === 'status' && breaches.some((one) => !presumedIn(one));
    judgements.push(...breaches.map((breach) => ({ breach, law })));
  }
  if (judgements.length === 0) return judgements;
  const circumstance = circumstanceOf(evidence);
  return judgements.map(({ breach, law }) => ({ breach: { ...breach, circumstance }, law }));
}

/** A law of the user's own: it judges every exchange beside ours, by the same evidence. */
export interface OwnLaw {
  /** In small letters, with hyphens: `money-has-cents`. None of ours has it. */
  readonly name: string;
  /** What the service is held to, in one sentence. Default: the name. */
  readonly says?: string | undefined;
  /** Default: it applies to every exchange. */
  readonly applies?: ((evidence: Evidence) => boolean) | undefined;
  /** What is broken; nothing, or an empty list: the law is kept. */
  readonly judge: (evidence: Evidence) => OwnBreach | readonly OwnBreach[] | undefined;
}

/** A law of the user's own, broken by a response. */
export interface OwnBreach {
  /** What came, shortened for people. */
  readonly received: string;
  /** Default: what the law says. */
  readonly documented?: string | undefined;
  /** The place in the document, or its JSON Pointer in the main file. Default: the operation. */
  readonly at?: Place | string | undefined;
  /** The part of the body that it is about: a JSON Pointer. */
  readonly part?: string | undefined;
  /** Of a list the records that it is about. */
  readonly about?: readonly unknown[] | undefined;
}

const NAME = /^[a-z]+(?:-[a-z]+)*$/;

/** What is wrong with laws of the user's own; undefined: nothing. */
export function ownLawProblem(laws: unknown): string | undefined {
  if (!Array.isArray(laws)) return 'they must be a list of { name, judge }';
  const names = new Set<string>();
  for (const law of laws as unknown[]) {
    const { name, says, applies, judge } = isRecord(law) ? law : {};
    if (typeof name !== 'string' || !NAME.test(name))
      return `the name ${JSON.stringify(name)} must have small letters and hyphens`;
    if (Object.hasOwn(LAWS, name)) return `"${name}" is a law of Paddock's: another name tells yours from it`;
    if (names.has(name)) return `"${name}" stands twice`;
    names.add(name);
    if (typeof judge !== 'function') return `"${name}" needs judge, a function`;
    if (applies !== undefined && typeof applies !== 'function')
      return `applies of "${name}" must be a function`;
    if (says !== undefined && typeof says !== 'string') return `says of "${name}" must be a text`;
  }
  return undefined;
}

/** The laws of the user's own, as ours are. */
export function compileOwnLaws(laws: readonly OwnLaw[]): Law[] {
  return laws.map(({ name, says = name, applies = () => true, judge }) => {
    const guarded = <T>(work: () => T): T => {
      try {
        return work();
      } catch (error) {
        throw new UserCodeError(`the law ${name}`, error);
      }
    };
    return {
      // Reports show its name in the place of one of ours.
      name: name as LawName,
      applies: (evidence) => guarded(() => applies(evidence)),
      judge: (evidence) =>
        guarded(() =>
          [judge(evidence) ?? []].flat().map((breach) => {
            requireForm(breach);
            return toBreach(name, says, breach, evidence);
          }),
        ),
    };
  });
}

const MEMBERS: readonly string[] = ['received', 'documented', 'at', 'part', 'about'];
const TEXTS = ['received', 'documented', 'part'] as const;

/** @throws TypeError for what no report could show */
function requireForm(breach: unknown): asserts breach is OwnBreach {
  if (breach instanceof Promise)
    throw new TypeError('judge returned a promise: it judges at once, by the evidence alone');
  const form = 'return nothing, or { received: "what came" }, or a list of these';
  if (!isRecord(breach) || breach.received === undefined)
    throw new TypeError(`judge returned ${stringifyJson(breach) ?? typeof breach}: ${form}`);
  for (const name of TEXTS)
    if (breach[name] !== undefined && typeof breach[name] !== 'string')
      throw new TypeError(`judge returned ${name} that is no text`);
  const unknown = Object.keys(breach).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`judge returned a member "${unknown}", which is none of ${MEMBERS.join(', ')}`);
}

function toBreach(
  name: string,
  says: string,
  { received, documented = says, at, part, about }: OwnBreach,
  { contract, operation }: Evidence,
): Breach {
  return {
    law: name as LawName,
    received,
    documented,
    at: typeof at === 'string' ? placeAt(contract, at) : (at ?? placeOf(operation.spot)),
    ...(part !== undefined && { part }),
    ...(about !== undefined && { about }),
  };
}

/** @throws RangeError for a pointer that leads nowhere in the document */
function placeAt({ document: { root } }: Contract, pointer: string): Place {
  const path = parseFragment(pointer.replace(/^#/, ''));
  if (!path) throw new RangeError(`at: "${pointer}" is no JSON Pointer`);
  const found = path.reduce<Spot | undefined>((spot, key) => spot && rawChild(spot, key), root);
  if (!found) throw new RangeError(`at: the document has nothing at ${pointer}`);
  return placeOf(found);
}
