/** An animal as the shop keeps it. Faults put anything else in a member, so readers see `unknown`. */
export interface Pet extends Record<string, unknown> {
  id: unknown;
  name: unknown;
  categoryId: unknown;
  status?: unknown;
}

export const STATUSES = ['available', 'pending', 'sold'] as const;

const NAMES = ['Juniper', 'Moss', 'Biscuit', 'Åsa', 'Sir Barks', 'Noor', '小花'];

/** What a shop begins with: a few animals of each status, some without one. */
export function stock(count: number): Pet[] {
  return Array.from({ length: count }, (_, index) => {
    const status = [...STATUSES, undefined][index % 4];
    return {
      id: BigInt(201 + index),
      name: `${NAMES[index % NAMES.length]} ${index + 1}`,
      categoryId: BigInt(1 + (index % 5)),
      ...(status === undefined ? {} : { status }),
    };
  });
}
