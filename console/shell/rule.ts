import type { OperationView } from '../wire.ts';

/** What a rule answers, as the control API shows it. */
export interface RuleAnswer {
  readonly status?: number | string;
  readonly example?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly delay?: number | string;
  readonly drop?: true | 'before' | 'after' | number;
  readonly truncate?: boolean | number;
  readonly template?: boolean;
}

/** A text, all values in their order, or null: there must be none. */
export type Wanted = string | number | boolean | null | readonly (string | number | boolean)[];

export interface RuleForm extends RuleAnswer {
  readonly operation?: string;
  readonly tag?: string;
  readonly match?: {
    readonly method?: string;
    readonly path?: string;
    readonly query?: Readonly<Record<string, Wanted>>;
    readonly headers?: Readonly<Record<string, Wanted>>;
    readonly body?: unknown;
  };
  readonly times?: number;
  readonly sequence?: readonly (number | RuleAnswer | 'pass')[];
  readonly source?: Source;
  readonly enabled?: boolean;
  readonly validate?: boolean;
}

export type Source = NonNullable<OperationView['source']>;

/** A rule as the control API shows it. */
export interface ActiveRule extends RuleForm {
  readonly id: number;
  /** How many requests it was applied to. */
  readonly used: number;
}

/** Whether it may still apply to a request. */
export function isActive({ enabled = true, times = Number.POSITIVE_INFINITY, used }: ActiveRule): boolean {
  return enabled && used < times;
}

/** The rule without what the mock says of it. */
export function formOf({ id: _, used: __, ...rest }: ActiveRule): RuleForm {
  const { met: ____, ...form } = rest as RuleForm & { readonly met?: number };
  return form;
}
