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
import type { Exchange } from '../send/response.ts';
import { TimeIsOver, UserCodeError } from '../send/wire.ts';
import * as conditional from './conditional.ts';
import { circumstanceOf, type Evidence, recordOf } from './evidence.ts';
import * as expectStatus from './expect-status.ts';
import * as followUps from './follow-ups.ts';
import * as keyset from './keyset.ts';
import { type Breach, type Judge, LAWS, type Law, type LawName, presumedIn, type Traits } from './law.ts';
import * as list from './list.ts';
import * as listed from './listed-records.ts';
import * as many from './many.ts';
import * as message from './message.ts';
import * as nested from './nested.ts';
import { parentsOf } from './operation-role.ts';
import * as own from './own-records.ts';
import * as pages from './pages.ts';
import * as promises from './promises.ts';
import * as records from './records.ts';
import * as status from './status.ts';
import * as tallies from './tallies.ts';
import * as unique from './unique.ts';
import { saidInWords } from './unsaid.ts';

type Row = readonly [name: LawName, judge: Judge, traits?: Traits];

const READ_AGAIN: Traits = { settles: 'request' };
const PLAY_AGAIN: Traits = { settles: 'sequence' };
const SEQUENCE: Traits = { about: 'sequence' };
const SEQUENCE_READ_AGAIN: Traits = { ...SEQUENCE, ...READ_AGAIN };
const SEQUENCE_PLAY_AGAIN: Traits = { ...SEQUENCE, ...PLAY_AGAIN };

/** Rules for responses to particular requests, the most specific first. A response that the user provokes is exempt. */
const OF_REQUESTS: readonly Row[] = [
  ['unique-refused', unique.uniqueRefused],
  ['unique-free', unique.uniqueFree],
  ['example-accepted', expectStatus.exampleAccepted],
  ['unauthorised-first', status.unauthorisedFirst],
  ['credentials-apart', status.credentialsApart],
  ['ended-key', status.endedKeyRefused],
  ['status', status.alternativeAccepted],
  ['unknown-id', expectStatus.malformedIdRefused],
  ['unknown-id', expectStatus.unknownId],
  ['stale-refused', conditional.staleRefused],
  ['not-modified', conditional.notModifiedShown, READ_AGAIN],
  ['condition-required', conditional.conditionRequired],
  ['invalid-refused', status.invalidRefused],
  ['invalid-refused', status.invalidHeader],
  ['invalid-tolerated', status.otherMediaType],
  ['invalid-tolerated', status.undocumentedPart],
  ['invalid-tolerated', status.unacceptable],
  ['invalid-tolerated', status.invalidTolerated],
];

/** Rules for the status of any response. */
const OF_STATUSES: readonly Row[] = [
  ['status', status.createdStatus],
  ['status', status.expectedStatus, PLAY_AGAIN],
  ['status', status.documentedStatus],
];

/** Rules for every message, whatever was requested: documented media type, schema and headers. */
const OF_MESSAGES: readonly Row[] = [
  ['header', message.header],
  ['header', promises.sunsetDate],
  ['content-type', message.contentType],
  ['content-type', promises.fileOfType],
  ['encoding', message.encoding],
  ['whole-json', message.wholeJson],
  ['whole-xml', message.wholeXml],
  ['schema', message.schema],
  ['error-status', message.errorStatus],
  ['error-pointer', promises.problemPointer],
  ['numbers', promises.numbersAgree],
  ['discriminator', message.discriminator],
  ['write-only-hidden', message.writeOnlyHidden],
  ['stream-message', message.streamMessage],
];

