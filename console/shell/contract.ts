import type { ContractView } from '../wire.ts';
import { admin } from './admin.ts';
import { onEvent, onOpen } from './connection.ts';
import { forgetSource } from './source-excerpt.ts';
import { createValue } from './value.ts';

/** The document that the mock serves; undefined until it is known. */
export const contract = createValue<ContractView | undefined>(undefined);

async function load(): Promise<void> {
  try {
    forgetSource();
    contract.set(await admin<ContractView>('contract'));
  } catch {
    // The connection says what is wrong, and loads again.
  }
}

onOpen(load);
onEvent('document', load);
