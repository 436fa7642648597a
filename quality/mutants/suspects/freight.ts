import type { LawName } from '../../../contract-tests/laws/law.ts';
import { DIFFERENCES } from '../freight/differences.ts';
import { INPUT_FAULTS } from '../freight/input-faults.ts';
import { LISTS_FAULTS } from '../freight/lists-faults.ts';
import { company } from '../freight/primitives.ts';
import { RECORDS_FAULTS } from '../freight/records-faults.ts';
import { STATES_FAULTS } from '../freight/states-faults.ts';
import { lookalikes, mutants } from '../suspect.ts';

/** By line of what documents promise. */
const FREIGHT_FAULTS = [...INPUT_FAULTS, ...STATES_FAULTS, ...LISTS_FAULTS, ...RECORDS_FAULTS];

/** The law by which each is found; those that stand nowhere are not found yet. */
const FOUND: Partial<Record<LawName, string>> = {
  'error-pointer': 'pointer-other pointer-dotted',
  'head-as-get': 'head-other-tag',
  'shown-once': 'endpoint-secret-listed key-secret-read',
  action: 'no-delivered-at refused-changed pay-200-open',
  'apart-by-parent': 'parcel-of-other',
  'content-type': 'label-html invoice-json',
  'created-can-be-read': 'carrier-409-dropped',
  'created-equals-sent': 'metadata-lost',
  default: 'currency-default country-default service-default insured-default active-default fragile-default',
  'invalid-refused':
    'four-dimensions metadata-names metadata-values place-without-address place-without-depot_code ' +
    'locker-pin group-alone technical-alone no-duties place-without-locker_id service-names ' +
    'service-values no-dispatcher',
  'key-once': 'key-ignored key-ignored-invoice key-other-body key-other-made key-made-twice',
  numbers: 'total-lacks-line quote-total quote-insurance manifest-count',
  'page-default': 'limit-default',
  'read-as-put': 'text-trimmed text-cut text-lost photo-lost',
  status:
    'dispatch-draft book-cancelled book-twice deliver-booked cancel-delivered book-shown-only ' +
    'deliver-other update-booked delete-booked-204 key-409 shipment-any-carrier driver-any-carrier ' +
    'manifest-any manifest-first driver-500 carrier-dropped',
  'table-as-list': 'csv-short csv-order csv-unquoted csv-json',
  'unknown-id': 'parcel-removed-of-other',
  'whole-json': 'csv-type',
};
const lawsOf = (name: string) =>
  Object.entries(FOUND).flatMap(([law, names]) =>
    names.split(/\s+/).includes(name) ? [law as LawName] : [],
  );

export const freightSuspects = {
  'what companies document': [
    mutants(
      'freight',
      { ...company, options: { strict: ['presumed'] } },
      'status',
      FREIGHT_FAULTS.filter(([, name]) => lawsOf(name).length > 0).map(
        ([, name, says, fault]) => [name, says, lawsOf(name), fault] as const,
      ),
    ),
    lookalikes('freight', company, DIFFERENCES),
  ],
} as const;
