import { type Place, pointerTokens, showPlace, stringifyJson, type Violation } from '#spec';

/** One thing that keeps a value from being made. */
export interface FactoryProblem {
  /** `owner.name`; empty for the whole value, and where a name or a status is wrong. */
  readonly member: string;
  /** What is wrong, as a sentence without the member. */
  readonly message: string;
  /** The position in the document: `openapi.yaml:41`. Undefined: the document says nothing of it. */
  readonly at: string | undefined;
  /** What to do about it. */
  readonly remedy: string;
}

/** A value that cannot be made, with all that is wrong. */
export class FactoryError extends RangeError {
  override readonly name = 'FactoryError';
  readonly problems: readonly FactoryProblem[];

  /** @param call as the test has it: `make("Pet")` */
  constructor(call: string, problems: readonly FactoryProblem[]) {
    super([`${call} is not possible:`, ...problems.map(lineOf)].join('\n  '));
    this.problems = problems;
  }
}

function lineOf({ member, message, at, remedy }: FactoryProblem): string {
  const place = at === undefined ? '' : ` (${at})`;
  return `${member === '' ? '' : `${member} `}${message}${place}; ${remedy}`;
}

export function nameProblem(message: string, remedy: string, at?: Place): FactoryProblem {
  return { member: '', message, at: at && showPlace(at), remedy };
}

const LONGEST = 80;

/** @param isOverridden whether an override has a say in the value at a path */
export function violationProblem(
  { pointer, keyword, expected, received, at }: Violation,
  isOverridden: (path: readonly string[]) => boolean,
): FactoryProblem {
  const path = pointerTokens(pointer);
  const text = keyword === 'required' ? '' : (stringifyJson(received) ?? '');
  const shown = text === '' || text.length > LONGEST ? '' : `, not ${text}`;
  const remedy = isOverridden(path)
    ? 'change the override, or the document'
    : 'no value of our own fits the document there: give one in the overrides';
  return { member: path.join('.'), message: `${expected}${shown}`, at: showPlace(at), remedy };
}
