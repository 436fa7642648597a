import { compileMask, type Mask, type Operation, type ReadRequest } from '#spec';
import type { LawName } from '../../contract-tests/laws/law.ts';
import type { Report, Traffic } from '../../contract-tests/report/report.ts';
import type { ReportedFinding } from '../../contract-tests/report/reported-finding.ts';
import type { Plan } from '../../contract-tests/run/run.ts';
import type { WireRequest, WireResponse } from '../../contract-tests/send/wire.ts';
import { type CheckOptions, SettingsError } from '../../contract-tests/settings/check-options.ts';
import { resolveSettings } from '../../contract-tests/settings/settings.ts';

/** The options for judging traffic; `undefined` counts as absent. */
export interface ObserveOptions {
  /**
   * Base URLs of the service (http or https), including the path prefix: only requests below one of them are judged.
   * Default: any origin with the path prefix of one of the document's servers, or without one; an origin that the document
   * names, with that server's path prefix only.
   */
  readonly baseUrls?: readonly string[] | undefined;
  /**
   * Whether only the observed clients change records of the service. Conclusions from several exchanges are findings then,
   * and notices otherwise: another client may have changed the record. Default: false.
   */
  readonly exclusive?: boolean | undefined;
  /**
   * Whether requests are recorded completely. Exported traffic often lacks credentials and bodies: then their absence
   * proves nothing. Default: false.
   */
  readonly wholeHeaders?: boolean | undefined;
  /** Milliseconds for which a replica may lag behind a change: 0 to 600,000. Default: 2000. */
  readonly settle?: number | undefined;
  /** As in a check, for cells by their ids (`OPERATION/STATUS/traffic`). Default: all. */
  readonly only?: CheckOptions['only'];
  /** Path of a YAML or JSON list of findings that are waived until a date. Default: none. */
  readonly known?: string | undefined;
  /** What affects the verdict in addition to promises; `cells`: unreached ones make it `incomplete`. Default: none. */
  readonly strict?: CheckOptions['strict'];
  /** Receives what each request uses of the service; those of {@link Observer.countAgain} use nothing new. */
  readonly onUse?: ((use: Use) => void) | undefined;
  /**
   * Names of members, parameters and headers, and JSON Pointers into bodies, whose values appear in no report or message,
   * in addition to known secrets. Default: none.
   */
  readonly mask?: readonly string[] | undefined;
}

/** What one request uses of a service. */
export interface Use {
  readonly operation: Operation;
  /** Parsed by the document, with defaults. */
  readonly read: ReadRequest;
  readonly wire: Pick<WireRequest, 'url' | 'headers'>;
  /** Whether a body was sent that is not completely known. */
  readonly bodyMissing: boolean;
  /** Undefined: no response. */
  readonly status: number | undefined;
}

/** A request of another client. */
export interface ObservedRequest {
  readonly method: string;
  readonly url: URL;
  /** In the order of sending; a name may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Without transfer coding; undefined: it has none. */
  readonly body: Uint8Array | undefined;
  /** Whether a body was sent that is not known, or only in part. Default: false. */
  readonly bodyMissing?: boolean;
  /** Milliseconds since the epoch; undefined: unknown. Requests begin in the order of this time. */
  readonly startedAt: number | undefined;
  /** Whether to count it without judging it: it may still change records. Default: false. */
  readonly isSkipped?: boolean;
}

/** Why an exchange is not judged. */
export type Unjudged = Exclude<
  keyof Traffic,
  'exchanges' | 'judged' | 'bodiesMissing' | 'bodies' | 'bodiesJudged' | 'findingsDropped'
>;

/** Why a request violates the document, without secrets. */
export interface RequestFault {
  readonly kind: 'invalid' | 'unknown path' | 'unknown method';
  /** Undefined: the document has none for it. */
  readonly operation: Operation | undefined;
  /** Equal for requests with the same fault. */
  readonly key: string;
  /** Slower than computing the key, as most faults recur. */
  readonly describe: () => {
    /** Everything that is wrong, for people, in one line. */
    readonly reason: string;
    /** File (or URL) and line of the document: for the first fault, or for what is documented instead. */
    readonly at: string;
  };
}

