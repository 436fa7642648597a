import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { adminText, explainFailure } from '../shell/admin.ts';
import type { ReferenceView } from '../wire.ts';
import { parseDocument } from './exact-integers.ts';
import { nameControls } from './name-controls.ts';
import { showReference } from './swagger-ui.ts';

/** The served document, with "try it" on each operation. */
export function Reference() {
  const place = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const node = place.current as HTMLDivElement;
    const stop = nameControls(node);
    adminText('reference-document')
      .then((text) => showReference(node, parseDocument(text) as ReferenceView))
      .catch((error) => setProblem(explainFailure(error)));
    return stop;
  }, []);
  return h(
    'div',
    { class: 'reference' },
    h('p', { class: 'problem', role: 'alert' }, problem),
    h('div', { ref: place }),
  );
}
