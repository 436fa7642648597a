import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** What expressions may name: `inputs.document`, `steps.check.outputs.verdict`, ... */
export type Contexts = Readonly<Record<string, unknown>>;

/** How the steps before this one ended. */
export type JobStatus = 'success' | 'failure' | 'cancelled';

/** Functions that tell of the steps before: GitHub's library leaves them to the runner. */
const STATUS_FUNCTIONS: Readonly<Record<string, (status: JobStatus) => boolean>> = {
  always: () => true,
  success: (status) => status === 'success',
  failure: (status) => status === 'failure',
  cancelled: (status) => status === 'cancelled',
};

/** The text with each `${{ }}` replaced by its value. */
export function fillIn(text: string, contexts: Contexts, status: JobStatus = 'success'): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression, contexts, status).coerceString(),
  );
}

/** Whether a step with this `if:` is run. Without a function that tells of the steps before, all of them must have succeeded. */
export function isTrue(condition: string, contexts: Contexts, status: JobStatus): boolean {
  const [, expression = condition] = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(condition) ?? [];
  const tells = Object.keys(STATUS_FUNCTIONS).some((name) =>
    new RegExp(`\\b${name}\\s*\\(`).test(expression),
  );
  const whole = tells ? expression : `success() && (${expression})`;
  const value = evaluate(whole, contexts, status);
  return value.kind === data.Kind.Boolean ? value.value : value.coerceString() !== '';
}

function evaluate(expression: string, contexts: Contexts, status: JobStatus): data.ExpressionData {
  const functions = Object.entries(STATUS_FUNCTIONS).map(([name, call]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(call(status)),
  }));
  const parsed = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse();
  const values = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  return new Evaluator(parsed, values, new Map(functions.map((one) => [one.name, one]))).evaluate();
}
