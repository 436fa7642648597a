import { OLDEST_NODE } from '#supported-node';
import { about, type Remark } from './remark.ts';

const { good, wrong } = about('Node');

/** @param version as in `process.versions.node` */
export function examineNode(version: string): Remark {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  const needed = `Paddock needs ${OLDEST_NODE} or newer`;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    return wrong(`${version}; ${needed}`, 'install a newer Node: https://nodejs.org/en/download');
  return good(`${version}; ${needed}`);
}
