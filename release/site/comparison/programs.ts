import { join } from 'node:path';
import { ROOT } from '../places.ts';

/** How a program that evidence names is run: those of the clone, and those in a folder with the other tools. */
export function programs(folder?: string): ReadonlyMap<string, readonly string[]> {
  const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
  const inClone: [string, string[]][] = [
    ['paddock', [process.execPath, join(ROOT, 'cli/paddock.js')]],
    ['prism', [bin('prism')]],
    ['dredd', [bin('dredd')]],
  ];
  if (folder === undefined) return new Map(inClone);
  const modules = join(folder, 'node_modules');
  return new Map([
    ...inClone,
    ['mockoon-cli', [process.execPath, join(modules, '.bin/mockoon-cli')]],
    ['specmatic', ['java', '-jar', join(modules, 'specmatic/specmatic.jar')]],
    ['wiremock', ['java', '-jar', join(modules, `wiremock/build/wiremock-standalone-${WIREMOCK}.jar`)]],
    ['schemathesis', [join(folder, 'python/bin/schemathesis')]],
  ]);
}

/** Its file is named after it. */
const WIREMOCK = '3.13.2';

/** What the page says was measured. */
export const VERSIONS: Readonly<Record<string, string>> = {
  '@mockoon/cli': '9.9.0',
  specmatic: '2.55.1',
  wiremock: WIREMOCK,
  schemathesis: '4.32.5',
};
