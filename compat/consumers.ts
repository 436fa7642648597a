import type { Consumer, Sent, UsedOperation, UsedPlace } from '#consumer';
import { ConsumerFileError, operationsIn, readConsumer } from '#consumer';
import { type ConsumerTouch, type Observation, SettingsError } from '#contract-tests';
import { memberShape, type Operation, pointerTokens, responseFor, type Shape, stringifyJson } from '#spec';
import { type Break, shorten } from './break.ts';
import type { Change, Site } from './changes/change.ts';
import type { RuleName } from './changes/rules.ts';
import type { Contracts } from './pair.ts';
import { checksOf } from './prove.ts';

/** @throws SettingsError for a file that cannot be used, with its line, and for two of one name */
export function readConsumers(paths: readonly string[]): Consumer[] {
  const consumers = paths.map((path) => {
    try {
      return readConsumer(path);
    } catch (error) {
      throw error instanceof ConsumerFileError ? new SettingsError(`--consumer: ${error.message}`) : error;
    }
  });
  const names = consumers.map(({ consumer }) => consumer);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new SettingsError(`--consumer: two of the files are of the client "${twice}"`);
  return consumers;
}

/** What changes mean for clients of whom it is known what they use. */
export interface Touches {
  /** Those clients that a change touches, or may touch. */
  ofChange(change: Change): ConsumerTouch[];
  /** Likewise, of what running shows and no rule names. */
  ofBreak(one: Break): ConsumerTouch[];
  /** Likewise, where all that is known is the operation. */
  ofOperation(id: string): ConsumerTouch[];
  /** What the files name, and OLD does not have. */
  readonly notices: readonly Observation[];
}

type Touch = Omit<ConsumerTouch, 'consumer'>;
const yes = (why: string): Touch => ({ touched: 'yes', why });
const maybe = (why: string): Touch => ({ touched: 'maybe', why });

/** A client, with the operations of OLD that it uses. */
interface Client {
  readonly name: string;
  readonly used: ReadonlyMap<Operation, UsedOperation>;
}

export function compileTouches(consumers: readonly Consumer[], contracts: Contracts): Touches {
  const { operations } = contracts.old;
  const notices: Observation[] = [];
  const clients = consumers.map(({ consumer: name, operations: all }): Client => {
    const notice = (text: string) =>
      void notices.push({ caseId: 'consumer', operationId: name, text: `--consumer: ${text}` });
    const used = new Map<Operation, UsedOperation>();
    for (const { key, operation, used: one } of operationsIn(all, contracts.old)) {
      if (!operation) {
        notice(`OLD has no ${key}`);
        continue;
      }
      used.set(operation, one);
      for (const text of unknownReads(operation, one)) notice(text);
    }
    return { name, used };
  });

  /** The strongest of several ways in which each client is touched. */
  function touchesOf(find: (client: Client) => Iterable<Touch | undefined>): ConsumerTouch[] {
    return clients.flatMap((client) => {
      const found = [...find(client)].filter((touch) => touch !== undefined);
      const touch = found.find(({ touched }) => touched === 'yes') ?? found[0];
      return touch ? [{ consumer: client.name, ...touch }] : [];
    });
  }

  const byId = new Map(operations.map((one) => [one.id, one]));
  const isUsing = ({ used }: Client, id: string) => used.has(byId.get(id) as Operation);
  return {
    notices,
    ofOperation: (id) => touchesOf((client) => (isUsing(client, id) ? [maybe(`it calls ${id}`)] : [])),
    ofBreak({ operation, law, site, status }) {
      const { within = '' } = site ?? {};
      const steps = (site?.steps ?? []).map((step) => (/^\d+$/.test(step) ? '[]' : step));
      const direction = law === 'status' ? 'request' : 'response';
      return touchesOf(({ used }) => {
        const one = used.get(operation);
        return one ? [touchOf({ direction, site: { operation, within, steps, status }, used: one })] : [];
      });
    },
    ofChange(change) {
      const { direction, rule, level } = change;
      const checks = level && checksOf(contracts, level, direction);
      return touchesOf(function* ({ used }) {
        for (const site of change.sites) {
          const one = site.operation && used.get(site.operation);
          if (one) yield touchOf({ direction, rule, from: change.from, checks, site, used: one });
        }
      });
    },
  };
}

interface Question {
  readonly direction: Change['direction'];
  /** Undefined: no rule names what has changed. */
  readonly rule?: RuleName;
  readonly from?: string;
  readonly checks?: ReturnType<typeof checksOf> | undefined;
  readonly site: Site;
  readonly used: UsedOperation;
}

/** How a client is touched at one place; undefined: not at all. */
function touchOf(question: Question): Touch | undefined {
  const { rule, site, direction } = question;
  if (site.within === '')
    return rule === 'credential-required' || rule === 'scope-added'
      ? maybe('it calls the operation; its credentials are in no file')
      : yes('it calls the operation');
  return direction === 'response' ? inResponse(question) : inRequest(question);
}

