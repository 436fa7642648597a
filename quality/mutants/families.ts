import { atelierSuspects } from './suspects/atelier.ts';
import { changes } from './suspects/changes.ts';
import { conditions } from './suspects/conditional.ts';
import { credentials } from './suspects/credentials.ts';
import { documents } from './suspects/documents.ts';
import { families } from './suspects/families.ts';
import { forms } from './suspects/forms.ts';
import { freightSuspects } from './suspects/freight.ts';
import { lists } from './suspects/lists.ts';
import { otherRecords, otherRefusals, otherWriters } from './suspects/other-pets.ts';
import { pages } from './suspects/pages.ts';
import { races } from './suspects/races.ts';
import { records } from './suspects/records.ts';
import { requestBodiesMutants } from './suspects/request-bodies.ts';
import { responses } from './suspects/responses.ts';
import { sequences } from './suspects/sequences.ts';
import { uniques } from './suspects/unique.ts';
import { values } from './suspects/values.ts';
import { wires } from './suspects/wire.ts';

/** Mutants and lookalikes by the subject of their faults or differences. The slowest families are first. */
export const FAMILIES = {
  ...races,
  ...sequences,
  ...wires,
  ...documents,
  ...atelierSuspects,
  ...freightSuspects,
  ...credentials,
  ...responses,
  ...pages,
  ...lists,
  ...records,
  'bodies of requests': [requestBodiesMutants, [...otherRecords, ...otherWriters, ...otherRefusals]],
  ...forms,
  ...changes,
  ...values,
  ...conditions,
  ...uniques,
  ...families,
} as const;

export const MUTANTS = Object.values(FAMILIES).flatMap(([mutants]) => mutants);
export const LOOKALIKES = Object.values(FAMILIES).flatMap(([, lookalikes]) => lookalikes);
