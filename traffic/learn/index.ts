/** The entry point of what learns a document of traffic (`#learn`). */
export { type Addition, learnDocument, type WriteOptions } from './learn-document.ts';
export {
  createLearner,
  LEFT_OUT,
  type LearnedTraffic,
  type Learner,
  type LearnOptions,
  type LeftOut,
} from './learn-traffic.ts';
export { writeYaml } from './write-yaml.ts';
