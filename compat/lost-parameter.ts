import { compileRequestReader, isRecord, type Parameter, placeOf, sample } from '#spec';
import { parameterExamples } from '#test-values';
import { answersTo, type Break, firstSuccess } from './break.ts';
import { type Draft, keyOf, rawOf, sentFor } from './draft.ts';
import { type Address, atNew, type Contracts, type Pair } from './pair.ts';
import { type Twins, worked } from './twins.ts';

/** So many values are tried. */
const MOST = 24;

/**
 * A request in which a parameter that NEW lacks changes what the mock of OLD responds, and not what that of NEW does.
 * Undefined: none is found, as where records have no value that tells.
 */
export async function lostParameter(
  twins: Twins,
  { old: contract }: Contracts,
  { old, new: next }: Pair,
  draft: Draft,
  parameter: Parameter,
  address: Address,
): Promise<Break | undefined> {
  if (!next) return undefined;
  const without = await answersTo(twins, sentFor(old, draft));
  const read = compileRequestReader(old, contract.validators);
  for (const value of (await valuesFor(twins, parameter)).slice(0, MOST)) {
    const sent = sentFor(old, { ...draft, values: new Map(draft.values).set(keyOf(parameter), value) });
    if (read(rawOf(old, sent)).violations.length > 0) continue;
    const answers = await answersTo(twins, sent);
    if (!worked(answers.old) || answers.old?.text === without.old?.text) continue;
    if (answers.new?.text !== without.new?.text || atNew(address, sent).query === '') continue;
    return {
      operation: old,
      status: firstSuccess(old),
      law: 'status',
      site: {
        within: `the query parameter \`${parameter.name}\``,
        steps: [],
        keyword: 'meaningfulParameter',
      },
      received: `NEW responds with ${parameter.name} as without it`,
      documented: `${parameter.name} changes what is listed`,
      at: placeOf(parameter.spot),
      oldSpot: parameter.spot,
      newAt: placeOf(next.spot),
      request: sent,
      answers,
    };
  }
  return undefined;
}

/** What the document shows, then what records have: a filter tells by these. */
async function valuesFor({ old }: Twins, parameter: Parameter): Promise<unknown[]> {
  const { records } = await old.state();
  const kept = Object.values(records).flatMap((all) =>
    all.slice(0, 2).flatMap((record) => (isRecord(record) ? Object.entries(record) : [])),
  );
  const alike = kept.flatMap(([name, value]) => (name === parameter.name ? [value] : []));
  const shown = [...parameterExamples(parameter), ...(parameter.shape.values ?? [])];
  return [...shown, ...alike, 2, sample(parameter.shape, { key: 'lost' }), ...kept.map(([, value]) => value)];
}
