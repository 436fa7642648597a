import { bodyPath, bodyShape, memberShape, type Operation, shapeAt } from '#spec';
import type { RecordCollection } from '../collection.ts';
import type { Members } from './writable-members.ts';

const SLUG = /^(?:slug|permalink)$/i;

/** Compiles the id of a record that is called after its title, where the service sets it: `hello-world`. Undefined: none is. */
export function compileSlug(
  operation: Operation,
  { resource }: RecordCollection,
): ((members: Members) => string | undefined) | undefined {
  const { id } = resource;
  if (!id || id.inner !== undefined || !SLUG.test(id.property) || id.shape.mainType !== 'string')
    return undefined;
  const body = shapeAt(bodyShape(operation), bodyPath(resource, operation));
  const member = body && memberShape(body, id.property);
  if (member && !member.readOnly) return undefined;
  return ({ title, name, headline }) => {
    const text = [title, name, headline].find((one) => typeof one === 'string');
    const slug = typeof text === 'string' ? slugged(text) : '';
    return slug !== '' && id.shape.patterns.every((pattern) => pattern.test(slug)) ? slug : undefined;
  };
}

function slugged(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
}
