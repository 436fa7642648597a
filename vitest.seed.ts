import fc from 'fast-check';

/** The gate does not depend on luck: generated values are the same each time. `SEED=7 npx vitest run` tries others. */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
