import { absentAs, memberShape, type Resource } from '#spec';
import { referencesIn } from '../arrange/body.ts';
import { type On, onEach } from '../arrange/lists.ts';
import { unknownId } from '../arrange/made-up.ts';
import { inRecord } from '../arrange/record-members.ts';
import { tryCreate } from '../arrange/target.ts';
import { recordInBody } from '../laws/mark.ts';
import { about, type Case, type Family, makeCase, slugOf } from './case.ts';

/** A new record that names one which is not there is refused, where a status is documented for that. */
export const references: Family = (contract, settings) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const { operation, resource } = on;
    const fact = absentAs(operation);
    const { shape } = recordInBody(resource, operation);
    if (!fact || !shape || !settings.writes) return [];
    return referencesIn(contract, operation).flatMap((one) => {
      const member = memberShape(shape, one.property);
      if (!member || member.readOnly) return [];
      return about(fact, settings, { ...naming(on, one, fact), creates: 1 });
    });
  });

function naming(
  on: On,
  { property, parent, isList }: ReturnType<typeof referencesIn>[number],
  fact: NonNullable<ReturnType<typeof absentAs>>,
): Case {
  const { operation, resource } = on;
  const { status } = fact;
  const slug = `${slugOf(property)}-that-names-nothing`;
  const title = `a ${property} that names nothing is refused`;
  return makeCase({ operation, status }, slug, title, async (trial) => {
    const id = unknownId(
      (parent.id as NonNullable<Resource['id']>).shape,
      `${property} ${trial.plan.settings.seed}`,
    );
    const change = inRecord(resource, operation, (record) => {
      const others = record[property];
      // Beside one that is there: a service may look at the first one only.
      return { ...record, [property]: isList ? [...(Array.isArray(others) ? others : []), id] : id };
    });
    await tryCreate(trial, resource, {
      change,
      expected: { status, or4xx: fact.certainty === 'presumed', rests: [fact] },
    });
  });
}
