import { foldedName, setOf } from './names.ts';
import { stemOf, takenBack, verbOf } from './verb.ts';

/** States that things begin in, wherever an enumeration has them. */
const BEGINNINGS = setOf(
  'draft drafted open opened pending new created todo backlog queued planned received submitted requested placed notstarted waiting available unread unpaid',
);
/** States of what is over, by their verbs. */
const ENDED = new Set(
  [...setOf('archived cancelled closed deleted ended expired gone removed revoked terminated trashed')].map(
    stemOf,
  ),
);
const IN_USE = new Set(['active', 'enabled'].map(stemOf));

/** The state that things begin in. */
export function firstState(values: readonly unknown[]): unknown {
  const states = values.filter((value) => value !== null);
  return states.find((value) => BEGINNINGS.has(foldedName(String(value)))) ?? states[0];
}

/** Whether a state says that what is in it is over, or out of use: `cancelled`, `deactivated`, `disabled`. */
export function isEnded(state: string): boolean {
  const verb = verbOf(state);
  return (
    ENDED.has(verb) || [takenBack(verb)].some((one) => one && (IN_USE.has(one) || IN_USE.has(`en${one}`)))
  );
}
