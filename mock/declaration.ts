import type { Operation } from '#spec';
import type { ExplainedRole } from './explained-role.ts';

/** What to write in an overlay, or in the document itself, to declare the role of an operation. */
export interface Declaration {
  /** The target of an OpenAPI Overlay: `$.paths['/pets'].get`. */
  readonly target: string;
  /** `x-paddock-resource` and `x-paddock-action`, as they are inferred. */
  readonly update: Readonly<Record<string, string | false>>;
}

/** The declaration of what is inferred from schemas or not at all; undefined: the paths themselves say it. */
export function declarationOf(
  { method, path, declared }: Operation,
  explained: ExplainedRole | undefined,
): Declaration | undefined {
  if (declared.spot) return undefined;
  const target = `$.paths['${path.replace(/['\\]/g, '\\$&')}'].${method.toLowerCase()}`;
  if (!explained) return { target, update: { 'x-paddock-resource': false } };
  const { role, resource, further } = explained;
  if (role === 'singleton') return { target, update: { 'x-paddock-action': 'singleton' } };
  if (!further || further.sign === 'extension') return undefined;
  return { target, update: { 'x-paddock-resource': resource.path, 'x-paddock-action': role } };
}
