import { nearest } from './nearest.ts';
import type { Operation } from './operation.ts';

const MOST_SHOWN = 3;

/** The operations with paths most similar to one that the document does not have. */
export function nearestOperations(
  { method, path }: { readonly method: string; readonly path: string },
  operations: readonly Operation[],
  basePathOf = ({ basePaths }: Operation) => basePaths[0],
): readonly string[] {
  const sent = segmentsOf(path);
  const ranked = operations.flatMap((operation) => {
    const basePath = basePathOf(operation) ?? '';
    const whole = segmentsOf(basePath + operation.path);
    // A wrong or missing base path makes no difference.
    const distance = Math.min(
      distanceOf(sent, whole),
      basePath === '' ? Number.POSITIVE_INFINITY : distanceOf(sent, segmentsOf(operation.path)) + 0.25,
    );
    const most = Math.max(1, Math.floor(whole.length / 2));
    const isSame = method === operation.method;
    return distance > most ? [] : [{ operation, basePath, rank: distance + (isSame ? 0 : 0.1) }];
  });
  return ranked
    .sort((left, right) => left.rank - right.rank)
    .slice(0, MOST_SHOWN)
    .map(({ operation, basePath }) => `${operation.method} ${basePath}${operation.path}`);
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** The number of different segments; a misspelled one counts half. */
function distanceOf(sent: readonly string[], wanted: readonly string[]): number {
  const common = Math.min(sent.length, wanted.length);
  let distance = Math.abs(sent.length - wanted.length);
  for (let at = 0; at < common; at++) {
    const [segment = '', template = ''] = [sent[at], wanted[at]];
    if (segment === template) continue;
    if (template.includes('{')) distance += 0.05;
    else distance += nearest(segment, [template]) === undefined ? 1.5 : 0.5;
  }
  return distance;
}
