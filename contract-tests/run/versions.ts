import { type Contract, conditionalOf, type Operation, SAFE_METHODS } from '#spec';
import { roleOf } from '../laws/operation-role.ts';
import { parentsOf } from '../laws/own-record.ts';
import { keyOf } from '../laws/record-model.ts';
import type { Condition, RequestInput } from '../send/plan-request.ts';
import { type Exchange, isSuccess } from '../send/response.ts';
import type { SentStep } from '../send/trail.ts';
import { headerOf } from '../send/wire.ts';

/** Whether requests of an operation are refused that have no condition. */
export function needsCondition(contract: Contract, operation: Operation): boolean {
  const { needsCondition, headers } = conditionalOf(contract, operation);
  return needsCondition?.certainty === 'promised' || headers['if-match']?.required === true;
}

/** What names any version; undefined: the header is said to have another form, a number say. */
export function anyVersion(contract: Contract, operation: Operation): string | undefined {
  const schema = conditionalOf(contract, operation).headers['if-match']?.schema;
  const violations = schema ? contract.validators.compile(schema, 'request')('*') : [];
  return violations.length === 0 ? '*' : undefined;
}

/** The entity tag of a record, and the request that it was shown to. */
export interface Version {
  /** Undefined: it cannot be named. */
  readonly tag: string | undefined;
  /** Undefined: any version is meant. */
  readonly shownTo: SentStep | undefined;
}

interface Known {
  /** As the paths of requests have it. */
  readonly id: string;
  readonly versions: Version[];
  /** Nothing has been sent since that may have changed the record. */
  isCurrent: boolean;
}

/** The versions of records, as far as one sender has been shown them. */
export class Versions {
  readonly #contract: Contract;
  readonly #records = new Map<string, Known>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Undefined: it was not shown, or what was sent since may have changed the record. */
  find(operation: Operation, { path }: RequestInput, version: Exclude<Condition, 'none'>['version']) {
    const known = this.#records.get(this.#keyOf(operation, path) ?? '');
    const last = known?.versions.at(-1);
    if (version === 'former') return known?.versions.findLast(({ tag }) => tag !== last?.tag);
    return known?.isCurrent ? last : undefined;
  }

  note({ operation, input, response }: Exchange, step: SentStep): void {
    const isSafe = SAFE_METHODS.has(operation.method);
    const ids = new Set(Object.values(input.path ?? {}).map(String));
    if (!isSafe) for (const known of this.#records.values()) if (ids.has(known.id)) known.isCurrent = false;
    const key = this.#keyOf(operation, input.path);
    const tag = headerOf(response, 'etag');
    if (key === undefined || tag === undefined || !isSuccess(response)) return;
    const id = String(input.path?.[roleOf(this.#contract, operation)?.resource.id?.parameter ?? '']);
    const known = this.#records.get(key) ?? { id, versions: [], isCurrent: true };
    known.versions.push({ tag, shownTo: step });
    known.isCurrent = true;
    this.#records.set(key, known);
  }

  /** Undefined: the operation does not read, replace or update one record. */
  #keyOf(operation: Operation, path: RequestInput['path']): string | undefined {
    const { resource, action } = roleOf(this.#contract, operation) ?? {};
    const parameter = resource?.id?.parameter;
    if (!resource || parameter === undefined || action === 'create' || action === 'list') return undefined;
    return keyOf(resource, path?.[parameter], parentsOf(resource, path));
  }
}
