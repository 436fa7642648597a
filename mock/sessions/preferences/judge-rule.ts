import { type Contract, isRecord, type Operation, pointerTokens, stringifyJson } from '#spec';
import { compileRespondOwn, type OwnViolation } from './forced-response.ts';
import { canBeAtPath, isForOperation } from './match.ts';
import type { Answer, PlainAnswer, Rule } from './rules.ts';
import { isTemplate } from './template.ts';

/** A way in which a rule's answer violates the document. It is sent all the same. */
export interface RuleWarning {
  /** The member of the rule: `body`, `sequence.0.body`, `status`. */
  readonly where: string;
  /** A JSON Pointer into the body. Undefined: the warning concerns no value within it. */
  readonly pointer: string | undefined;
  readonly message: string;
  /** `spec/openapi.yaml:41`. Undefined: no single line says so. */
  readonly at: string | undefined;
}

/** Limits the warnings of a rule that applies to every operation. */
const MOST_OPERATIONS = 10;

/** Validates a rule's bodies against the responses of its operations; what depends on a request is not judged. */
export function judgeRule(rule: Rule, { operations }: Pick<Contract, 'operations'>): readonly RuleWarning[] {
  const targets = operationsOf(rule, operations).slice(0, MOST_OPERATIONS);
  const steps = rule.sequence?.map((answer, index) => [`sequence.${index}.`, answer] as const);
  const answers = steps ?? [['', rule] as const];
  return answers.flatMap(([place, answer]) =>
    answer === 'pass' || answer.body === undefined
      ? []
      : targets.flatMap((operation) => judgeAnswer(answer, operation, place, targets.length > 1)),
  );
}

function judgeAnswer(
  answer: Answer,
  operation: Operation,
  place: string,
  isNamed: boolean,
): readonly RuleWarning[] {
  const { status, body, template } = answer;
  if (template && (typeof status === 'string' || typeof body === 'string')) return [];
  const { violations } = compileRespondOwn(operation)(answer as PlainAnswer);
  return violations
    .filter((violation) => !template || isCertain(violation, body))
    .map(({ of, pointer, message, at }) => ({
      where: `${place}${of}`,
      pointer,
      message: isNamed && pointer !== undefined ? `${message} (${operation.id})` : message,
      at,
    }));
}

/** A template may produce any value. */
function isCertain({ pointer = '', keyword }: OwnViolation, body: unknown): boolean {
  return keyword === 'required' || !isTemplate(stringifyJson(valueIn(body, pointer)) ?? '');
}

function valueIn(body: unknown, pointer: string): unknown {
  return pointerTokens(pointer).reduce((value, name) => {
    if (Array.isArray(value)) return value[Number(name)];
    return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, body);
}

/** The operations to whose requests a rule may apply. */
function operationsOf(rule: Rule, operations: readonly Operation[]): readonly Operation[] {
  const { method, path } = rule.match ?? {};
  return operations.filter(
    (operation) =>
      isForOperation(rule, operation) &&
      (method === undefined || method === operation.method) &&
      (path === undefined || canBeAtPath(path, operation)),
  );
}
