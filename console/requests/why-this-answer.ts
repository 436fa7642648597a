import { type ComponentChild, type ComponentChildren, Fragment, h } from 'preact';
import { MeaningFacts } from '../meaning/meaning-facts.ts';
import { DocumentLines } from '../shell/contract.ts';
import { durationOf } from '../shell/labels.ts';
import { linkTo } from '../shell/place.ts';
import { count } from '../shell/words.ts';
import type { LoggedRequest, Trace } from '../wire.ts';

interface StepProps {
  readonly title: string;
  readonly mood: 'good' | 'bad' | 'signal' | 'soft';
  readonly children?: ComponentChildren;
}

/** The steps of a request through the mock: the decision of each, and where to change it. */
export function WhyThisAnswer({ request }: { readonly request: LoggedRequest }) {
  const { trace } = request;
  return h('section', { class: 'why', 'aria-labelledby': 'why-title' }, [
    h('h4', { id: 'why-title' }, 'Why this answer'),
    h('ol', {}, [
      h(RouteStep, { trace, method: request.method }),
      h(CredentialStep, trace.credential),
      h(ValidationStep, trace.validated),
      h(AnswerStep, { trace }),
      h(AfterStep, { trace }),
    ]),
    request.operation !== undefined &&
      h(MeaningFacts, { key: request.operation, operation: request.operation }),
  ]);
}

function Step({ title, mood, children }: StepProps) {
  return h('li', { class: `why-step why-${mood}` }, [
    h('span', { class: 'why-name' }, title),
    h('div', { class: 'why-what' }, children),
  ]);
}

const note = (...children: ComponentChild[]) => h('p', { class: 'why-note' }, children);

function RouteStep({ trace: { route }, method }: { readonly trace: Trace; readonly method: string }) {
  const { operation, path, at, nearest = [] } = route;
  if (operation !== undefined)
    return h(Step, { title: 'Route', mood: 'good' }, [
      h('p', {}, h('strong', {}, operation), ' ', h('code', {}, `${method} ${path}`)),
      at !== undefined && h(DocumentLines, { places: [at] }),
    ]);
  const problem = path === undefined ? 'No path of the document matches.' : `${path} has no ${method}.`;
  return h(Step, { title: 'Route', mood: 'bad' }, [
    h('p', {}, problem),
    nearest.length > 0 &&
      note(
        path === undefined ? 'Nearest: ' : 'It has ',
        nearest.map((one, index) => [index > 0 && ', ', h('code', { key: one }, one)]),
      ),
    at !== undefined && h(DocumentLines, { places: [at] }),
  ]);
}

const CREDENTIAL: Readonly<Record<Trace['credential']['result'], string>> = {
  accepted: 'Accepted',
  refused: 'Rejected',
  'none needed': 'None needed',
  'not reached': 'Not checked',
  'not judged': 'Left to the real service',
};

function CredentialStep({ result, schemes = [], account, roles = [] }: Trace['credential']) {
  const mood = result === 'refused' ? 'bad' : result === 'accepted' ? 'good' : 'soft';
  return h(Step, { title: 'Credential', mood }, [
    h('p', {}, [
      CREDENTIAL[result],
      schemes.length > 0 && [' by ', h('code', {}, schemes.join(' + '))],
      account !== undefined && [', account ', h('strong', {}, account)],
      roles.length > 0 && ` (${roles.join(', ')})`,
    ]),
  ]);
}

function ValidationStep({ result, parts, errors }: Trace['validated']) {
  const texts: Readonly<Record<typeof result, string>> = {
    valid: parts.length === 0 ? 'Valid: nothing to validate' : 'Valid: ',
    invalid: `${count(errors, 'error')} in `,
    'not reached': 'Not validated',
    'not judged': 'Left to the real service',
  };
  const mood = result === 'valid' ? 'good' : result === 'invalid' ? 'bad' : 'soft';
  return h(Step, { title: 'Validated', mood }, [
    h('p', {}, [
      texts[result],
      parts.map((part, index) => [index > 0 && ', ', h('code', { key: part }, part)]),
    ]),
  ]);
}

