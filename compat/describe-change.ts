import { placeOf, showPlace } from '#spec';
import type { Change } from './changes/change.ts';
import type { ChangeClass, RuleName } from './changes/rules.ts';

/** What a change means for clients, in words. */
export interface DescribedChange {
  readonly rule: RuleName;
  readonly class: ChangeClass;
  readonly subject: string;
  readonly text: string;
  readonly reason: string;
  /** File and line of both documents. */
  readonly old: string;
  readonly new: string;
}

/** @param isRefuted it breaks by its rule, and no value shows it: a warning, then */
export function describeChange(change: Change, isRefuted: boolean): DescribedChange {
  return {
    rule: change.rule,
    class: isRefuted && change.class === 'breaking' ? 'warning' : change.class,
    subject: change.subject,
    text: sayChange(change),
    reason: isRefuted ? 'no value that was tried shows it' : change.reason,
    ...placesOf(change),
  };
}

/** What has changed, in words: `maximum 5000 -> 4000`. */
export function sayChange({ rule, from, to }: Pick<Change, 'rule' | 'from' | 'to'>): string {
  const [, not, state] = /(?:^|-)became-(not-)?(.+)$/.exec(rule) ?? [];
  if (state !== undefined) return `${not ? 'no longer' : 'now'} ${state}`;
  const words = rule.replaceAll('-', ' ');
  if (/-(?:set|unset|tightened|loosened)$/.test(rule)) {
    const [name = '', ...rest] = (to || from).split(' ');
    const plain = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const value = (text: string) => text.replace(`${name} `, '').replace(/^\w+ /, '');
    return `${plain} ${from === '' ? 'none' : value(from)} -> ${to === '' ? 'none' : rest.join(' ')}`;
  }
  if (from === '' && to === '') return words;
  if (from === '' || to === '') return `${words}: ${from || to}`;
  return `${words}: ${from} -> ${to}`;
}

function placesOf({ old, new: next }: Change): { old: string; new: string } {
  return { old: showPlace(placeOf(old)), new: showPlace(placeOf(next)) };
}
