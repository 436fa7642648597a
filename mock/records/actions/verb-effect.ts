import {
  firstState,
  foldedName,
  type Operation,
  type Resource,
  type Shape,
  singular,
  withoutNull,
} from '#spec';

/** What a verb makes of a record, as its names suggest. */
export interface Effect {
  /** Whether it does something, or takes it back. */
  readonly isOn: boolean;
  /** The flag that it sets, or takes back. */
  readonly flag: string | undefined;
  /** The member that counts how often. */
  readonly counter: string | undefined;
  /** Accounts do it each for itself, as `like`, and not for all, as `publish`. */
  readonly isPersonal: boolean;
  /** What distinguishes it from other things that accounts do with the record. */
  readonly key: string;
  readonly states: ReadonlyMap<string, unknown>;
  /** The members that note when it happened. */
  readonly moments: readonly string[];
}

/** What one account does with a record, and another one has not done by that. */
const PERSONAL =
  /^(?:like|dislike|love|favou?rite|star|follow|subscribe|bookmark|watch|save|vote|upvote|downvote|clap|heart|mute|join|attend|recommend|repost|retweet|reblog|boost|endorse)$/;

/** What is done, where a path has its noun. */
const NOUNS: Readonly<Record<string, string>> = {
  ...{ subscription: 'subscribe', cancellation: 'cancel', approval: 'approve', activation: 'activate' },
  ...{ publication: 'publish', follower: 'follow', completion: 'complete', confirmation: 'confirm' },
};

/** States that a verb leads to, and that are not made of it. */
const LEADS_TO: Readonly<Record<string, string>> = {
  ...{ start: 'running in-progress active ongoing processing', begin: 'started running in-progress active' },
  ...{ stop: 'inactive ended', end: 'finished completed', finish: 'completed done' },
  ...{ complete: 'done finished', resolve: 'fixed done', reopen: 'open opened active' },
  ...{ accept: 'approved', approve: 'accepted', reject: 'declined denied', decline: 'rejected denied' },
  ...{ deny: 'rejected declined', activate: 'active enabled', enable: 'active' },
  ...{ deactivate: 'inactive disabled', disable: 'inactive', suspend: 'paused', pause: 'suspended on-hold' },
  ...{ resume: 'running active in-progress started', restart: 'running active started' },
  ...{ restore: 'active available open published', submit: 'pending in-review under-review' },
  ...{ ship: 'sent in-transit', dispatch: 'shipped sent in-transit', charge: 'paid', capture: 'paid' },
  ...{ release: 'available', retry: 'pending queued', requeue: 'queued pending', trash: 'deleted' },
  ...{ delete: 'trashed', ban: 'blocked', block: 'banned', hold: 'on-hold', checkout: 'checked-out' },
  ...{ checkin: 'checked-in returned', request: 'pending', enqueue: 'queued pending' },
};

const IRREGULAR: Readonly<Record<string, string>> = {
  ...{ pay: 'paid', send: 'sent', sell: 'sold', begin: 'begun', hide: 'hidden', win: 'won', lose: 'lost' },
  ...{ take: 'taken', freeze: 'frozen', hold: 'held', do: 'done', withdraw: 'withdrawn', resend: 'sent' },
};

/** The state after something is taken back, the first that there is. */
const BEFORE = ['active', 'open', 'available', 'enabled'];

/** What the end of an operation's path suggests. Undefined: nothing, or it only reads. */
export function effectOfPath(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  resource: Pick<Resource, 'shape' | 'id'>,
): Effect | undefined {
  const segment = lastSegment(path);
  if (method === 'GET' || segment.includes('{')) return undefined;
  return effectOf(segment, method !== 'DELETE', resource);
}

export const lastSegment = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * Reads the effect of a verb from the names and values of a record's members: `favorite` sets `favorited` and counts in
 * `favoritesCount`, `cancel` leads to the `status` that is called `cancelled`, and notes `cancelledAt`.
 * @param isDone false: the request takes back what the verb says
 */
