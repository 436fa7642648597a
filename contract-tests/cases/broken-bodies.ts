import {
  type BrokenValue,
  breakEachKeyword,
  type Contract,
  isInteger,
  isRecord,
  type Operation,
  type Shape,
  sample,
  type Validate,
} from '#spec';
import type { Settings } from '../settings.ts';

/** The bodies as the schema gives them; the run's own values take their place when they are sent. */
export function brokenBodies(contract: Contract, settings: Settings, operation: Operation): BrokenValue[] {
  const media = operation.body?.content.find(({ isJson }) => isJson);
  if (!media?.shape || !media.schema) return [];
  const valid = sample(media.shape, {
    key: `${settings.seed}/${operation.id}`,
    omit: (member) => member.readOnly,
  });
  const validate = contract.validators.compile(media.schema, 'request');
  return [
    ...breakEachKeyword(media.shape, valid, validate),
    ...brokenAsPeopleDo(media.shape, valid, validate),
  ];
}

/** Near misses of an enumeration, as forms send them, and several keywords at once. */
function brokenAsPeopleDo(shape: Shape, valid: unknown, validate: Validate): BrokenValue[] {
  if (!isRecord(valid)) return [];
  const enumerated = Object.entries(valid).filter(
    ([name, value]) => typeof value === 'string' && shape.properties.get(name)?.values,
  );
  const integers = Object.entries(valid).filter(([, value]) => isInteger(value));
  const changed = (name: string, title: string, value: unknown) => ({
    pointer: `/${name}`,
    title: `${name} ${title}`,
    value: { ...valid, [name]: value },
  });
  const bodies = [
    { pointer: '', title: 'without any member', value: {} },
    // What conversions let through: a list of one becomes a text, an empty text 0, digits with a rest their number.
    ...Object.entries(valid).map(([name, value]) => changed(name, 'in a list of one', [value])),
    ...integers.flatMap(([name, value]) => [
      changed(name, 'as an empty text', ''),
      changed(name, 'as digits with letters behind them', `${value}abc`),
    ]),
    ...enumerated.flatMap(([name, value]) => [
      { pointer: `/${name}`, title: `${name} as an empty text`, value: { ...valid, [name]: '' } },
      {
        pointer: `/${name}`,
        title: `${name} with a space behind it`,
        value: { ...valid, [name]: `${value} ` },
      },
    ]),
  ];
  return bodies.flatMap((body) => {
    const [violation] = validate(body.value);
    return violation ? [{ ...body, keyword: violation.keyword, at: violation.at }] : [];
  });
}
