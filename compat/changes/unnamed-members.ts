import { isRecord, rawChildren, Shape, type Spot } from '#spec';
import type { Form } from './forms.ts';

/** The schema for unnamed members. */
export interface Others {
  readonly kind: string;
  readonly isOpen: boolean;
  readonly isClosed: boolean;
  readonly schema: Shape | undefined;
  readonly spot: Spot;
}

export function othersOf({ shape }: Form): Others {
  const keyword = shape.find('additionalProperties') ?? shape.find('unevaluatedProperties');
  const spot = keyword?.spot ?? shape.spot;
  const schema =
    isRecord(keyword?.value) && Object.keys(keyword.value).length > 0 ? Shape.of([keyword.spot]) : undefined;
  // An object without any description may have any member.
  const isBare = !keyword && shape.properties.size === 0 && !shape.find('patternProperties');
  const isOpen = isBare || keyword?.value === true || (isRecord(keyword?.value) && schema === undefined);
  const isClosed = keyword?.value === false && !shape.find('patternProperties');
  const kind = isClosed ? 'no others' : schema ? 'by a schema' : isOpen ? 'any others' : 'others unnamed';
  return { kind, isOpen, isClosed, schema, spot };
}

/** The schema of `patternProperties` for a name. */
export function patternFor({ shape }: Form, name: string): Shape | undefined {
  for (const { spot } of shape.all('patternProperties'))
    for (const [pattern, schema] of rawChildren(spot)) {
      try {
        if (new RegExp(pattern, 'u').test(name)) return Shape.of([schema]);
      } catch {
        // An invalid expression matches nothing.
      }
    }
  return undefined;
}
