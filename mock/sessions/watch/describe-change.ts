import { type Contract, type Operation, type Problem, placeOf, showPlace } from '#spec';
import { compareContracts } from '#whole-document';
import type { ChangedOperation, NewChange } from '../document-changes.ts';

/** What a session is told of a document that is served in place of another one. */
export function describeChange(before: Contract, after: Contract): NewChange {
  const { added, removed, changed } = compareContracts(before, after);
  return {
    ...unchanged('changed', after),
    added: added.map((operation) => describe(operation)),
    removed: removed.map((operation) => describe(operation)),
    changed: changed.map(({ operation, parts }) => describe(operation, parts)),
  };
}

/** A document that is refused, or one that is again what is served. */
export function describeRefusal(served: Contract, problems: readonly Problem[]): NewChange {
  const kind = problems.length > 0 ? 'refused' : 'restored';
  return { ...unchanged(kind, served), problems: problems.map(withoutLongSource) };
}

/** A minified document has one line. */
const LONGEST_SOURCE = 300;

function withoutLongSource({ source = '', ...problem }: Problem): Problem {
  return source.length > LONGEST_SOURCE ? problem : { ...problem, source };
}

function unchanged(kind: NewChange['kind'], { title, version }: Contract): NewChange {
  return { kind, title, version, added: [], removed: [], changed: [], problems: [] };
}

function describe({ id, method, path, spot }: Operation, parts: readonly string[] = []): ChangedOperation {
  return { id, method, path, at: showPlace(placeOf(spot)), parts };
}
