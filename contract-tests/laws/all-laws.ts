import { TimeIsOver } from '../send/wire.ts';
import { circumstanceOf } from './circumstance.ts';
import { VERSION_LAWS } from './conditional.ts';
import { type Evidence, recordOf } from './evidence.ts';
import { type Breach, type Law, type LawName, presumedIn } from './law.ts';
import { LIST_LAWS } from './list.ts';
import { LISTED_RECORD_LAWS } from './listed-records.ts';
import { MARKED_RECORD_LAWS } from './marked-records.ts';
import { MESSAGE_LAWS } from './message.ts';
import { NESTED_LAWS } from './nested.ts';
import { parentsOf } from './own-record.ts';
import { OWN_RECORD_LAWS } from './own-records.ts';
import { PAGE_LAWS } from './pages.ts';
import { QUERY_LAWS } from './queries.ts';
import { RECORD_LAWS } from './records.ts';
import { SENT_VALUE_LAWS } from './sent-values.ts';
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
    const breaches = firstOfEach(law.judge(evidence).filter((breach) => !isOfOthers(breach, evidence)));
    // What nobody is held to hides nothing.
    statusBroken ||= law.stage === 'status' && breaches.some((one) => !presumedIn(one));
    judgements.push(...breaches.map((breach) => ({ breach, law })));
  }
  if (judgements.length === 0) return judgements;
  const circumstance = circumstanceOf(evidence);
  return judgements.map(({ breach, law }) => ({ breach: { ...breach, circumstance }, law }));
}
