import { curlCode } from '../code/curl-code.ts';
import { scriptValue } from '../code/script-value.ts';
import { stringifyJson } from '../shell/exact-json.ts';
import type { RuleForm } from '../shell/rule.ts';

/** A rule as tests write it. */
export function ruleCode(rule: RuleForm): string {
  return `mock.addRule(${scriptValue(rule)});`;
}

/** A seed file with the rules. */
export function ruleYaml(rules: readonly RuleForm[]): string {
  return `rules:\n${rules.map((rule) => yamlItem(rule, '  ')).join('')}`;
}

function yamlItem(value: unknown, margin: string): string {
  const text = yaml(value, `${margin}  `);
  return `${margin}-${text.startsWith('\n') ? ` ${text.slice(1 + margin.length + 2)}` : ` ${text}`}\n`;
}

/** In block style; a text is one of JSON, which is YAML, unless it is plain. */
function yaml(value: unknown, margin: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `\n${value
      .map((item) => yamlItem(item, margin))
      .join('')
      .trimEnd()}`;
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value);
    if (members.length === 0) return '{}';
    const lines = members.map(([name, member]) => {
      const text = yaml(member, `${margin}  `);
      return `${margin}${scalar(name)}:${text.startsWith('\n') ? text : ` ${text}`}`;
    });
    return `\n${lines.join('\n')}`;
  }
  return typeof value === 'string' ? scalar(value) : stringifyJson(value);
}

const PLAIN = /^[A-Za-z/][\w/{}.-]*(?: [\w/{}.-]+)*$/;
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i;

const scalar = (text: string) => (PLAIN.test(text) && !WORDS.test(text) ? text : JSON.stringify(text));

/** A command that adds the rule; `url` is where rules are added. */
export function ruleCurl(rule: RuleForm, url: string, needsToken: boolean): string {
  const headers = [
    ...(needsToken ? [['Authorization', 'Bearer $PADDOCK_ADMIN_TOKEN'] as const] : []),
    ['Content-Type', 'application/json'] as const,
  ];
  return curlCode({ method: 'POST', url, headers, cookies: [], body: stringifyJson(rule) });
}
