/** What has passed, and what became of it. */
export interface Counts {
  /** Requests that were sent to the target. */
  requests: number;
  /** Exchanges that were judged. */
  judged: number;
  /** Not judged: the document has no operation for them. */
  unknown: number;
  /** Not judged: the connection became one of another protocol, such as WebSocket. */
  upgraded: number;
  /** Not judged: a body is longer than what is kept of it. */
  tooLong: number;
  /** Not judged: traffic came faster than it could be judged. */
  overtaken: number;
  /** Not judged: the client went away before the response was whole. */
  abandoned: number;
  /** Answered 502: the target could not be reached, or did not respond with whole HTTP. */
  failed: number;
  /** Answered by the proxy itself: no HTTP, or a request for a tunnel. */
  refused: number;
}

export function createCounts(): Counts {
  return {
    requests: 0,
    judged: 0,
    unknown: 0,
    upgraded: 0,
    tooLong: 0,
    overtaken: 0,
    abandoned: 0,
    failed: 0,
    refused: 0,
  };
}
