import fc from 'fast-check';

/** Property tests are deterministic: the seed is fixed. `SEED=7 npm run test:unit` uses another one. */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
