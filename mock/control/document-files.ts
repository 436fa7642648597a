import { type Contract, stringifyJson } from '#spec';
import type { ResponseContent } from '../exchange/exchange.ts';

/** The mocked document as YAML and JSON, by path; no key is needed. */
export function documentFiles(
  { document: { root } }: Contract,
  basePath: string,
): ReadonlyMap<string, () => ResponseContent> {
  let json: string | undefined;
  const yaml = () => ({ status: 200, type: 'application/yaml', body: root.file.text });
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
