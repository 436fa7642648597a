import type { Contract } from '#spec';

/** What follows from a contract, made with the first call for it. */
export function perContract<T>(make: (contract: Contract) => T): (contract: Contract) => T {
  const made = new WeakMap<Contract, { readonly value: T }>();
  return (contract) => {
    const known = made.get(contract) ?? { value: make(contract) };
    made.set(contract, known);
    return known.value;
  };
}
