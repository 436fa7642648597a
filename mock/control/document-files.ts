import { type Contract, isRecord, stringifyJson, writeYaml } from '#spec';
import { type MockRequest, originOf, type ResponseContent } from '../http/exchange.ts';
import { memoizeText } from '../http/memoize.ts';

/** A file that the mock serves beside the operations. */
export type OwnFile = (request: MockRequest) => ResponseContent;

/** Few texts are cached, since clients may use any host name, and documents may be large. */
const OF_ORIGINS = { most: 4, longest: 256 };

/**
 * The document by path, as its YAML source and as JSON with the mock as its first server; no key is needed. With overlays
 * there is no YAML source.
 */
export function documentFiles(contract: Contract): ReadonlyMap<string, OwnFile> {
  const { root } = contract.document;
  let overlaid: string | undefined;
  const toYaml = () => {
    if (!root.file.overlays) return root.file.text;
    overlaid ??= writeYaml(root.value);
    return overlaid;
  };
  const toJson = memoizeText((mock) => stringifyJson(withServer(contract, mock), 2), OF_ORIGINS);
  const yaml = () => ({ status: 200, type: 'application/yaml', body: toYaml() });
  const json: OwnFile = (request) => {
    const body = toJson(originOf(request) + (request.prefix ?? ''));
    return { status: 200, type: 'application/json', body };
  };
  return new Map(
    ['', ...contract.basePaths].flatMap((prefix): [string, OwnFile][] => [
      [`${prefix}/openapi.yaml`, yaml],
      [`${prefix}/openapi.json`, json],
    ]),
  );
}

/** The document with the mock before its servers, and before those of paths and operations. */
function withServer({ document: { root }, operations, basePaths, servers }: Contract, mock: string): unknown {
  const first = (paths: readonly string[]) => ({ url: mock + (paths[0] || '/') });
  let value = withFirst(root.value, [], first(basePaths), true);
  // A path's servers are those of its first operation without its own.
  const keys = new Set<string>();
  for (const operation of operations) {
    const { spot } = operation;
    if (operation.servers === servers || spot.file !== root.file) continue;
    const hasOwnServers = isRecord(spot.value) && hasServers(spot.value);
    const path = hasOwnServers ? spot.path : spot.path.slice(0, -1);
    const key = JSON.stringify(path);
    if (!keys.has(key)) value = withFirst(value, path, first(operation.basePaths), false);
    keys.add(key);
  }
  return value;
}

const hasServers = ({ servers }: Readonly<Record<string, unknown>>) =>
  Array.isArray(servers) && servers.length > 0;

/** A copy with the server in front, in the object at a path; without `always` only if that has servers. */
function withFirst(value: unknown, path: readonly string[], server: object, always: boolean): unknown {
  if (!isRecord(value)) return value;
  const [step, ...others] = path;
  if (step !== undefined) return { ...value, [step]: withFirst(value[step], others, server, always) };
  if (!hasServers(value)) return always ? { ...value, servers: [server] } : value;
  return { ...value, servers: [server, ...(value.servers as unknown[])] };
}
