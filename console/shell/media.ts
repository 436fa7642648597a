import { createValue } from './value.ts';

const query = matchMedia('(max-width: 720px)');

/** Whether the window is as narrow as that of a telephone, the same as in the style sheets. */
export const isNarrow = createValue(query.matches);
query.addEventListener('change', () => isNarrow.set(query.matches));