/** A request in flight. */
export interface PendingExchange {
  /** The documented operation; undefined: none matches, or it goes to another service. */
  readonly operation: Operation | undefined;
  /** Why the exchange will not be judged; undefined: it will, as far as the request is concerned. */
  readonly unjudged: Unjudged | undefined;
  /** What is wrong with the request itself; undefined: nothing, or it goes to another service. */
  readonly fault: () => RequestFault | undefined;
  /**
   * Call it once with the response, or with undefined if there was none or it broke off. An incomplete response has `cut`.
   * @returns the findings of the exchange, without credentials
   */
  end(response: WireResponse | undefined): readonly ObservedFinding[];
}

/** A promise that one exchange breaks, as data, without credentials. */
export interface ObservedFinding {
  /** `OPERATION/STATUS/traffic`: its id in `known`. */
  readonly caseId: string;
  readonly operationId: string;
  readonly status: number;
  readonly law: LawName;
  readonly received: string;
  readonly documented: string;
  /** File (or URL) and line of the document. */
  readonly at: string;
  /** False: it does not change the exit code, since its operation is unstable, or the finding is known or old. */
  readonly gates: boolean;
  /** How many exchanges have shown it, including this one: 1 is the first. */
  readonly times: number;
}

/** Judges traffic of other clients, in bounded memory. */
export interface Observer {
  /** Call it when a request is complete, before its response arrives. */
  begin(request: ObservedRequest): PendingExchange;
  /**
   * Counts an exchange without judging it: a safe one with the same bytes as one that was judged and breaks nothing, while
   * no record can have changed.
   * @param ms the response time in milliseconds
   */
  countAgain(operation: Operation, status: number, ms: number): void;
  /** The distinct findings so far, in the order in which they first occurred. */
  readonly findings: readonly ReportedFinding[];
  /** The numbers of exchanges so far, and why some were not judged. */
  readonly traffic: Traffic;
  /** The report on all completed exchanges; it may be called repeatedly. */
  report(): Report;
}

/** Stands for the target until one is known. */
const NOWHERE = 'http://localhost';

/**
 * Resolves the options of an observer once, with the settings that verdict and reports need, as for a run that sends
 * nothing.
 * @throws SettingsError for an invalid option
 */
export function resolveObserveOptions(options: ObserveOptions, document: string) {
  const { baseUrls, exclusive = false, wholeHeaders = false, onUse, mask = [], ...others } = options;
  const urls = baseUrls?.map((target) => resolveSettings({ target, document, writes: true }).base);
  if (urls?.length === 0) throw new SettingsError('option baseUrls: it must name at least one', 'baseUrls');
  const [target = NOWHERE] = baseUrls ?? [];
  const settings = resolveSettings({ ...others, target, document, writes: true });
  return {
    baseUrls: urls,
    exclusive,
    wholeHeaders,
    onUse,
    mask: resolveMask(mask),
    settle: settings.settle,
    // Entries without a key, in a file that is shared with "paddock check", belong to other cases.
    settings: {
      ...settings,
      known: settings.known.filter(({ key, case: id }) => key !== undefined || id?.endsWith('/traffic')),
    },
  };
}

/** @throws SettingsError */
export function resolveMask(texts: readonly string[]): Mask {
  try {
    return compileMask(texts);
  } catch (error) {
    throw new SettingsError(`option mask: ${(error as Error).message}`, 'mask');
  }
}

/** The case id for a cell in traffic, as used in `known` and `only`. */
export function caseIdOf(operationId: string, status: number): string {
  return `${operationId}/${status}/traffic`;
}

/** What the parts of an observer share: there is no run that sends requests. */
export type ObservedRun = Pick<Plan, 'contract' | 'settings'>;
