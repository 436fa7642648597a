import { stringify } from 'yaml';

/** A document or an overlay as YAML; long texts stay on one line, and nothing is an alias. */
export function writeYaml(value: object): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0, singleQuote: true });
}
