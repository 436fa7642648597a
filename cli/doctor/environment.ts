import { accessSync, constants } from 'node:fs';
import { nearest } from '#spec';
import { OLDEST_NODE } from '#supported-node';
import { about, type Remark } from './remark.ts';

const ofNode = about('Node');

/** @param version as in `process.versions.node` */
export function examineNode(version: string): Remark {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  const needed = `Paddock needs ${OLDEST_NODE} or newer`;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    return ofNode.wrong(`${version}; ${needed}`, 'install a newer Node: https://nodejs.org/en/download');
  return ofNode.good(`${version}; ${needed}`);
}

const ofEnvironment = about('environment');

/** What of this process decides how its environment is read. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** The variables of all options. */
  readonly known: readonly string[];
  /** Node is set to obey the variables that name HTTP proxies. */
  readonly obeysProxies: boolean;
  /** The target is on another machine, so that HTTP proxies matter. */
  readonly isFar: boolean;
}

const PREFIX = 'PADDOCK_';
/** Followed by the name of a security scheme. */
const CREDENTIAL = 'PADDOCK_CREDENTIAL_';

/** Reports names of variables, and never their values: these may be secrets. */
export function examineEnvironment(surroundings: Surroundings): Remark[] {
  const { env, known } = surroundings;
  const given = Object.keys(env).filter((name) => name.startsWith(PREFIX) && env[name] !== '');
  const isKnown = (name: string) =>
    known.includes(name) || (name.startsWith(CREDENTIAL) && name.length > CREDENTIAL.length);
  const unknown = given.filter((name) => !isKnown(name)).map((name) => remarkOn(name, known));
  const names = given.filter(isKnown);
  const set = ofEnvironment.good(names.length > 0 ? `${names.join(', ')}` : 'no variable of Paddock is set');
  return [set, ...unknown, ...proxyRemarks(surroundings), ...tlsRemarks(env)];
}

function remarkOn(name: string, known: readonly string[]): Remark {
  const other = nearest(name, known);
  return ofEnvironment.warning(
    `${name} is not the variable of any option`,
    other ? `did you mean ${other}?` : 'paddock help environment lists all',
  );
}

/** In the order in which Node looks (`NODE_USE_ENV_PROXY`). */
const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

function proxyRemarks({ env, obeysProxies, isFar }: Surroundings): Remark[] {
  const given = PROXIES.filter((name) => env[name]);
  if (given.length === 0) return [];
  const unusable = given.find((name) => !/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''));
  if (unusable) return [ofEnvironment.warning(`${unusable} is no http(s) URL, and is ignored`)];
  const exceptions = env.no_proxy || env.NO_PROXY;
  const ways = given.map((name) => `${name} (${URL.parse(env[name] ?? '')?.host})`).join(', ');
  const except = exceptions ? `, except for ${exceptions}` : '';
  if (obeysProxies) return [ofEnvironment.good(`requests go through ${ways}${except}`)];
  if (!isFar) return [];
  return [ofEnvironment.warning(`${ways}: Node ignores it by default`, 'set NODE_USE_ENV_PROXY=1')];
}

function tlsRemarks({
  NODE_EXTRA_CA_CERTS: file,
  NODE_TLS_REJECT_UNAUTHORIZED: reject,
}: NodeJS.ProcessEnv): Remark[] {
  const open =
    reject === '0'
      ? [
          ofEnvironment.warning(
            'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate of any host is verified',
            'unset it',
          ),
        ]
      : [];
  return file && !isReadable(file)
    ? [
        ...open,
        ofEnvironment.warning(`NODE_EXTRA_CA_CERTS names ${file}, which cannot be read; Node ignores it`),
      ]
    : open;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
