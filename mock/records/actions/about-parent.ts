import { ancestorsOf, answerShape, isRecord, namesIdOf, parseJson, recordName, stringifyJson } from '#spec';
import { andThen } from '../../http/exchange.ts';
import { isRefusal } from '../../http/refusal.ts';
import { pathParameter } from '../collection.ts';
import type { Act, ActionContext } from './action.ts';

/** Lets a sample that is read below a record name that record: `orderId` in `/orders/{id}/payment`. */
export function compileAboutParent(context: Omit<ActionContext, 'collection'>, act: Act): Act {
  const { operation, contract, collections } = context;
  const { parent, parameter = '' } = ancestorsOf([...collections.keys()], operation.path).at(-1) ?? {};
  const collection = parent && collections.get(parent);
  const shape = answerShape(operation);
  const named = pathParameter(operation, parameter);
  if (operation.method !== 'GET' || !collection || (named && !collection.isNamedBy(named))) return act;
  const noun = recordName(collection.resource.path);
  const name = [...(shape?.properties.keys() ?? [])].find((one) => namesIdOf(one, noun));
  if (!shape || name === undefined) return act;
  const fits = (value: unknown) =>
    shape.parts.every((part) => contract.validators.compile(part, 'response')(value).length === 0);
  return (task) =>
    andThen(act(task), (outcome) => {
      const body = isRefusal(outcome) ? undefined : outcome.body;
      const sampled = typeof body === 'string' && body.startsWith('{') ? parseJson(body) : undefined;
      if (!isRecord(sampled)) return outcome;
      const whole = { ...sampled, [name]: collection.idFrom(task.values.parameters.path[parameter]) };
      return fits(whole) ? { ...outcome, body: stringifyJson(whole) } : outcome;
    });
}