function AnswerStep({ trace: { answered, nearMisses, steps } }: { readonly trace: Trace }) {
  const { by, because, rule, collection, record, selected, example, at } = answered;
  const isSignal = rule !== undefined || by === 'Prefer';
  const mood = by === 'refusal' ? 'bad' : isSignal ? 'signal' : 'good';
  // For a rejected request, `because` is a code and message: `invalid_request: body.name is required`.
  const [code, message] = by === 'refusal' ? splitAtColon(because) : ['', because];
  return h(Step, { title: 'Answered by', mood }, [
    h('p', {}, [
      h('strong', {}, ANSWERING[by] + (code === '' ? '' : `: ${code.replaceAll('_', ' ')}`)),
      collection !== undefined && [
        ' ',
        h('a', { href: linkTo('records', collection, ...(record === undefined ? [] : [record])) }, [
          record === undefined ? collection : `${collection}/${record}`,
        ]),
      ],
      example !== undefined && [' ', h('code', {}, example)],
    ]),
    selected !== undefined && h('p', {}, selected),
    by !== 'rule' && note(capital(message)),
    rule && h(RuleNote, { rule }),
    at !== undefined && h(DocumentLines, { places: [at] }),
    steps && note('Steps: ', steps.join(' > ')),
    nearMisses.length > 0 &&
      h('ul', { class: 'near-misses', 'aria-label': 'Rules that nearly applied' }, [
        nearMisses.map((miss) =>
          h('li', { key: miss.rule }, h(RuleLink, { id: miss.rule }), ' did not apply: ', miss.but),
        ),
      ]),
  ]);
}

const ANSWERING: Readonly<Record<Trace['answered']['by'], string>> = {
  record: 'Record',
  records: 'Records',
  example: 'Example',
  sample: 'A sample',
  rule: 'A rule',
  Prefer: 'The Prefer header',
  code: 'Your code',
  upstream: 'The real service',
  refusal: 'Rejected',
};

function splitAtColon(text: string): readonly [string, string] {
  const at = text.indexOf(': ');
  return [text.slice(0, at), text.slice(at + 2)];
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

function RuleLink({ id }: { readonly id: number }) {
  return h('a', { href: linkTo('scenarios', String(id)) }, `Rule ${id}`);
}

function RuleNote({ rule }: { readonly rule: NonNullable<Trace['answered']['rule']> }) {
  const { id, matched, did, used } = rule;
  const conditions = matched.length === 0 ? ['every request'] : matched;
  return h('div', { class: 'why-note' }, [
    h('p', {}, h(RuleLink, { id }), did.length > 0 && `: ${did.join(', ')}`, ` (use ${used})`),
    h('ul', { class: 'conditions', 'aria-label': 'Conditions that matched' }, [
      conditions.map((condition) => h('li', { key: condition }, h('code', {}, condition))),
    ]),
  ]);
}

function AfterStep({ trace }: { readonly trace: Trace }) {
  const { ignored, violations, latency, clock } = trace;
  const mood = violations.length > 0 ? 'bad' : ignored.length > 0 ? 'signal' : 'soft';
  return h(Step, { title: 'After', mood }, [
    ignored.map(({ where, why, at }) =>
      h(Fragment, { key: where }, [
        h('p', {}, h('strong', {}, 'Ignored'), ' ', h('code', {}, where), ': ', why),
        at !== undefined && h(DocumentLines, { places: [at] }),
      ]),
    ),
    violations.map((violation) =>
      h('p', { key: violation }, h('strong', {}, 'Against the document'), ': ', violation),
    ),
    h('p', { class: 'latency' }, latencyParts(latency)),
    clock !== undefined && h('p', {}, 'Clock of the session: ', h('a', { href: linkTo('scenarios') }, clock)),
  ]);
}

function latencyParts({ total, own: mock, session, rule, upstream }: Trace['latency']): ComponentChild[] {
  const parts = [
    ['mock', mock, undefined],
    ['latency of the session', session, linkTo('scenarios')],
    ['rule', rule, linkTo('scenarios')],
    ['real service', upstream, undefined],
  ] as const;
  const waited = parts.filter(([, ms]) => ms !== undefined);
  if (waited.length === 1) return [durationOf(total), ' in the mock'];
  return [
    `${durationOf(total)} = `,
    ...waited.flatMap(([name, ms = 0, href], index) => [
      index > 0 && ' + ',
      `${durationOf(ms)} `,
      href === undefined ? name : h('a', { href }, name),
    ]),
  ];
}
