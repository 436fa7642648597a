import type { LoggedRequest } from '../../../mock/browser/index.ts';
import { element } from './element.ts';

/**
 * The header in which the mock reports violations in the response of a rule: `body.id must be an integer
 * (openapi.yaml:44); ...`.
 */
const VIOLATIONS = 'X-Paddock-Violation';

interface Remark {
  readonly text: string;
  readonly line: number | undefined;
}

/**
 * Shows a response, and the problems of the request or of the response itself.
 * @param goTo called with the line of the document that the reader selects
 * @returns the lines of the document that it mentions
 */
export async function showResponse(
  place: HTMLElement,
  answer: Response,
  logged: LoggedRequest | undefined,
  goTo: (line: number) => void,
): Promise<number[]> {
  const text = await answer.text();
  const refused = (logged?.violations ?? []).map(({ where, message, at }) =>
    remark(`${where} ${message}`, at),
  );
  const broken = (answer.headers.get(VIOLATIONS) ?? '')
    .split('; ')
    .filter((one) => one !== '')
    .map((one) => {
      const [, says = one, at] = /^(.*) \((.*)\)$/.exec(one) ?? [];
      return remark(says, at);
    });
  const remarks = [...refused, ...broken];
  const title = broken.length > 0 ? 'Finding: the response is not as documented' : 'Rejected, as documented';
  place.replaceChildren(
    element(
      'p',
      { class: 'live-status' },
      element('strong', { class: `status-${Math.trunc(answer.status / 100)}` }, String(answer.status)),
      ` ${answer.headers.get('content-type') ?? 'no body'}`,
    ),
    ...(remarks.length > 0
      ? [
          element(
            'div',
            { class: broken.length > 0 ? 'live-remarks finding' : 'live-remarks' },
            element('h3', {}, title),
            element('ul', {}, ...remarks.map((one) => element('li', {}, ...showRemark(one, goTo)))),
          ),
        ]
      : []),
    element('pre', { tabindex: '0', 'aria-label': 'Body of the response' }, inLines(text)),
  );
  return remarks.flatMap(({ line }) => line ?? []);
}

function remark(text: string, at: string | undefined): Remark {
  const line = /:(\d+)/.exec(at ?? '')?.[1];
  return { text, line: line === undefined ? undefined : Number(line) };
}

function showRemark({ text, line }: Remark, goTo: (line: number) => void): (string | Node)[] {
  if (line === undefined) return [text];
  const button = element('button', { type: 'button' }, `line ${line}`);
  button.addEventListener('click', () => goTo(line));
  return [`${text} `, button];
}

/** Formats JSON in lines; a list has a line for each record. */
function inLines(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return JSON.stringify(value, undefined, 2);
    return `[\n${value.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]`;
  } catch {
    return text;
  }
}
