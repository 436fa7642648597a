/** An animal as the shop stores it. Faults may put any value in a member, so readers see `unknown`. */
export interface Pet extends Record<string, unknown> {
  id: unknown;
  name: unknown;
  categoryId: unknown;
  status?: unknown;
}

export const STATUSES = ['available', 'pending', 'sold'] as const;

const NAMES = ['Juniper', 'Moss', 'Biscuit', 'Åsa', 'Sir Barks', 'Noor', '小花'];

/** The initial animals: a few with each status, some without one. */
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
