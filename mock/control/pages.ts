import { type Contract, stringifyJson } from '#spec';
import type { Answer } from '../answer/exchange.ts';

/** The document that the mock was made from; no key is needed. */
export function controlPages(contract: Contract, basePath: string): ReadonlyMap<string, () => Answer> {
  const { document } = contract;
  const { text } = document.root.file;
  let json: string | undefined;
  const yamlPage = (): Answer => ({ status: 200, type: 'application/yaml', body: text });
  const jsonPage = (): Answer => {
    json ??= stringifyJson(document.root.value, 2);
    return { status: 200, type: 'application/json', body: json };
  };
  return new Map([
    ...['', basePath].flatMap((prefix): [string, () => Answer][] => [
      [`${prefix}/openapi.yaml`, yamlPage],
      [`${prefix}/openapi.json`, jsonPage],
    ]),
  ]);
}
