import { h } from 'preact';
import type { ClientRequest } from '../code/client-request.ts';
import { CodeView } from '../shell/code-view.ts';
import { button } from '../shell/controls.ts';
import { copyText } from '../shell/messages.ts';
import { createValue, useValue } from '../shell/value.ts';
import { codeSamples } from './code-samples.ts';

/** Kept when another operation is opened. */
const language = createValue('curl');

/** The request as code, in the language chosen last. */
export function CodeSamples({ request }: { readonly request: ClientRequest }) {
  const chosen = useValue(language);
  const samples = codeSamples(request);
  const sample = samples.find(({ name }) => name === chosen) ?? samples[0];
  if (!sample) return null;
  return h('section', { class: 'code-samples', 'aria-label': 'Code' }, [
    h('div', { class: 'toolbar' }, [
      h('div', { class: 'toolbar', role: 'group', 'aria-label': 'Language' }, [
        samples.map(({ name }) =>
          button(name, () => language.set(name), { class: 'small', 'aria-pressed': name === sample.name }),
        ),
      ]),
      button('Copy', () => copyText(sample.code, `The request in ${sample.name}`), {
        class: 'small push',
        icon: 'copy',
      }),
    ]),
    h(CodeView, { text: sample.code, label: `The request in ${sample.name}`, language: sample.language }),
  ]);
}
