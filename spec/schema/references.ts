import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-type.ts';

/** Whether the document is OpenAPI 3.0, whose Schema Object is not JSON Schema 2020-12. */
export function isVersion30(spot: Spot): boolean {
  return isVersion(spot, '3.0');
}

/** @param version major and minor, such as `3.2` */
export function isVersion({ document }: Spot, version: string): boolean {
  const root = document.root.value;
  return isRecord(root) && String(root.openapi).startsWith(version);
}

/** OpenAPI 3.0 ignores the siblings of a `$ref`; in 3.1 (JSON Schema 2020-12) they count. */
export function siblingsIgnored(reference: Spot): boolean {
  return isVersion30(reference) || Object.keys(reference.value as object).length === 1;
}
