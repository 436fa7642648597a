/** How much of the traffic was judged, in numbers of exchanges. */
export interface Traffic {
  /** All that were seen. */
  readonly exchanges: number;
  /** Those held against the document. */
  readonly judged: number;
  /** Of the judged ones: those of whose request or response the body is not known whole. */
  readonly bodiesMissing: number;
  /** To another origin, or below another path prefix, than those of the service. */
  readonly elsewhere: number;
  /** To a path that the document does not have. */
  readonly unknownPaths: number;
  /** With a method that the document does not have for the path. */
  readonly unknownMethods: number;
  /** Without a response. */
  readonly withoutResponse: number;
  /** Answered by what stands before the service: overload, a gateway, an upgrade to https. */
  readonly byGateway: number;
  /** To an operation that is gone, as the document said it would be. */
  readonly removed: number;
  /** Of an origin that never answered as the service does. */
  readonly foreign: number;
  /** Left out by `only` or `skip`. */
  readonly leftOut: number;
  /** Distinct findings that were not kept, for want of room. */
  readonly findingsDropped: number;
}