/** Rules for lists and records, whoever created them, and for what happens to the run's records. */
const OF_RECORDS: readonly Row[] = [
  ['page-size', list.pageSize],
  ['page-default', list.pageDefault, PLAY_AGAIN],
  ['filter', list.filter],
  ['filter', list.selectionIsWhole('filter'), PLAY_AGAIN],
  ['bounds', list.selectionIsWhole('bounds'), PLAY_AGAIN],
  ['filter', keyset.leftOut],
  ['filter', keyset.amongValues, SEQUENCE_PLAY_AGAIN],
  ['search', keyset.searched, SEQUENCE_PLAY_AGAIN],
  ['complete-pages', keyset.moreIsThere, SEQUENCE_PLAY_AGAIN],
  ['complete-pages', keyset.endsBefore, SEQUENCE_PLAY_AGAIN],
  ['complete-pages', keyset.leadsBack, SEQUENCE_PLAY_AGAIN],
  ['distinct-ids', list.distinctIds],
  ['bounds', list.withinBounds],
  ['order', list.inOrder],
  ['distinct-pages', pages.distinctPages, SEQUENCE_PLAY_AGAIN],
  ['distinct-pages', pages.leadingBack, SEQUENCE_PLAY_AGAIN],
  ['complete-pages', pages.completePages, SEQUENCE_PLAY_AGAIN],
  ['complete-pages', pages.endingPages, SEQUENCE_PLAY_AGAIN],
  ['total', pages.pageTotal, READ_AGAIN],
  ['total', pages.totalOfPages, SEQUENCE_PLAY_AGAIN],
  ['tallies', tallies.talliesAgree, SEQUENCE_PLAY_AGAIN],
  ['path-id', records.pathId],
  ['location', records.location],
  ['location', records.atLocation, READ_AGAIN],
  ['list-and-read-agree', records.listAndReadAgree, PLAY_AGAIN],
  ['read-only-ignored', records.unlikelyStored],
  ['read-only-ignored', records.likelyStored],
  ['apart-by-parent', nested.apartByParent, READ_AGAIN],
  ['gone-with-parent', nested.goneWithParent, READ_AGAIN],
  ['etag-stays', conditional.etagStays, READ_AGAIN],
  ['etag-changes', conditional.etagChanges],
  ['current-accepted', conditional.currentAccepted, SEQUENCE],
  ['refused-leaves-nothing', unique.refusedTwin, SEQUENCE],
  ['created-equals-sent', own.echoOf('create'), SEQUENCE],
  ['replaced-is-replaced', own.echoOf('replace'), SEQUENCE],
  ['merged-is-merged', own.echoOf('update'), SEQUENCE],
  ['null-removes', own.nullRemoves, SEQUENCE_READ_AGAIN],
  ['default', promises.defaultShown],
  ['default', promises.beginsInState],
  ['created-equals-sent', promises.headerShown],
  ['shown-once', promises.shownOnce],
  ['action', followUps.actionDone, SEQUENCE_READ_AGAIN],
  ['key-once', followUps.madeOnce, SEQUENCE],
  ['results', many.eachHasResult],
  ['job', many.jobEnds, SEQUENCE],
  ['read-as-put', followUps.putIsRead, SEQUENCE_READ_AGAIN],
  ['head-as-get', followUps.headAsGet, SEQUENCE],
  ['table-as-list', followUps.tableOfList, SEQUENCE],
  ...own.LAST_EVENTS.map((event): Row => [own.LAW_OF[event], own.standingRead(event), SEQUENCE_READ_AGAIN]),
  ['created-is-listed', listed.nothingMissing, SEQUENCE_READ_AGAIN],
  ['created-is-listed', listed.listedAsMade, SEQUENCE_READ_AGAIN],
  ['removed-is-gone', listed.removedIsGone, SEQUENCE_READ_AGAIN],
  ['refused-leaves-nothing', listed.refusedLeavesNothing, SEQUENCE],
  ['created-once', listed.createdOnce, SEQUENCE],
];

const toLaw = ([name, judge, traits]: Row): Law => ({ name, judge, ...traits });

/** The rules that apply to a target without state. */
export const MESSAGE_ONLY: readonly Law[] = [
  ...OF_REQUESTS.map(([name, judge, traits]): Law => {
    const unlessProvoked: Judge = (evidence) =>
      evidence.exchange.input.provoked ? undefined : judge(evidence);
    return { name, stage: 'status', ...traits, judge: unlessProvoked };
  }),
  ...OF_STATUSES.map((row): Law => ({ ...toLaw(row), stage: 'status' })),
  ...OF_MESSAGES.map(toLaw),
];

/** All rules. Each of them judges every exchange of a run, whichever case sent it. */
export const ALL_LAWS: readonly Law[] = [...MESSAGE_ONLY, ...OF_RECORDS.map(toLaw)];

const ECHOES: ReadonlySet<LawName> = new Set(['replaced-is-replaced', 'merged-is-merged']);

/**
 * The rules for a single response among concurrent ones: a change may return what another one made of the record, and
 * nothing is repeated until it settles.
 */
export const RACE_LAWS: readonly Law[] = ALL_LAWS.filter(
  ({ name, settles }) => !ECHOES.has(name) && settles === undefined,
);

/** A breach and the rule that it breaks. */
export interface Judgement {
  readonly breach: Breach;
  readonly law: Traits;
}

/** A breach of a presumed fact: apart from it the response is sound. */
export const isPresumed = ({ breach }: Judgement) => presumedIn(breach) !== undefined;

/**
 * Records of other cases are judged with those cases, and at the end of the run: whether this response shows them depends
 * on timing.
 */
function isOfOthers({ about }: Breach, evidence: Evidence): boolean {
  const { role, exchange, model } = evidence;
  if (!role) return false;
  const records = about ?? (role.action === 'read' ? [recordOf(evidence)] : []);
  const parents = parentsOf(role.resource, exchange.input.path);
  return records.length > 0 && records.every((record) => model.isOfOthers(role.resource, record, parents));
}

