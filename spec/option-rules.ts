import { shortenText } from './json/in-brief.ts';
import { isRecord, ownEntry } from './json/json-value.ts';
import { nameHint } from './nearest.ts';

/** The rule for one option of a function. */
export interface OptionRule {
  /** Completes `option NAME must be`. */
  readonly allowed: string | ((value: unknown) => string);
  readonly isAllowed: (value: unknown) => boolean;
  /** Whether the option is required, given the other options. Default: it is not. */
  readonly isRequired?: (options: Readonly<Record<string, unknown>>) => boolean;
  /** The default of the option. Default: undefined. */
  readonly default?: unknown;
  /** The value may contain a credential, so messages do not repeat it. */
  readonly isSecret?: true;
  /** A longer message for an invalid value, if needed. */
  readonly problem?: (value: unknown) => string | undefined;
}

export type OptionRules = Readonly<Record<string, OptionRule>>;

export const isText = (value: unknown) => typeof value === 'string' && value !== '';

export const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem);

export const FLAG: OptionRule = {
  allowed: 'true or false',
  isAllowed: (value) => typeof value === 'boolean',
};

export const CALLBACK: OptionRule = {
  allowed: 'a function',
  isAllowed: (value) => typeof value === 'function',
};

/** @param unit what the number counts. Default: a whole number */
export function wholeNumber(low: number, high: number, unit = 'a whole number'): OptionRule {
  return {
    allowed: `${unit} from ${low} to ${high}`,
    isAllowed: (value) => Number.isSafeInteger(value) && low <= Number(value) && Number(value) <= high,
  };
}

/** One problem with options. */
export interface OptionProblem {
  /** Undefined: it concerns no known option. */
  readonly option: string | undefined;
  readonly message: string;
}

/** All problems with options: unknown, missing and invalid ones. */
export function optionProblems(rules: OptionRules, options: unknown): OptionProblem[] {
  const names = Object.keys(rules);
  if (!isRecord(options)) {
    const message = `options must be an object such as { ${names[0]}: … }, not ${valueText(options)}`;
    return [{ option: undefined, message }];
  }
  const required = names.filter((name) => rules[name]?.isRequired?.(options));
  const present = Object.keys(options).filter((name) => options[name] !== undefined);
  return [...new Set([...required, ...present])].flatMap((option): OptionProblem[] => {
    const rule = ownEntry(rules, option);
    if (!rule) {
      const message = `unknown option ${JSON.stringify(option)}; ${nameHint(option, names)}`;
      return [{ option: undefined, message }];
    }
    const value = options[option];
    return rule.isAllowed(value) ? [] : [{ option, message: `option ${option}${mismatch(rule, value)}` }];
  });
}

function mismatch({ allowed, isSecret, problem }: OptionRule, value: unknown): string {
  const wrong = problem?.(value);
  if (wrong !== undefined) return `: ${wrong}`;
  const received = isSecret ? `what was given (${typeof value})` : valueText(value);
  return ` must be ${typeof allowed === 'string' ? allowed : allowed(value)}, not ${received}`;
}

/** A value for a message; the members of an object are shown, but not their contents. */
function valueText(value: unknown, isWithin = false): string {
  if (typeof value === 'string') return JSON.stringify(shortenText(value, 80));
  if (typeof value === 'function') return 'a function';
  if (isWithin && typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, true)).join(', ')}]`;
  const isPlain = isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${valueText(member, true)}`);
  return members.length === 0 ? '{}' : `{ ${shortenText(members.join(', '), 80)} }`;
}
