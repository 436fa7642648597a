import type { ReportedFinding } from '#contract-tests';
import type { ObserveOptions } from '#observe';
import type { TargetOptions } from '#target';

/** What the laws are judged with; see {@link ObserveOptions}. */
type Judgement = Omit<ObserveOptions, 'baseUrls' | 'wholeHeaders'>;

/** The options of a proxy; `undefined` counts as absent. */
export interface ProxyOptions extends TargetOptions, Judgement {
  /** Path or http(s) URL of the OpenAPI document, YAML or JSON. */
  readonly document: string;
  /** What `$ref`s may name beyond the document's own folder or host. Default: nothing. */
  readonly allowRefs?: readonly string[] | undefined;
  /** Paths or URLs of OpenAPI Overlays. Default: none. */
  readonly overlays?: readonly string[] | undefined;
  /** Refuse a document for what it is otherwise read with a warning of. Default: false. */
  readonly strictDocument?: boolean | undefined;
  /** Port to listen on, 0 to 65,535; 0 takes a free one. Default: 4030. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Leave the header Host as the client sent it. Default: false, it names the target. */
  readonly keepHost?: boolean | undefined;
  /** Answer 502 in place of a response that breaks the document. Default: false. */
  readonly enforce?: boolean | undefined;
  /** Add the header Paddock-Finding to a response that breaks the document. Default: false. */
  readonly annotate?: boolean | undefined;
  /** Needed for `/__admin`. Default: none, and only clients on this machine are let in. */
  readonly adminToken?: string | undefined;
  /** Receives each finding when it is first seen. */
  readonly onFinding?: ((finding: ReportedFinding) => void) | undefined;
  /** Receives what else is to be told, such as that the target does not respond. */
  readonly notice?: ((text: string) => void) | undefined;
  /** Receives errors of Paddock itself. Default: they are thrown away. */
  readonly onBug?: ((error: unknown) => void) | undefined;
}
