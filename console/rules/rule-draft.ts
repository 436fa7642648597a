import { parseJson } from '../shell/exact-json.ts';
import type { ContractView, LoggedRequest } from '../wire.ts';

/** What a person enters. */
export interface RuleDraft {
  /** Empty: every operation. */
  readonly operation: string;
  /** Without the base path; empty: whatever the path. */
  readonly path: string;
  readonly effect: 'status' | 'sequence' | 'drop' | 'truncate' | 'delay';
  readonly status: string;
  /** `503, 503, pass` */
  readonly sequence: string;
  /** Instead of the documented one, for `status`. */
  readonly body: string;
  /** Empty: until the rule is removed. */
  readonly times: string;
  /** Milliseconds, or a range such as 50-150. */
  readonly delay: string;
}

const EMPTY_DRAFT: RuleDraft = {
  operation: '',
  path: '',
  effect: 'status',
  status: '503',
  sequence: '503, 503, pass',
  body: '',
  times: '',
  delay: '',
};

/** The draft as `POST /__admin/rules` takes it, which says what is wrong with it. */
export function ruleOf(draft: RuleDraft): object {
  const { operation, path, effect, times, delay } = draft;
  return {
    ...(operation !== '' && { operation }),
    ...(path.trim() !== '' && { match: { path: path.trim() } }),
    ...effectOf(draft, effect),
    ...(times.trim() !== '' && { times: numberOr(times) }),
    ...(delay.trim() !== '' && { delay: numberOr(delay) }),
  };
}

function effectOf({ status, sequence, body }: RuleDraft, effect: RuleDraft['effect']): object {
  switch (effect) {
    case 'status':
      return { status: numberOr(status), ...(body.trim() !== '' && { body: jsonOr(body) }) };
    case 'sequence':
      return { sequence: sequence.split(',').map(numberOr) };
    case 'drop':
      return { drop: true };
    case 'truncate':
      return { truncate: true };
    case 'delay':
      return {};
  }
}

function numberOr(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text.trim();
}

/** A text that is no JSON is sent as it is; one that begins as JSON is a slip, see {@link draftProblems}. */
function jsonOr(text: string): unknown {
  return isJson(text) ? parseJson(text) : text;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

interface RuleProblem {
  /** The member of the rule. */
  readonly where: string;
  readonly message: string;
}

/**
 * What is wrong with a draft before the mock is asked, by members of the rule: to the mock every text is a body. One that
 * begins with a template is no slip.
 */
export function draftProblems({ effect, body }: RuleDraft): readonly RuleProblem[] {
  if (effect !== 'status' || !/^\s*(?:\{(?![{%])|[["])/.test(body) || isJson(body)) return [];
  return [
    { where: 'body', message: 'starts like JSON but is not valid JSON: check brackets, quotes and commas' },
  ];
}

/** A draft for requests like one that was seen; without one, for any. */
export function draftFor(seen: LoggedRequest | undefined, served: ContractView | undefined): RuleDraft {
  const operation = served?.operations.find(({ id }) => id === seen?.operation);
  if (!seen || !served || !operation) return EMPTY_DRAFT;
  const [target = ''] = seen.target.split('?');
  const path = target.slice(served.basePath.length);
  // Of a path with parameters the operation alone would mean every record.
  return { ...EMPTY_DRAFT, operation: operation.id, path: path === operation.path ? '' : path };
}
