import type { Credential, Operation } from '#spec';

type Schemes = Readonly<Record<string, Pick<Credential, 'kind' | 'in' | 'name'>>>;

/** Makes operations that have security requirements only: alternatives of scheme names. */
export function needingOneOf<S extends Schemes>(schemes: S) {
  return (...security: readonly (readonly (keyof S & string)[])[]): Operation => {
    const requirements = security.map((all) => all.map((scheme) => ({ scheme, ...schemes[scheme] })));
    return { security: requirements } as unknown as Operation;
  };
}
