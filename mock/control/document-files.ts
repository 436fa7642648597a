import { type Contract, stringifyJson, writeYaml } from '#spec';
import type { ResponseContent } from '../http/exchange.ts';

/** The mocked document as YAML and JSON, by path; no key is needed. With overlays it has no text of its own. */
export function documentFiles(
  { document: { root } }: Contract,
  basePath: string,
): ReadonlyMap<string, () => ResponseContent> {
  let json: string | undefined;
  let overlaid: string | undefined;
  const toYaml = () => {
    if (!root.file.overlays) return root.file.text;
    overlaid ??= writeYaml(root.value);
    return overlaid;
  };
  const yaml = () => ({ status: 200, type: 'application/yaml', body: toYaml() });
  const toJson = () => {
    json ??= stringifyJson(root.value, 2);
    return { status: 200, type: 'application/json', body: json };
  };
  return new Map(
    ['', basePath].flatMap((prefix): [string, () => ResponseContent][] => [
      [`${prefix}/openapi.yaml`, yaml],
      [`${prefix}/openapi.json`, toJson],
    ]),
  );
}
