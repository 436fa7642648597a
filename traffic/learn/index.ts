/** The entry point for learning a document from traffic (`#learn`). */
export { maskExchange } from './examples.ts';
export { judgeLearned } from './judge-learned.ts';
export { learnDocument, type WriteOptions } from './learn-document.ts';
export { type LearnedOverlay, learnOverlay } from './learn-overlay.ts';
export {
  createLearner,
  LEFT_OUT,
  type LearnedTraffic,
  type Learner,
  type LearnOptions,
  type LeftOut,
} from './learn-traffic.ts';
export type { OverlayChange } from './overlay-change.ts';
export { readLog } from './read-log.ts';
