/**
 * Instance equality of JSON Schema (2020-12 core §4.2.2): objects without order, numbers by value.
 * Numbers must be in the canonical form that `parseJson` returns.
 */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const others = right as Record<string, unknown>;
  const members = Object.entries(left);
  return (
    members.length === Object.keys(right).length &&
    members.every(([key, value]) => Object.hasOwn(right, key) && isEqual(value, others[key]))
  );
}
