import type { AnswerForm, ContractView, LoggedRequest, RuleForm } from '../wire.ts';

/** How a rule responds. Undefined: not chosen yet. */
export type RuleKind = 'answer' | 'sequence' | 'source';

const OF_ANSWER = ['status', 'example', 'body', 'headers', 'delay', 'drop', 'truncate', 'template'] as const;

export function kindOf(rule: RuleForm): RuleKind | undefined {
  if (rule.source !== undefined) return 'source';
  if (rule.sequence) return 'sequence';
  return OF_ANSWER.some((name) => rule[name] !== undefined) ? 'answer' : undefined;
}

type Step = NonNullable<RuleForm['sequence']>[number];

/** A step of a sequence as an answer. Undefined: the normal response. */
export function answerOf(step: Step): AnswerForm | undefined {
  if (step === 'pass') return undefined;
  return typeof step === 'number' ? { status: step } : step;
}

/** The shortest form of a step. */
export function stepOf(answer: AnswerForm | undefined): Step {
  if (!answer) return 'pass';
  const { status, ...others } = answer;
  return typeof status === 'number' && Object.keys(others).length === 0 ? status : answer;
}

/** The rule with another kind of response, keeping as much as possible. */
export function withKind(rule: RuleForm, kind: RuleKind): RuleForm {
  const { sequence, source: _, ...rest } = rule;
  const entries = Object.entries(rest);
  const isOfAnswer = (name: string) => (OF_ANSWER as readonly string[]).includes(name);
  const shared: RuleForm = Object.fromEntries(entries.filter(([name]) => !isOfAnswer(name)));
  const answer: AnswerForm = Object.fromEntries(entries.filter(([name]) => isOfAnswer(name)));
  if (kind === 'source') return { ...shared, source: 'mock' };
  // A common fault: the entered response, then the normal one.
  if (kind === 'sequence') return { ...shared, sequence: [stepOf({ status: 503, ...answer }), 'pass'] };
  const first = sequence?.find((step) => step !== 'pass');
  return { ...shared, status: 503, ...answer, ...(first !== undefined && answerOf(first)) };
}

/** The rule as sent, without empty objects. */
export function withoutEmpty<T>(rule: T): T {
  const entries = Object.entries(rule as Record<string, unknown>).map(([name, value]) => {
    const isForm =
      ['match', 'query', 'headers'].includes(name) && typeof value === 'object' && value !== null;
    return [name, isForm ? withoutEmpty(value) : value] as const;
  });
  const isEmpty = (name: string, value: unknown) =>
    value === undefined ||
    (['match', 'query', 'headers'].includes(name) && Object.keys(value as object).length === 0);
  return Object.fromEntries(entries.filter(([name, value]) => !isEmpty(name, value))) as T;
}

/** A rule for requests like a logged one; without one, for any. */
export function ruleLike(seen: LoggedRequest | undefined, served: ContractView | undefined): RuleForm {
  const operation = served?.operations.find(({ id }) => id === seen?.operation);
  if (!seen || !operation) return {};
  const [target = '', search = ''] = seen.target.split('?');
  // The segments in front are the base path.
  const steps = target.split('/').slice(1 - operation.path.split('/').length);
  const path = `/${steps.join('/')}`;
  // Secrets are redacted, and would not match.
  const isShown = (name: string) =>
    !operation.security.some(
      (credentialView) => credentialView.in === 'query' && credentialView.name === name,
    );
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    if (!isShown(name)) continue;
    query[name] = Object.hasOwn(query, name) ? [query[name] ?? '', value].flat() : value;
  }
  return withoutEmpty({
    operation: operation.id,
    // For a path with parameters, the operation alone would match every record.
    match: { path: path === operation.path ? undefined : path, query },
    status: 503,
  } as RuleForm);
}
