import {
  accountOperation,
  explicitStatuses,
  isRecord,
  type Operation,
  parseJson,
  rawChildren,
  responseFor,
  roleWord,
  textAt,
} from '#spec';
import { andThen } from '../../http/exchange.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { Account } from '../accounts.ts';
import { compileItemAddress } from '../item.ts';
import { makerOf } from '../links.ts';
import type { Role } from '../roles.ts';
import type { Standing } from '../standing.ts';
import type { Act, ActionContext, Task } from './action.ts';
import { isMadeBy, makersIn } from './made-by.ts';

type PermitContext = Pick<ActionContext, 'operation'> & {
  readonly standing: Standing;
  /** Undefined: it belongs to no collection. */
  readonly role: Role | undefined;
};

/**
 * Refuses with a documented 403 an account that has not the role that words of the document ask for, or has not made the
 * record, where they ask for that. Keys and programs may do everything.
 */
export function compilePermit(context: PermitContext, act: Act): Act {
  const { operation, standing } = context;
  if (!explicitStatuses(operation.responses).includes(FORBIDDEN)) return act;
  const roles = rolesAskedFor(operation, standing.words);
  const isOwn = compileIsOwn(context);
  if (roles.length === 0 && !isOwn) return act;
  const refusal: Refusal = {
    refuse: 'forbidden',
    message: `The account is not permitted to do this: only ${[...roles, ...(isOwn ? ['who has made the record'] : [])].join(' or ')} may`,
  };

  async function isPermitted(task: Task, account: Account): Promise<boolean> {
    const hasRole = standing.isOneOf(roles.length > 0 ? roles : ['admin'], account);
    if (hasRole) return true;
    const own = await isOwn?.(task, account);
    return own ?? (roles.length === 0 || hasRole === undefined);
  }
  return (task) => {
    const { account } = task.sender ?? {};
    if (!account || account.identities.length === 0) return act(task);
    return andThen(isPermitted(task, account), (may) => (may ? act(task) : refusal));
  };
}

const FORBIDDEN = 403;

/** Who may do it alone, by the words of the document. */
function rolesAskedFor(operation: Operation, words: readonly string[]): string[] {
  const { spot, security, responses, summary = '' } = operation;
  const refused = wordsOf(textOfRefusal(responses) ?? '');
  const said = [summary, textAt(spot, 'description') ?? '']
    .flatMap((text) => text.match(ONLY) ?? [])
    .flatMap(wordsOf);
  const extensions = rawChildren(spot).filter(([name]) => ASKING.test(name));
  const asked = extensions.flatMap(([, { value }]) => [value].flat().flatMap((one) => wordsOf(String(one))));
  const scopes = security.flat().flatMap((credential) => credential.scopes.flatMap(wordsOf));
  const all = new Set([...refused, ...said, ...asked, ...scopes]);
  return words.filter((word) => all.has(word));
}

const ASKING = /^x-.*(?:role|permission|access|auth|allow)/i;

/** The part of a sentence that says who may. */
const ONLY =
  /\b(?:only|requires?|required|must (?:be|have)|needs?|(?:restricted|limited|available|reserved|allowed) (?:to|for))\b[^.\n]*|[^.\n]*\b(?:only|required)\b|\((?:[\w ]+)\)|\[(?:[\w ]+)\]/gi;

const wordsOf = (text: string) =>
  text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => [roleWord(word), ...word.split(/[_-]/).map(roleWord)]);

function textOfRefusal(responses: Operation['responses']): string | undefined {
  const refused = responseFor(responses, FORBIDDEN);
  return refused && textAt(refused.spot, 'description');
}

const OWN =
  /\b(?:authors?|owners?|owned|creators?|created|own|yours?|belongs?|another user|other users?|someone else|somebody else)\b/i;

/** Undefined: the document does not say that it is for who has made the record, or the record does not say who has. */
function compileIsOwn({ operation, role }: PermitContext) {
  if (!role || operation.method === 'GET' || accountOperation(operation)) return undefined;
  const { collection } = role;
  if (!OWN.test(textOfRefusal(operation.responses) ?? '')) return undefined;
  const addressOf = compileItemAddress(collection, operation);
  const makers = makersIn(collection.resource.shape);
  if (!addressOf) return undefined;
  return async ({ values, store }: Task, account: Account): Promise<boolean | undefined> => {
    const { id, scope } = addressOf(values);
    const maker = await makerOf(store, collection.name, id);
    if (maker !== undefined) return maker === account.subject;
    const text = await store.read(collection, id, scope);
    const record = text === undefined ? undefined : parseJson(text);
    if (!isRecord(record)) return undefined;
    return makers.map((name) => isMadeBy(name, record[name], account)).find((one) => one !== undefined);
  };
}
