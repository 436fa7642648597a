import { type Operation, type Parameter, placeOf, rawChild, type Spot } from '#spec';
import { placeAt } from '../break.ts';
import type { Note } from './note.ts';

/** Parameters that have no effect any more, or another one. */
export function changedParameters(old: Operation, next: Operation): Note[] {
  return old.parameters.flatMap((parameter) => {
    const { name, in: place, spot } = parameter;
    const twin = next.parameters.find((one) => one.in === place && one.name === name);
    const title = `the ${place} parameter ${name}`;
    if (twin) return [...deprecated(title, spot, twin.spot), ...changedDefault(parameter, twin)];
    return place === 'path' ? [] : [{ text: `${title} is gone, and has no effect`, at: placeOf(spot) }];
  });
}

function deprecated(title: string, old: Spot, next: Spot): Note[] {
  const isDeprecated = (spot: Spot) => rawChild(spot, 'deprecated')?.value === true;
  return isDeprecated(next) && !isDeprecated(old)
    ? [{ text: `${title} is deprecated in NEW`, at: placeAt(next, 'deprecated') }]
    : [];
}

/** The same request means another one. */
function changedDefault(parameter: Parameter, twin: Parameter): Note[] {
  if (parameter.required) return [];
  const [before, after] = [parameter.shape.find('default'), twin.shape.find('default')];
  if (JSON.stringify(before?.value) === JSON.stringify(after?.value)) return [];
  const show = (found: typeof before) => (found ? JSON.stringify(found.value) : 'none');
  const text = `the default of the ${parameter.in} parameter ${parameter.name} is ${show(after)}, not ${show(before)}`;
  return [{ text, at: placeOf(after?.spot ?? twin.spot) }];
}