/** The maximum number of breaches reported per promise and response: a long list may have one in each record. */
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

/** How long past the deadline, in milliseconds, judging a response may take if it arrived in time; most need far less. */
const BEYOND = 500;

/**
 * Judges one exchange. Of the rules about the status, only the first broken one is reported.
 * @param deadline on the clock of `performance.now()`; default: none
 * @throws TimeIsOver if a large response is not judged by then
 */
export function judgeExchange(
  evidence: Evidence,
  laws: readonly Law[] = ALL_LAWS,
  deadline = Number.POSITIVE_INFINITY,
): Judgement[] {
  const judgements: Judgement[] = [];
  const end = Math.max(deadline, performance.now()) + BEYOND;
  let [statusBroken, statusDoubted] = [false, false];
  for (const law of laws) {
    if (performance.now() > end) throw new TimeIsOver();
    if (law.stage === 'status' && statusBroken) continue;
    const broken = [law.judge(evidence) ?? []].flat().map((one): Breach => ({ law: law.name, ...one }));
    const breaches = firstOfEach(broken.filter((breach) => !isOfOthers(breach, evidence)))
      .map((breach) => inWords(evidence.contract, evidence.exchange, breach))
      .filter((breach) => law.stage !== 'status' || !statusDoubted || !presumedIn(breach));
    // A presumed breach hides only other presumed ones.
    statusDoubted ||= law.stage === 'status' && breaches.length > 0;
    statusBroken ||= law.stage === 'status' && breaches.some((breach) => !presumedIn(breach));
    judgements.push(...breaches.map((breach) => ({ breach, law })));
  }
  if (judgements.length === 0) return judgements;
  const circumstance = circumstanceOf(evidence);
  return judgements.map(({ breach, law }) => ({ breach: { ...breach, circumstance }, law }));
}

/** A breach, together with a statement in the document's prose that may excuse it. */
export function inWords(contract: Contract, exchange: Exchange, breach: Breach): Breach {
  const excuse = saidInWords(contract, exchange, breach);
  return excuse ? { ...breach, rests: [...(breach.rests ?? []), excuse] } : breach;
}

/** A custom rule of the user. It judges every exchange beside the built-in rules, from the same evidence. */
export interface OwnLaw {
  /** Lower case with hyphens: `money-has-cents`. It must differ from the names of built-in rules. */
  readonly name: string;
  /** The promise in one sentence. Default: the name. */
  readonly says?: string | undefined;
  /** Whether the rule applies to an exchange. Default: always. */
  readonly applies?: ((evidence: Evidence) => boolean) | undefined;
  /** Returns what is broken; nothing or an empty list means that the rule is kept. */
  readonly judge: (evidence: Evidence) => OwnBreach | readonly OwnBreach[] | undefined;
}

/** A breach of a custom rule. */
export interface OwnBreach {
  /** What was received, shortened for people. */
  readonly received: string;
  /** What is documented. Default: the rule's `says`. */
  readonly documented?: string | undefined;
  /** The position in the document, or its JSON Pointer in the main file. Default: the operation. */
  readonly at?: Place | string | undefined;
  /** The JSON Pointer of the affected part of the body. */
  readonly part?: string | undefined;
  /** The affected records of a list. */
  readonly about?: readonly unknown[] | undefined;
}

const NAME = /^[a-z]+(?:-[a-z]+)*$/;

/** What is wrong with a list of custom rules; undefined: nothing. */
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

/** Compiles the user's custom rules to the form of the built-in ones. */
export function compileOwnLaws(laws: readonly OwnLaw[]): Law[] {
  return laws.map(({ name, says = name, applies = () => true, judge }) => ({
    // Reports show the custom name like a built-in one.
    name: name as LawName,
    judge(evidence) {
      try {
        if (!applies(evidence)) return undefined;
        return [judge(evidence) ?? []].flat().map((breach) => {
          requireForm(breach);
          return toBreach(name, says, breach, evidence);
        });
      } catch (error) {
        throw new UserCodeError(`the law ${name}`, error);
      }
    },
  }));
}

const MEMBERS: readonly string[] = ['received', 'documented', 'at', 'part', 'about'];
const TEXTS = ['received', 'documented', 'part'] as const;

/**
 * Checks that a breach can be reported.
 * @throws TypeError if it cannot
 */
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

/**
 * Resolves a JSON Pointer.
 * @throws RangeError if the pointer leads nowhere in the document
 */
function placeAt({ document: { root } }: Contract, pointer: string): Place {
  const path = parseFragment(pointer.replace(/^#/, ''));
  if (!path) throw new RangeError(`at: "${pointer}" is no JSON Pointer`);
  const target = path.reduce<Spot | undefined>((spot, key) => spot && rawChild(spot, key), root);
  if (!target) throw new RangeError(`at: the document has nothing at ${pointer}`);
  return placeOf(target);
}
