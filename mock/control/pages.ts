import { type Contract, stringifyJson } from '#spec';
import type { Answer } from '../answer/exchange.ts';

/** What the mock serves of its own: its health, and the document that it was made from. No key is needed. */
export function controlPages(contract: Contract, basePath: string): ReadonlyMap<string, () => Answer> {
  const { document, title, version } = contract;
  const { text } = document.root.file;
  let json: string | undefined;
  const yamlPage = (): Answer => ({ status: 200, type: 'application/yaml', body: text });
  const jsonPage = (): Answer => {
    json ??= stringifyJson(document.root.value, 2);
    return { status: 200, type: 'application/json', body: json };
  };
  const health = stringifyJson({ status: 'ok', document: { title, version } });
  const healthPage = (): Answer => ({ status: 200, type: 'application/json', body: health });
  return new Map([
    ...['', basePath].flatMap((prefix): [string, () => Answer][] => [
      [`${prefix}/openapi.yaml`, yamlPage],
      [`${prefix}/openapi.json`, jsonPage],
    ]),
    ['/__admin/health', healthPage],
  ]);
}
