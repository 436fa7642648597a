import { atelierLookalikes } from './lookalikes/atelier.ts';
import { concurrencyLookalikes } from './lookalikes/concurrency.ts';
import { conditionalLookalikes } from './lookalikes/conditional.ts';
import { leftOpenLookalikes } from './lookalikes/left-open.ts';
import { nextPagesLookalikes } from './lookalikes/next-pages.ts';
import { otherBodiesLookalikes } from './lookalikes/other-bodies.ts';
import { otherDocumentsLookalikes } from './lookalikes/other-documents.ts';
import { pagesLookalikes } from './lookalikes/pages.ts';
import { queriesLookalikes } from './lookalikes/queries.ts';
import { recordsLookalikes } from './lookalikes/records.ts';
import { securityLookalikes } from './lookalikes/security.ts';
import { shelterLookalikes } from './lookalikes/shelter.ts';
import { uniqueLookalikes } from './lookalikes/unique.ts';
import { validationLookalikes } from './lookalikes/validation.ts';
import { valuesLookalikes } from './lookalikes/values.ts';
import { wireLookalikes } from './lookalikes/wire.ts';
import type { Lookalike } from './suspect.ts';

/** By family: what differs. Those that take longest come first. */
export const LOOKALIKE_FAMILIES: Readonly<Record<string, readonly Lookalike[]>> = {
  'requests at once': concurrencyLookalikes,
  'bytes, connections, environments': wireLookalikes,
  'records of a store': recordsLookalikes,
  validation: validationLookalikes,
  'documents of other forms': otherDocumentsLookalikes,
  'views and singletons': shelterLookalikes,
  'media types, forms, parts and texts': otherBodiesLookalikes,
  'what documents are silent on': leftOpenLookalikes,
  pages: pagesLookalikes,
  'null, read-only members and ids': valuesLookalikes,
  'pages that name the next one': nextPagesLookalikes,
  'order, bounds and search of lists': queriesLookalikes,
  'security schemes': securityLookalikes,
  'what names and words do not promise': atelierLookalikes,
  'versions and conditions': conditionalLookalikes,
  'values that no two records share': uniqueLookalikes,
};

export const LOOKALIKES: readonly Lookalike[] = Object.values(LOOKALIKE_FAMILIES).flat();
