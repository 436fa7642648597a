import type { Option } from 'commander';

/** What commander does not know of an option, and a configuration file needs to. */
export interface OptionForm {
  /** It may be given several times. */
  readonly isList?: boolean;
  /** Nobody else may see it: it does not belong in a file. */
  readonly isSecret?: boolean;
  /** The whole numbers that it takes. */
  readonly range?: { readonly low: number; readonly high: number };
  /** The names that it takes, or that stand before `=`. */
  readonly names?: readonly string[];
  /** The environment variable that can give it. */
  readonly variable?: string;
  /** Values that a shell offers beside others; what ends in `:` goes on, with a file. */
  readonly suggested?: readonly string[];
  /** It takes a number, or a text of this pattern. */
  readonly quantity?: { readonly exclusiveMinimum?: number; readonly pattern?: string };
  /** Options that cannot stand beside it in a file; beside each other they may come from elsewhere. */
  readonly excludes?: readonly string[];
}

const forms = new WeakMap<object, OptionForm>();

/** Notes something about an option, or about all options that have a parser. */
export function withForm<T extends object>(noted: T, form: OptionForm): T {
  forms.set(noted, { ...forms.get(noted), ...form });
  return noted;
}

/** What is noted about an option. */
export function formOf(option: Option): OptionForm {
  return { ...(option.parseArg ? forms.get(option.parseArg) : undefined), ...forms.get(option) };
}