export function effectOf(
  said: string,
  isDone: boolean,
  { shape, id }: Pick<Resource, 'shape' | 'id'>,
): Effect | undefined {
  const verb = verbOf(said);
  const opposite = /^(?:un|dis|de)(?=.{3})/.exec(verb)?.[0];
  const base = opposite === undefined ? verb : verb.slice(opposite.length);
  const named = [
    { base: verb, isOn: isDone, forms: formsOf(verb) },
    ...(opposite === undefined
      ? []
      : [{ base, isOn: !isDone, forms: [...formsOf(base), ...formsOf(`en${base}`)] }]),
  ];
  const flags = [...shape.properties].flatMap(([name, member]) =>
    withoutNull(member).mainType === 'boolean' && name !== id?.property ? [name] : [],
  );
  const found = named.map((one) => {
    const [flag] = one.forms.flatMap((form) => flags.filter((name) => flagForm(name) === form));
    const counter = counterOf(shape, one.base, PERSONAL.test(one.base) || flag !== undefined);
    return {
      ...one,
      flag,
      counter,
      isPersonal: PERSONAL.test(one.base) || (flag !== undefined && !!counter),
    };
  });
  const { flag, counter, isPersonal, isOn, forms, ...best } =
    found.find((one) => one.flag !== undefined) ??
    found.find((one) => one.counter !== undefined) ??
    (found[0] as (typeof found)[number]);
  const states = statesAfter(shape, verb, base, isDone);
  const wanted = isDone ? [...forms, ...ledTo(verb)] : forms;
  const moments = [...shape.properties.keys()].filter((name) => {
    const plain = foldedName(name);
    return wanted.some((form) => MOMENT_ENDS.some((end) => plain === form + end));
  });
  if (flag === undefined && counter === undefined && states.size === 0 && moments.length === 0)
    return undefined;
  return { isOn, flag, counter, isPersonal, key: flag ?? best.base, states, moments };
}

const MOMENT_ENDS = ['at', 'on', 'date', 'time'];

/** `read` of `mark-as-read`, `like` of `likes`, `cancel` of `cancellation`. */
function verbOf(said: string): string {
  const plain = foldedName(said).replace(/^(?:mark|set|make)(?:as)?(?=.{3})/, '');
  const single = singular(plain);
  return NOUNS[single] ?? (PERSONAL.test(single) ? single : plain);
}

const flagForm = (name: string) => foldedName(name).replace(/^(?:is|has)(?=.{3})/, '');

function formsOf(verb: string): string[] {
  const stem = verb.replace(/e$/, '');
  const doubled = `${verb}${verb.at(-1)}`;
  const irregular = IRREGULAR[verb];
  return [
    ...(irregular === undefined ? [] : [irregular]),
    ...[verb, `${stem}ed`, `${stem}ing`, `${doubled}ed`, `${doubled}ing`],
    ...[verb.replace(/y$/, 'ied'), verb.replace(/ate$/, 'e')],
  ];
}

const ledTo = (verb: string) => (LEADS_TO[verb] ?? '').split(' ').map(foldedName).filter(Boolean);

const STATES = /(?:status|state|stage|phase)$/i;

function statesAfter(
  { properties }: Shape,
  verb: string,
  base: string,
  isDone: boolean,
): ReadonlyMap<string, unknown> {
  return new Map(
    [...properties].flatMap(([name, member]): [string, unknown][] => {
      const { values, mainType } = withoutNull(member);
      if (!values || mainType !== 'string' || !STATES.test(name)) return [];
      const find = (forms: readonly string[]) =>
        forms
          .map((form) => values.find((value) => foldedName(String(value)) === form))
          .find((value) => value !== undefined);
      const done = find([...formsOf(verb), ...ledTo(verb)]);
      if (isDone && done !== undefined) return [[name, done]];
      const undone = isDone ? find(formsOf(base)) : done;
      if (undone === undefined) return [];
      const before = verb.endsWith('publish') ? ['draft', ...BEFORE] : BEFORE;
      const back = find([...formsOf(`un${base}`), ...before]) ?? firstState(values);
      return back === undone ? [] : [[name, back]];
    }),
  );
}

/** The member that counts how often something is done: `favoritesCount`, `star_count`, `likes`, `num_votes`. */
function counterOf({ properties }: Shape, verb: string, isCounted: boolean): string | undefined {
  const stem = verb.replace(/(?:e|ed|ing)$/, '').replace(/([^l])\1$/, '$1');
  const counts = [...properties].filter(([name, member]) => {
    const { mainType, values } = withoutNull(member);
    const plain = foldedName(name).replace(/^(?:num|numberof|total)/, '');
    // How many somebody follows is not how many follow.
    if (mainType !== 'integer' || values || !plain.startsWith(stem) || plain.startsWith(`${stem}ing`))
      return false;
    return /(?:count|total)$/.test(plain) || /^e?r?s?$/.test(plain.slice(stem.length));
  });
  return isCounted ? counts[0]?.[0] : undefined;
}
