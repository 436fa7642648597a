import { expect, test } from 'vitest';
import { compileMask } from './mask.ts';
import { maskHeader, maskText, maskUrl, maskUrls } from './mask-text.ts';

test('of a query the secret values are masked, and those that are named', () => {
  const target = '/a?limit=2&access%5Ftoken=abc%20d&empty&key=k1&api_key=#top';
  expect(maskUrl(target, '***')).toBe('/a?limit=2&access%5Ftoken=***&empty&key=k1&api_key=***#top');
  expect(maskUrl('/a?k%65y=k1&token=t', '***', (name) => name === 'key')).toBe('/a?k%65y=***&token=t');
  expect(maskUrl('/token=abc', '***')).toBe('/token=abc');
});

test.for([
  ['Authorization', 'Bearer abc.def', 'Bearer ***'],
  ['Authorization', 'Digest username="ann", response="f00"', 'Digest ***'],
  ['Authorization', 'abc', '***'],
  ['Authorization', 'hunter2 abc', '***'],
  ['X-Api-Key', 'Bearer abc', '***'],
  ['X-Api-Key', 'abc\tdef', '***'],
  ['X-Api-Key', '', ''],
  ['Cookie', 'a=1; session=x=y', 'a=***; session=***'],
  ['cookie', 'bare', '***'],
  ['Location', '/a?token=abc&b=1', '/a?token=***&b=1'],
  ['Link', '</a?token=abc>; rel="next", </b>', '</a?token=***>; rel="next", </b>'],
  ['Location', 'https://app.example/cb?code=abc&lang=de', 'https://app.example/cb?code=***&lang=de'],
  ['Location', '/cb#id_token=abc&state=s', '/cb#id_token=***&state=s'],
  ['Location', 'https://ann:pw@host/a', 'https://ann:***@host/a'],
  ['Refresh', '5; url=/a?token=abc', '5; url=/a?token=***'],
  ['X-Tenant', 'acme', 'acme'],
  ['Set-Cookie', 'sid=abc=; Path=/; HttpOnly', 'sid=***; Path=/; HttpOnly'],
] as const)('%s: %s is shown as %s', ([name, value, shown]) => {
  expect(maskHeader(name, value, '***')).toBe(shown);
});

test.for<[target: string, shown: string]>([
  ['/a?email[]=x&filter[email]=y&sort[name]=z', '/a?email[]=***&filter[email]=***&sort[name]=z'],
  ['/a?owner%5Bemail%5D=x', '/a?owner%5Bemail%5D=***'],
  ['/a?where={"email":"x","n":1}', `/a?where=${encodeURIComponent('{"email":"***","n":1}')}`],
  ['/cb?code=abc&state=xyz', '/cb?code=***&state=xyz'],
  ['/countries?code=de', '/countries?code=de'],
])('the target %s is shown as %s', ([target, shown]) => {
  expect(maskUrl(target, '***', (name) => name === 'email')).toBe(shown);
});

test('URLs within a text are shown without what is secret of them', () => {
  const text =
    'cannot read "https://ann:pw@host/a?token=t&n=1", https://host/a?token=t:1:7: no, nor postgres://ann:p@127.0.0.1:5432/x: no';
  expect(maskUrls(text)).toBe(
    'cannot read "https://ann:***@host/a?token=***&n=1", https://host/a?token=***:1:7: no, nor postgres://ann:***@127.0.0.1:5432/x: no',
  );
});

const part = (name: string, head: string, body: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${body}\r\n`;
const END = '--b--\r\n';
const JSON_PART = '\r\nContent-Type: application/json';

test.for<[type: string, text: string, mask: string, shown: string]>([
  ['application/json', '{"a":{"email":"x"},"n":1}', 'email', '{"a":{"email":"*"},"n":1}'],
  ['application/json', '{"n": 1}', 'email', '{"n": 1}'],
  ['application/json', '{"email":"cut of', 'email', '{"email":"*"'],
  ['application/x-ndjson', '{"email":{"at":"x"}}\n{"n":1}\n', 'email', '{"email":{"at":"*"}}\n{"n":1}\n'],
  ['text/event-stream', 'id: 1\ndata: {"email":"x"}\n\n', 'email', 'id: 1\ndata: {"email":"*"}\n\n'],
  ['application/x-www-form-urlencoded', 'email[]=x&n=1', 'email', 'email[]=*&n=1'],
  ['application/x-www-form-urlencoded', 'owner[email]=x&email=y', '/owner/email', 'owner[email]=*&email=y'],
  ['application/x-www-form-urlencoded', 'owner[a][b]=x&owners=y', '/owner', 'owner[a][b]=*&owners=y'],
  ['multipart/form-data; boundary=b', part('email', '', 'x') + END, 'email', part('email', '', '*') + END],
  [
    'multipart/form-data; boundary=b',
    part('pet', JSON_PART, '{"email":"x","n":1}') + part('n', '', '1') + END,
    'email',
    part('pet', JSON_PART, '{"email":"*","n":1}') + part('n', '', '1') + END,
  ],
  [
    'multipart/form-data; boundary=b',
    part('pet', JSON_PART, '{"email":"x","n":1}') + END,
    '/pet/email',
    part('pet', JSON_PART, '{"email":"*","n":1}') + END,
  ],
  [
    'application/xml',
    '<a><email at="1"><b>x</b></email><c>y</c></a>',
    'email',
    '<a><email at="1"><b>*</b></email><c>y</c></a>',
  ],
  [
    'application/xml',
    '<a><s:email><![CDATA[x]]></s:email><b email="x"/></a>',
    'email',
    '<a><s:email>*</s:email><b email="*"/></a>',
  ],
])('%s: %s without %s', ([type, text, mask, shown]) => {
  expect(maskText(text, type, { mask: compileMask([mask]), replace: () => '*' })).toBe(shown);
});
