import { type Contract, type Document, type Place, placeOf, rawChild, showPlace } from '#spec';
import { variableOf } from '../send/keyed-text.ts';
import type { Settings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

/**
 * The settings of a run of this document: each credential under the name that the document gives its scheme.
 * @throws SettingsError for a credential of a scheme that the document does not have
 */
export function withSchemes<Given extends Pick<Settings, 'credentials'>>(
  settings: Given,
  { securitySchemes, document }: Contract,
): Given {
  const named = Object.entries(settings.credentials).map(([name, credential]) => {
    const schemes = schemesOf(name, securitySchemes);
    if (schemes.length > 0) return schemes.map((scheme) => [scheme, credential] as const);
    const has = securitySchemes.length > 0 ? `it has ${securitySchemes.join(', ')}` : 'it has none';
    const at = showPlace(placeOfSchemes(document));
    throw new SettingsError(
      `option credentials: ${at} has no security scheme ${JSON.stringify(name)}; ${has}`,
      'credentials',
    );
  });
  // A credential under the very name comes before one under the name of a variable.
  const isExact = ([name]: readonly [string, string]) => securitySchemes.includes(name);
  const exact = Object.entries(settings.credentials).filter(isExact);
  return Object.freeze({ ...settings, credentials: Object.fromEntries([...named.flat(), ...exact]) });
}

/** Where the document has its security schemes, or could have them. */
function placeOfSchemes({ root }: Document): Place {
  const components = rawChild(root, 'components');
  return placeOf((components && rawChild(components, 'securitySchemes')) ?? components ?? root);
}

function schemesOf(name: string, schemes: readonly string[]): string[] {
  if (schemes.includes(name)) return [name];
  return schemes.filter((scheme) => variableOf(scheme) === `PADDOCK_CREDENTIAL_${name}`);
}
