import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { toPointer } from '../json/json-pointer.ts';
import { isRecord } from '../json/json-type.ts';
import { DISCRIMINATOR, wrapError } from './branch-errors.ts';

export interface Choice {
  readonly property: string;
  /** By the values of the property; undefined for the schema that has the discriminator. */
  readonly checks: ReadonlyMap<string, (() => ValidateFunction) | undefined>;
  /** Whether any other value is wrong. */
  readonly complete: boolean;
}

/** What the discriminator names must fit; a branch is compiled for the first value that names it. */
export function addDiscriminatorKeyword(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: DISCRIMINATOR,
    errors: true,
    compile({ property, checks, complete }: Choice, holder: object) {
      // A schema that has this one in its `allOf` leads back here.
      const running = new WeakSet<object>();

      function errorsOf(value: object, context: Parameters<ValidateFunction>[1]): readonly ErrorObject[] {
        const name: unknown = Object.hasOwn(value, property)
          ? (value as Record<string, unknown>)[property]
          : undefined;
        if (typeof name !== 'string') return [];
        if (!checks.has(name)) {
          if (!complete) return [];
          const instancePath = (context?.instancePath ?? '') + toPointer([property]);
          const names = [...checks.keys()];
          return [
            {
              keyword: 'discriminator',
              instancePath,
              schemaPath: '',
              params: {},
              schema: names,
              parentSchema: holder,
              data: name,
            },
          ];
        }
        const check = checks.get(name)?.();
        return !check || check(value, context) ? [] : (check.errors ?? []);
      }

      const validate = (value: unknown, context?: Parameters<ValidateFunction>[1]): boolean => {
        if (!isRecord(value) || running.has(value)) return true;
        running.add(value);
        try {
          const errors = errorsOf(value, context);
          Object.assign(validate, { errors: errors.map((inner) => wrapError(inner, holder)) });
          return errors.length === 0;
        } finally {
          running.delete(value);
        }
      };
      return validate;
    },
  });
}
