import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OfferedRecord } from '../form/offered-records.ts';
import { EffectButtons } from '../scenarios/effects.ts';
import { access, mockUrl } from '../shell/access.ts';
import { admin } from '../shell/admin.ts';
import { onEvent } from '../shell/connection.ts';
import { contract } from '../shell/contract.ts';
import { button } from '../shell/controls.ts';
import { parseJson } from '../shell/exact-json.ts';
import { useAsked, useLoaded, useValue } from '../shell/value.ts';
import type { OperationSample } from '../wire.ts';
import { CodeSamples } from './code-panel.ts';
import { contentOf, type Operation, type ReferenceModel } from './model.ts';
import { type Draft, type Parameter, requestOf } from './request.ts';
import { BodyField, CredentialField, idsFor, laidOut, ParameterField } from './request-fields.ts';
import { type Received, ResponseView } from './response-view.ts';
import { sendRequest } from './send-request.ts';

/** Valid sample values from the mock; undefined until they are loaded. */
export function useSample(model: ReferenceModel, { id }: Operation): OperationSample | undefined {
  const query = { operation: id, document: model.view.name };
  const ask = () =>
    // Without samples, the form stays empty.
    admin<OperationSample>('reference-sample', { query }).catch(() => NO_SAMPLE);
  return useAsked<OperationSample | undefined>(undefined, ask, [model, id]);
}

const NO_SAMPLE: OperationSample = { parameters: {}, body: undefined, responses: {} };

interface TryItProps {
  readonly model: ReferenceModel;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly sample: OperationSample | undefined;
}

/** A prefilled form that sends a request to the page's session; its response, and the request as code. */
export function TryIt({ model, operation, parameters, sample }: TryItProps) {
  const { view } = model;
  const { basePath = view.basePath } = operation;
  const [edited, setEdited] = useState<Partial<Draft>>({});
  const [offered, loadOffered] = useLoaded<Readonly<Record<string, readonly OfferedRecord[]>>>({});
  const [received, setReceived] = useState<Received | undefined>(undefined);
  const [isSending, setSending] = useState(false);
  const sending = useRef<AbortController | undefined>(undefined);
  const served = useValue(contract);
  const types = Object.keys(contentOf(model, operation));
  const prefilled = prefill(operation, parameters, sample, offered, types);
  const draft: Draft = {
    ...prefilled,
    ...edited,
    parameters: { ...prefilled.parameters, ...edited.parameters },
  };

  // The ids of a nested collection depend on the chosen parent.
  const chosen = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ key }) => edited.parameters?.[key] ?? '');
  useEffect(() => {
    const load = () => loadOffered(idsFor(operation, edited.parameters ?? {})).catch(() => {});
    load();
    return onEvent(['records', 'state', 'reset'], load);
  }, [operation, chosen.join('\n')]);
  useEffect(() => () => sending.current?.abort(), []);

  const set = (key: string, text: string) =>
    setEdited((old) => ({ ...old, parameters: { ...old.parameters, [key]: text } }));
  const request = (base: string, key: string) => requestOf(model, operation, parameters, draft, base, key);
  const bodyProblem = problemOf(draft);
  const awaitsBody = sample === undefined && types.length > 0 && draft.body === '';
  const missing = parameters.filter(
    (parameter) => parameter.in === 'path' && (draft.parameters[parameter.key] ?? '') === '',
  );

  async function send(event: Event): Promise<void> {
    event.preventDefault();
    sending.current?.abort();
    const control = new AbortController();
    sending.current = control;
    setSending(true);
    setReceived(undefined);
    await sendRequest(request(basePath, view.key), control.signal, (part) => {
      if (!control.signal.aborted || sending.current === control) setReceived(part);
    });
    if (sending.current === control) setSending(false);
  }

  return h('aside', { class: 'try-it', 'aria-label': 'Try it' }, [
    h('form', { onSubmit: send, noValidate: true }, [
      h(
        'h3',
        {},
        'Try it',
        access().session !== '' && h('span', { class: 'chip' }, `session ${access().session}`),
      ),
      parameters.map((parameter) =>
        h(ParameterField, {
          key: parameter.key,
          model,
          parameter,
          value: draft.parameters[parameter.key] ?? '',
          hint: sample?.parameters[parameter.key],
          records: offered[parameter.name] ?? [],
          onInput: (text) => set(parameter.key, text),
        }),
      ),
      types.length > 0 &&
        h(BodyField, {
          model,
          draft,
          types,
          operation,
          sample,
          problem: bodyProblem,
          onInput: (body, type) => setEdited((old) => ({ ...old, body, type })),
        }),
      operation.security.length > 0 &&
        h(CredentialField, {
          operation,
          draft,
          onChoose: (credential) => setEdited((old) => ({ ...old, credential })),
        }),
      h('div', { class: 'toolbar' }, [
        h(
          'button',
          { class: 'button primary', type: 'submit', disabled: operation.method === 'TRACE' || awaitsBody },
          'Send',
        ),
        isSending && button('Stop', () => sending.current?.abort(), { class: 'small' }),
        missing.length > 0 &&
          h(
            'span',
            { class: 'problem' },
            `${missing.map(({ name }) => name).join(', ')} ${missing.length === 1 ? 'is' : 'are'} required`,
          ),
      ]),
    ]),
    served?.operations.some(({ id }) => id === operation.id) && h(EffectButtons, { operation: operation.id }),
    h(ResponseView, { received, operation, isSending, parameters: draft.parameters }),
    h(CodeSamples, { request: request(mockUrl(basePath), served?.key ?? view.key) }),
  ]);
}

/** The default request: required values, ids of existing records, a valid body. */
function prefill(
  operation: Operation,
  parameters: readonly Parameter[],
  sample: OperationSample | undefined,
  offered: Readonly<Record<string, readonly OfferedRecord[]>>,
  types: readonly string[],
): Draft {
  const texts = parameters
    .filter(({ required }) => required)
    .map(({ key, name, in: place }): [string, string] => {
      const record = place === 'path' ? offered[name]?.[0] : undefined;
      return [key, record?.id ?? sample?.parameters[key] ?? ''];
    });
  return {
    parameters: Object.fromEntries(texts),
    body: sample?.body ? laidOut(sample.body.text) : '',
    type: sample?.body?.type ?? types[0] ?? '',
    credential: operation.security.length > 0 ? 0 : -1,
  };
}

const isJson = (type: string) => /[/+]json\b/i.test(type);

function problemOf({ body, type }: Draft): string {
  if (body === '' || !isJson(type)) return '';
  try {
    parseJson(body);
    return '';
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : error}`;
  }
}
