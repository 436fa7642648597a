/** The public entry point `openapi-paddock/check`: the contract suite, and its rules for traffic of others. */
import '#supported-node';

export * from '#contract-tests';
export {
  createReplay,
  judgeTraffic,
  type ObservedFinding,
  type ObservedRequest,
  type ObserveOptions,
  type Observer,
  observe,
  type PendingExchange,
  type Replay,
  type Unjudged,
  type Use,
} from '#observe';
