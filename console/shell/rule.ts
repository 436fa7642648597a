import type { RuleForm, RuleView } from '../wire.ts';

/** Whether it may still apply to a request. */
export function isActive({ enabled = true, times = Number.POSITIVE_INFINITY, used }: RuleView): boolean {
  return enabled && used < times;
}

/** The rule without the mock's own members. */
export function formOf({ id: _, used: __, ...form }: RuleView): RuleForm {
  return form;
}
