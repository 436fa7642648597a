import { stringifyJson } from '../shell/exact-json.ts';
import type { RuleForm } from '../shell/rule.ts';

/** A rule as tests write it. */
export function ruleCode(rule: RuleForm): string {
  return `mock.addRule(${literal(rule, '')});`;
}

/** As a value of JavaScript: names without quotes where they need none, integers exact. */
function literal(value: unknown, margin: string): string {
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object'))
      return `[${value.map((item) => literal(item, '')).join(', ')}]`;
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join('')}${margin}]`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return textLiteral(value);
  if (value === null || typeof value !== 'object') return String(value);
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const text = members.map(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : propertyName(name);
    return `${inner}${key}: ${literal(member, inner)},\n`;
  });
  return `{\n${text.join('')}${margin}}`;
}

const propertyName = (name: string) => (name === '__proto__' ? '["__proto__"]' : textLiteral(name));

function textLiteral(text: string): string {
  const json = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${json}'`;
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
  const body = stringifyJson(rule).replaceAll("'", String.raw`'\''`);
  const key = !needsToken ? '' : ' -H "Authorization: Bearer $PADDOCK_ADMIN_TOKEN"';
  return `curl -X POST '${url.replaceAll("'", '%27')}'${key} -H 'Content-Type: application/json' -d '${body}'`;
}
