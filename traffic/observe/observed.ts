import { compileMask, type Mask, type Operation, type ReadRequest } from '#spec';
import type { LawName } from '../../contract-tests/laws/law.ts';
import type { Report, Traffic } from '../../contract-tests/report/report.ts';
import type { ReportedFinding } from '../../contract-tests/report/reported-finding.ts';
import type { Plan } from '../../contract-tests/run/run.ts';
import type { WireRequest, WireResponse } from '../../contract-tests/send/wire.ts';
import { type CheckOptions, SettingsError } from '../../contract-tests/settings/check-options.ts';
import { resolveSettings } from '../../contract-tests/settings/settings.ts';

/** What traffic is judged with; `undefined` counts as absent. */
export interface ObserveOptions {
  /**
   * Base URLs of the service (http or https), with the path prefix of its deployment: only requests below one of them are
   * judged. Default: any origin with the path prefix of one of the document's servers, or without one; where the document
   * names the origin of a server, with the path prefix of that server alone.
   */
  readonly baseUrls?: readonly string[] | undefined;
  /**
   * Whether nobody but the observed clients changes records of the service. What follows from several exchanges is a
   * finding then, and else a notice: another client may have changed the record. Default: false.
   */
  readonly exclusive?: boolean | undefined;
  /**
   * Whether requests have all with which they were sent. Exported traffic often lacks credentials and bodies: that a
   * request has none is no evidence then. Default: false.
   */
  readonly wholeHeaders?: boolean | undefined;
  /** Milliseconds for which a replica may lag behind a change: 0 to 600,000. Default: 2000. */
  readonly settle?: number | undefined;
  /** As in a check, of cells by their ids (`OPERATION/STATUS/traffic`). Default: all. */
  readonly only?: CheckOptions['only'];
  /** Path of a YAML or JSON list of findings that are accepted until a date. Default: none. */
  readonly known?: string | undefined;
  /** What decides the verdict, too; with `cells` it is `incomplete` where the traffic has not reached one. Default: none. */
  readonly strict?: CheckOptions['strict'];
  /** Receives what each request to the service uses of it; of those that {@link Observer.countAgain} counts nothing is new. */
  readonly onUse?: ((use: Use) => void) | undefined;
  /**
   * Names of members, parameters and headers, and JSON Pointers into bodies, whose values stand in no report and no message,
   * beside what is known to be secret. Default: none.
   */
  readonly mask?: readonly string[] | undefined;
}

/** What one request uses of a service. */
export interface Use {
  readonly operation: Operation;
  /** As the document reads it, defaults filled in. */
  readonly read: ReadRequest;
  readonly wire: Pick<WireRequest, 'url' | 'headers'>;
  /** A body was sent, and it is not known whole. */
  readonly bodyMissing: boolean;
  /** Undefined: no response came. */
  readonly status: number | undefined;
}

/** A request that somebody else has sent. */
export interface ObservedRequest {
  readonly method: string;
  readonly url: URL;
  /** In the order in which they were sent; a name may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Without transfer coding; undefined: it has none. */
  readonly body: Uint8Array | undefined;
  /** A body was sent, and it is not known, or not whole. Default: false. */
  readonly bodyMissing?: boolean;
  /** Milliseconds since the epoch; undefined: nobody knows. Requests begin in the order of this time. */
  readonly startedAt: number | undefined;
  /** It is counted and not judged, as far as that goes: it may change records all the same. Default: false. */
  readonly isSkipped?: boolean;
}

/** Why an exchange is not judged. */
export type Unjudged = Exclude<
  keyof Traffic,
  'exchanges' | 'judged' | 'bodiesMissing' | 'bodies' | 'bodiesJudged' | 'findingsDropped'
>;

/** Why a request is not as the document has it, without secrets. */
export interface RequestFault {
  readonly kind: 'invalid' | 'unknown path' | 'unknown method';
  /** Undefined: the document has none for it. */
  readonly operation: Operation | undefined;
  /** The same for requests that are wrong in the same way. */
  readonly key: string;
  /** Takes longer than to know the key: most faults come again and again. */
  readonly describe: () => {
    /** All that is wrong, for people, in one line. */
    readonly reason: string;
    /** File (or URL) and line of the document: of what is wrong first, or of what it has instead. */
    readonly at: string;
  };
}

/** A request that is under way. */
export interface PendingExchange {
  /** The operation of the document; undefined: it has none for the request, or the service is elsewhere. */
  readonly operation: Operation | undefined;
  /** Why the exchange will not be judged; undefined: it will, as far as the request is concerned. */
  readonly unjudged: Unjudged | undefined;
  /** What is wrong with the request by itself; undefined: nothing, or it is not one to the service. */
  readonly fault: () => RequestFault | undefined;
  /**
   * To be called once, with the response, or with undefined where none came or it broke off. A response whose body is not
   * known whole has `cut`.
   * @returns what the exchange breaks, credentials taken out
   */
  end(response: WireResponse | undefined): readonly ObservedFinding[];
}

/** A promise that one exchange breaks, as data, without credentials. */
export interface ObservedFinding {
  /** `OPERATION/STATUS/traffic`: what `known` names it by. */
  readonly caseId: string;
  readonly operationId: string;
  readonly status: number;
  readonly law: LawName;
  readonly received: string;
  readonly documented: string;
  /** File (or URL) and line of the document. */
  readonly at: string;
  /** False: it does not change the exit code, since its operation is unstable, or the finding known or an old one. */
  readonly gates: boolean;
  /** How many exchanges have shown it so far, with this one: 1 is the first. */
  readonly times: number;
}

/** Judges traffic that somebody else sends, in bounded memory. */
export interface Observer {
  /** To be called when a request is known whole, before its response has come. */
  begin(request: ObservedRequest): PendingExchange;
  /**
   * Counts an exchange in place of judging it: a safe one that has the same bytes as one that was judged and breaks nothing,
   * while no record can have changed.
   * @param ms milliseconds that the response took
   */
  countAgain(operation: Operation, status: number, ms: number): void;
  /** The distinct findings so far, in the order in which they were first seen. */
  readonly findings: readonly ReportedFinding[];
  /** How many exchanges there were so far, and why some of them were not judged. */
  readonly traffic: Traffic;
  /** The report on all exchanges that have ended; it can be asked for again and again. */
  report(): Report;
}

/** Stands for the target until one is known. */
const NOWHERE = 'http://localhost';

/**
 * The options of an observer, resolved once, with the settings that verdict and reports need, as of a run that sends nothing.
 * @throws SettingsError for an option that cannot be used
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
    // Entries of a file that is shared with "paddock check" are of other cases, unless they have a key.
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

/** The case of what traffic has shown of a cell: what `known` and `only` name it by. */
export function caseIdOf(operationId: string, status: number): string {
  return `${operationId}/${status}/traffic`;
}

/** What the parts of an observer share: there is no run that sends anything. */
export type ObservedRun = Pick<Plan, 'contract' | 'settings'>;
