import type { Credential, Operation } from '#spec';

type Schemes = Readonly<Record<string, Pick<Credential, 'kind' | 'in' | 'name'>>>;

/** Makes operations of which only the security requirements matter: alternatives of names of some schemes. */
export function needingOneOf<S extends Schemes>(schemes: S) {
  return (...security: readonly (readonly (keyof S & string)[])[]): Operation => {
    const requirements = security.map((all) => all.map((scheme) => ({ scheme, ...schemes[scheme] })));
    return { security: requirements } as unknown as Operation;
  };
}
