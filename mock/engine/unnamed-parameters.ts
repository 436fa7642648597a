import { type Operation, placeOf, showPlace } from '#spec';

/** Tells of names in the query of a request that the document does not have, each name once. */
export type TellUnnamed = (operation: Operation, names: readonly string[]) => void;

/** Whoever sends a new name with each request must not fill the log, nor the memory. */
const MOST_NAMES = 100;
const LONGEST_NAME = 60;

/** What a forced response is asked for with. */
const OWN_NAMES: ReadonlySet<string> = new Set(['__code', '__example', '__dynamic']);

export function createTellUnnamed(
  notice: (text: string) => void,
  redact: (text: string) => string,
): TellUnnamed {
  const told = new Set<string>();
  return ({ id, security, spot }, names) => {
    for (const name of names) {
      if (told.size >= MOST_NAMES || told.has(name) || OWN_NAMES.has(name)) continue;
      if (security.flat().some((credential) => credential.in === 'query' && credential.name === name))
        continue;
      told.add(name);
      const shown = JSON.stringify(redact(name.slice(0, LONGEST_NAME)));
      notice(
        `the query parameter ${shown} is ignored: ${id} has none of this name (${showPlace(placeOf(spot))})`,
      );
      if (told.size === MOST_NAMES) notice('further query parameters that are ignored are not named');
    }
  };
}
