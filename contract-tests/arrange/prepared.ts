import type { Operation } from '#spec';
import type { Prepared } from '../hooks/hooks.ts';
import type { Trial } from '../run/trial.ts';

/**
 * What the user's code gives for a request of an operation; undefined: it gives nothing for it. The records that it names count
 * as the run's own.
 * @param isSpent the request may change or remove them: the next one gets others
 */
export async function preparedFor(
  { run }: Pick<Trial, 'run'>,
  operation: Operation,
  isSpent: boolean,
): Promise<Prepared | undefined> {
  const { userCode, settings, found, own } = run;
  if (!settings.prepares.has(operation.id)) return undefined;
  const prepare = async () => {
    const given = await userCode.prepare(operation, settings.seed);
    for (const [name, value] of Object.entries(given.path ?? {})) own.noteGiven(operation, name, value);
    return given;
  };
  if (isSpent) return prepare();
  const known = found.prepared.get(operation) ?? prepare();
  found.prepared.set(operation, known);
  return known;
}