function inResponse({ rule, site, used }: Question): Touch | undefined {
  const { within, steps, operation } = site;
  const [, header] = /^the header `(.+)` of /.exec(within) ?? [];
  const [, key] = / (\w+)$/.exec(within) ?? [];
  const found = Object.entries(used.responses).flatMap(([status, { reads }]) => {
    const documented = operation && responseFor(operation.responses, Number(status));
    if (documented?.key !== key) return [];
    if (rule === 'status-removed' || rule === 'success-status-removed')
      return [yes(`it receives the ${status}`)];
    if (!reads) return [maybe(`what it reads of the ${status} is not listed`)];
    const read = reads.find((one) =>
      header === undefined
        ? /^(?:\/|$)/.test(one) && overlaps(pointerTokens(one), steps)
        : one.toLowerCase() === header.toLowerCase(),
    );
    if (read === undefined) return [];
    if (rule === 'media-type-removed') return [maybe(`it reads the body of the ${status}`)];
    return [yes(`it reads ${read === '' ? 'the whole body' : read} of the ${status}`)];
  });
  return found.find(({ touched }) => touched === 'yes') ?? found[0];
}

/** Whether one of two places is within the other. */
function overlaps(read: readonly string[], steps: readonly string[]): boolean {
  return steps.slice(0, read.length).every((step, index) => {
    const token = read[index] ?? '';
    if (step === '[]') return token === '-' || /^\d+$/.test(token);
    return step === token || isUnnamed(step);
  });
}

/** A member that no document names. */
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
  if (rule === 'required-parameter-added' || rule === 'parameter-became-required')
    return sent && !sent.sometimes ? undefined : yes(`it sends requests without ${name}`);
  if (rule === 'required-property-added' || rule === 'property-became-required')
    return place === undefined ? withoutMember(question, sent) : all?.[name] && maybe(`it sends ${name}`);
  if (!sent) return ifUnseen(question);
  if (rule && IS_OF_PRESENCE.test(rule)) return yes('it sends it');
  return byValues(sent, question);
}

/** What is taken no more, or in another form, whatever its value. */
const IS_OF_PRESENCE =
  /^(?:(?:meaningful-)?parameter-(?:removed|style-changed)|encoding-style-changed|request-body-removed|(?:required-)?property-removed.*|property-became-read-only)$/;

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
  // OLD need not have named it.
  if (!sent && used.body[`${owner}/*`]) return maybe('it sends members that OLD does not name');
  return yes(`it sends ${owner === '' ? 'bodies' : owner} without ${member}`);
}

function byValues({ values = [], others = [] }: Sent, { checks, rule }: Question): Touch | undefined {
  if (!checks) return maybe('it sends it');
  const refused = values.filter((value) => checks.isOld(value) && !checks.isNew(value));
  if (refused.length > 0) {
    const shown = refused.slice(0, 3).map((value) => shorten(stringifyJson(value), 40));
    return yes(`it sends ${shown.join(', ')}${refused.length > 3 ? ` and ${refused.length - 3} more` : ''}`);
  }
  const { types } = checks.theirs;
  if (rule?.startsWith('type-') && types && !types.has('number')) {
    const lost = others.find((type) => !types.has(type));
    return lost && yes(`it sends values of type ${lost}`);
  }
  return others.length > 0 ? maybe(`it sends values (${others.join(', ')}) that are not listed`) : undefined;
}

/** As a consumer file has it, behind the name of a parameter. */
function pointerOf(steps: readonly string[]): string {
  return steps
    .map((step) => {
      if (step === '[]') return '/-';
      return isUnnamed(step) ? '/*' : `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    })
    .join('');
}

/** What `reads` lists, and OLD does not describe. */
function unknownReads(operation: Operation, { responses }: UsedOperation): string[] {
  return Object.entries(responses).flatMap(([status, { reads = [] }]) => {
    const documented = responseFor(operation.responses, Number(status));
    const shapes = (documented?.content ?? []).map(({ shape }) => shape);
    return reads.flatMap((read) => {
      const isThere =
        read === '' || !read.startsWith('/')
          ? read === '' || documented?.headers.some(({ name }) => name.toLowerCase() === read.toLowerCase())
          : shapes.some((shape) => shape && isDescribed(shape, pointerTokens(read)));
      return isThere ? [] : [`the ${status} of ${operation.id} has no ${read} in OLD ("reads")`];
    });
  });
}

function isDescribed(shape: Shape, tokens: readonly string[]): boolean {
  const [token, ...rest] = tokens;
  if (token === undefined) return true;
  const items = [shape, ...shape.alternatives].find((one) => one.items)?.items;
  const next = /^(?:-|\d+)$/.test(token) && items ? items : (memberShape(shape, token) ?? shape.additional);
  // Of a schema that says nothing of members, any may be there.
  if (!next) return shape.properties.size === 0 && shape.alternatives.length === 0 && !items;
  return isDescribed(next, rest);
}
