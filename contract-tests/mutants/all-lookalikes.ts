import { otherServices } from './lookalikes/other-documents.ts';
import {
  otherCategories,
  otherIds,
  otherMembers,
  otherOrders,
  otherStocks,
  otherWriters,
} from './lookalikes/records.ts';
import { otherDoors, otherQueries, stricterBodies } from './lookalikes/refusals.ts';
import { otherBytes, otherConnections, otherEnvironments } from './lookalikes/wire.ts';
import type { Lookalike } from './suspect.ts';

/** Every lookalike; those that take longest come first. */
export const LOOKALIKES: readonly Lookalike[] = [
  ...otherEnvironments,
  ...otherConnections,
  ...otherWriters,
  ...otherIds,
  ...otherOrders,
  ...otherStocks,
  ...otherMembers,
  ...otherCategories,
  ...stricterBodies,
  ...otherQueries,
  ...otherDoors,
  ...otherBytes,
  ...otherServices,
];
