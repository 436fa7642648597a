import { fileURLToPath } from 'node:url';

/** A document with records that are listed, made, read, changed and removed. */
export const ORDERS = fileURLToPath(new URL('orders.yaml', import.meta.url));
