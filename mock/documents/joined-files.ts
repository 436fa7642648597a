import { stringifyJson, writeYaml } from '#spec';
import { documentFiles, type OwnFile } from '../control/document-files.ts';
import type { Part } from './join-contracts.ts';

/**
 * The documents: `/openapi/NAME.yaml` each, and `/openapi.yaml` below the base path of what is alone there. At the root that is
 * an index of them. All of them as JSON, too.
 */
export function joinedFiles(parts: readonly Part[]): ReadonlyMap<string, OwnFile> {
  const files = new Map<string, OwnFile>();
  const ends = ['yaml', 'json'] as const;
  for (const { contract, basePath, name } of parts) {
    const own = documentFiles(contract);
    const isAlone = basePath !== '' && parts.filter((one) => one.basePath === basePath).length === 1;
    for (const end of ends) {
      const file = own.get(`/openapi.${end}`) as OwnFile;
      files.set(`/openapi/${name}.${end}`, file);
      if (isAlone) files.set(`${basePath}/openapi.${end}`, file);
    }
  }
  const index = {
    documents: parts.map(({ name, contract: { title, version }, basePath, host }) => ({
      ...{ name, title, version, basePath },
      ...(host !== undefined && { host }),
      ...{ yaml: `/openapi/${name}.yaml`, json: `/openapi/${name}.json` },
    })),
  };
  files.set('/openapi.yaml', () => ({ status: 200, type: 'application/yaml', body: writeYaml(index) }));
  files.set('/openapi.json', () => ({
    status: 200,
    type: 'application/json',
    body: stringifyJson(index, 2),
  }));
  return files;
}
