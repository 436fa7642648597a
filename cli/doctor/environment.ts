import { accessSync, constants } from 'node:fs';
import { nearest } from '#configuration';
import { about, type Remark } from './remark.ts';

const { good, warning } = about('environment');

/** What of this process decides how its environment is read. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** The variables of all options. */
  readonly known: readonly string[];
  /** Node was told to obey the variables that name HTTP proxies. */
  readonly obeysProxies: boolean;
  /** The target is on another machine, so that HTTP proxies matter. */
  readonly isFar: boolean;
}

const PREFIX = 'PADDOCK_';
/** Followed by the name of a security scheme. */
const CREDENTIAL = 'PADDOCK_CREDENTIAL_';

/** Tells names of variables, and never their values: these may be secrets. */
export function examineEnvironment(surroundings: Surroundings): Remark[] {
  const { env, known } = surroundings;
  const given = Object.keys(env).filter((name) => name.startsWith(PREFIX) && env[name] !== '');
  const isKnown = (name: string) =>
    known.includes(name) || (name.startsWith(CREDENTIAL) && name.length > CREDENTIAL.length);
  const unknown = given.filter((name) => !isKnown(name)).map((name) => remarkOn(name, known));
  const names = given.filter(isKnown);
  const set = good(names.length > 0 ? `${names.join(', ')}` : 'no variable of Paddock is set');
  return [set, ...unknown, ...proxyRemarks(surroundings), ...tlsRemarks(env)];
}

function remarkOn(name: string, known: readonly string[]): Remark {
  const other = nearest(name, known);
  return warning(
    `${name} is the variable of no option`,
    other ? `did you mean ${other}?` : 'paddock help environment lists all',
  );
}

/** In the order in which Node looks (`NODE_USE_ENV_PROXY`). */
const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

function proxyRemarks({ env, obeysProxies, isFar }: Surroundings): Remark[] {
  const given = PROXIES.filter((name) => env[name]);
  if (given.length === 0) return [];
  const unusable = given.find((name) => !/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''));
  if (unusable) return [warning(`${unusable} is no http(s) URL, and is ignored`)];
  const exceptions = env.no_proxy || env.NO_PROXY;
  const ways = given.map((name) => `${name} (${URL.parse(env[name] ?? '')?.host})`).join(', ');
  const except = exceptions ? `, except for ${exceptions}` : '';
  if (obeysProxies) return [good(`requests go through ${ways}${except}`)];
  if (!isFar) return [];
  return [warning(`${ways}: Node does not obey it unless it is told to`, 'set NODE_USE_ENV_PROXY=1')];
}

function tlsRemarks({
  NODE_EXTRA_CA_CERTS: file,
  NODE_TLS_REJECT_UNAUTHORIZED: reject,
}: NodeJS.ProcessEnv): Remark[] {
  const open =
    reject === '0'
      ? [warning('NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate of any host is verified', 'unset it')]
      : [];
  return file && !isReadable(file)
    ? [...open, warning(`NODE_EXTRA_CA_CERTS names ${file}, which cannot be read; Node ignores it`)]
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
