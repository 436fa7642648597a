import {
  type Consumer,
  HarError,
  readConsumer,
  type Sent,
  type UsedOperation,
  type UsedPlace,
} from '#consumer';
import { type ConsumerTouch, SettingsError } from '#contract-tests';
import { type Contract, type Problem, responseFor, shortenText, someOf, stringifyJson } from '#spec';
import type { Break } from './break.ts';
import type { Change, Site } from './changes/change.ts';
import { type RuleName, ruleOf } from './changes/rules.ts';
import type { Contracts } from './pair.ts';
import { checksOf } from './prove.ts';

/**
 * Clients by their recorded traffic.
 * @param texts `NAME=FILE.har` each
 * @throws SettingsError for a file that cannot be used, or a duplicate name
 */
export async function readConsumers(texts: readonly string[], old: Contract) {
  const consumers: Consumer[] = [];
  const warnings: Problem[] = [];
  for (const text of texts) {
    const [, name = '', file = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const refuse = (message: string) => new SettingsError(`--consumer: ${message}`, 'consumers');
    if (file === '') throw refuse(`"${text}" must be NAME=FILE, such as web=traffic.har`);
    if (consumers.some(({ consumer }) => consumer === name)) throw refuse(`"${name}" is given twice`);
    const one = await readConsumer(name, file, old).catch((error: unknown) => {
      throw error instanceof HarError ? refuse(error.message) : error;
    });
    if (one.operations.size === 0) throw refuse(`${file} has no request to an operation of OLD`);
    consumers.push(one);
    const { position, line = 1, message } = one.broken ?? {};
    if (message !== undefined)
      warnings.push({ uri: file, line, column: 1, message: `${position}: ${message}; ${name} may use more` });
  }
  return { consumers, warnings };
}

/** The effects of changes on clients with recorded use. */
export interface Touches {
  /** The clients that a change affects, or may affect. */
  ofChange(change: Change): ConsumerTouch[];
  /** The same for a break that no rule covers. */
  ofBreak(one: Break): ConsumerTouch[];
  /** The same if only the operation is known. */
  ofOperation(id: string): ConsumerTouch[];
}

type Touch = Omit<ConsumerTouch, 'consumer'>;
const yes = (why: string): Touch => ({ touched: 'yes', why });
const maybe = (why: string): Touch => ({ touched: 'maybe', why });

export function compileTouches(consumers: readonly Consumer[], contracts: Contracts): Touches {
  /** The strongest effect on each client. */
  function touchesOf(find: (client: Consumer) => Iterable<Touch | undefined>): ConsumerTouch[] {
    return consumers.flatMap((client) => {
      const touches = [...find(client)].filter((touch) => touch !== undefined);
      const touch = touches.find(({ touched }) => touched === 'yes') ?? touches[0];
      return touch ? [{ consumer: client.consumer, ...touch }] : [];
    });
  }

  const isUsing = ({ operations }: Consumer, id: string) =>
    [...operations.keys()].some((key) => key.id === id);
  return {
    ofOperation: (id) => touchesOf((client) => (isUsing(client, id) ? [maybe(`it calls ${id}`)] : [])),
    ofBreak({ operation, site, status }) {
      const { within = '' } = site ?? {};
      const steps = (site?.steps ?? []).map((step) => (/^\d+$/.test(step) ? '[]' : step));
      return touchesOf(({ operations }) => {
        const one = operations.get(operation);
        return one
          ? [touchOf({ direction: 'request', site: { operation, within, steps, status }, used: one })]
          : [];
      });
    },
    ofChange(change) {
      const { direction, rule, level } = change;
      const checks = level && checksOf(contracts, level, direction);
      return touchesOf(function* ({ operations }) {
        for (const site of change.sites) {
          const operation = site.operation && operations.get(site.operation);
          if (operation) yield touchOf({ direction, rule, from: change.from, checks, site, used: operation });
        }
      });
    },
  };
}

interface Question {
  readonly direction: Change['direction'];
  /** Undefined: no rule covers the change. */
  readonly rule?: RuleName;
  readonly from?: string;
  readonly checks?: ReturnType<typeof checksOf> | undefined;
  readonly site: Site;
  readonly used: UsedOperation;
}

/** The effect on a client at one place; undefined: none. */
function touchOf(question: Question): Touch | undefined {
  const { rule, site, direction } = question;
  if (site.within === '')
    return rule === 'credential-required' || rule === 'scope-added'
      ? maybe('it calls the operation; its credentials are not known')
      : yes('it calls the operation');
  return direction === 'response' ? inResponse(question) : inRequest(question);
}

/** Traffic does not show what a client reads of a response. */
function inResponse({ rule, site, used }: Question): Touch | undefined {
  const [, key] = / (\w+)$/.exec(site.within) ?? [];
  const status = used.statuses.find(
    (one) => site.operation && responseFor(site.operation.responses, one)?.key === key,
  );
  if (status === undefined) return undefined;
  const isRemoved = rule === 'status-removed' || rule === 'success-status-removed';
  return isRemoved ? yes(`it receives the ${status}`) : maybe(`it receives the ${status}`);
}

/** Whether a step is an undocumented member. */
function isUnnamed(step: string): boolean {
  return step === '*' || step.startsWith('/');
}

function inRequest(question: Question): Touch | undefined {
  const { rule, from = '', site, used } = question;
  if (rule === 'request-body-became-required' || rule === 'required-request-body-added') {
    const whole = used.body?.[''];
    if (whole && !whole.sometimes) return undefined;
    return used.unseenBodies ? maybe('its bodies are not all known') : yes('it sends no body');
  }
  if (rule === 'media-type-removed')
    return used.types?.includes(from) ? yes(`it sends ${from}`) : ifUnseen(question);
  const [, place, name = ''] = /^the (\w+) parameter `(.+)`$/.exec(site.within) ?? [];
  const all = place === undefined ? used.body : used[place as UsedPlace];
  const sent = all?.[name + pointerOf(site.steps)];
  if (rule === 'required-parameter-added' && used.unnamed?.includes(`${place} ${name}`))
    return maybe(`it sends ${name}, which OLD does not name`);
  if (rule === 'required-parameter-added' || rule === 'parameter-became-required')
    return sent && !sent.sometimes ? undefined : yes(`it sends requests without ${name}`);
  if (rule === 'required-property-added' || rule === 'property-became-required')
    return place === undefined ? withoutMember(question, sent) : all?.[name] && maybe(`it sends ${name}`);
  if (!sent) return ifUnseen(question);
  if (rule && ruleOf(rule).isOfPresence) return yes('it sends it');
  return byValues(sent, question);
}

function ifUnseen({ site: { within }, used }: Question): Touch | undefined {
  const isOfBody = !/ parameter `/.test(within);
  return isOfBody && used.unseenBodies ? maybe('its bodies are not all known') : undefined;
}

function withoutMember(question: Question, sent: Sent | undefined): Touch | undefined {
  const { site, used } = question;
  const member = site.steps.at(-1) ?? '';
  const owner = pointerOf(site.steps.slice(0, -1));
  if (!used.body?.[owner]?.others?.includes('object')) return ifUnseen(question);
  if (sent && !sent.sometimes) return undefined;
  // OLD need not name it.
  if (!sent && used.body[`${owner}/*`]) return maybe('it sends members that OLD does not name');
  return yes(`it sends ${owner === '' ? 'bodies' : owner} without ${member}`);
}

function byValues({ values = [], others = [] }: Sent, { checks, rule }: Question): Touch | undefined {
  if (!checks) return maybe('it sends it');
  const refused = values.filter((value) => checks.isOld(value) && !checks.isNew(value));
  if (refused.length > 0) {
    const texts = refused.map((value) => shortenText(stringifyJson(value), 40));
    return yes(`it sends ${someOf(texts, 3)}`);
  }
  const { types } = checks.newShape;
  if (rule && ruleOf(rule).keywords?.includes('type') && types && !types.has('number')) {
    const lost = others.find((type) => !types.has(type));
    return lost && yes(`it sends values of type ${lost}`);
  }
  return others.length > 0 ? maybe(`it sends values (${others.join(', ')}) that are not listed`) : undefined;
}

/** The pointer in the form of {@link UsedOperation}, below the name of a parameter. */
function pointerOf(steps: readonly string[]): string {
  return steps
    .map((step) => {
      if (step === '[]') return '/-';
      return isUnnamed(step) ? '/*' : `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    })
    .join('');
}
