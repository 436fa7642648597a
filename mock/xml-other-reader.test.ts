import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { BUILT_IN_KEY } from './index.ts';
import { ask, fixture, serve } from './testing/serve.ts';

/** The schemas of the fixture's plates in XML Schema. */
const XSD = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="https://plates.example/ns" targetNamespace="https://plates.example/ns">
  <xs:element name="plates">
    <xs:complexType><xs:sequence><xs:element ref="plate" minOccurs="0" maxOccurs="50"/></xs:sequence></xs:complexType>
  </xs:element>
  <xs:element name="plate">
    <xs:complexType>
      <xs:sequence>
        <xs:element name="title" type="xs:string"/>
        <xs:element name="serial" type="xs:long"/>
        <xs:element name="states">
          <xs:complexType><xs:sequence><xs:element name="state" type="xs:string" minOccurs="0" maxOccurs="5"/></xs:sequence></xs:complexType>
        </xs:element>
        <xs:element name="remark" type="xs:string" minOccurs="0" maxOccurs="3"/>
        <xs:element name="size" minOccurs="0">
          <xs:complexType><xs:attribute name="width" type="xs:int" use="required"/><xs:attribute name="height" type="xs:int" use="required"/></xs:complexType>
        </xs:element>
      </xs:sequence>
      <xs:attribute name="id" type="xs:long" use="required"/>
      <xs:attribute name="metal" use="required">
        <xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="copper"/><xs:enumeration value="zinc"/><xs:enumeration value="steel"/></xs:restriction></xs:simpleType>
      </xs:attribute>
    </xs:complexType>
  </xs:element>
</xs:schema>`;

/** As libxml2 reads it: valid by the schema, in canonical form. */
async function lint(contents: string) {
  const xml = [{ fileName: 'answer.xml', contents }];
  const { valid, errors, normalized } = await validateXML({ xml, schema: [XSD], normalization: 'c14n' });
  return { valid, errors: errors.map(({ message }) => message), normalized };
}

const KEY = { 'x-api-key': BUILT_IN_KEY };
const NS = 'xmlns:p="https://plates.example/ns"';
const TEXT = 'a &amp; b &lt;c&gt; ]]&gt; "é" 😀';
const PLATE = `metal="zinc"><title>${TEXT}</title><serial>9007199254740993</serial><states></states><remark>one</remark><size height="2" width="1"></size></p:plate>`;

test('what the mock writes is read by another reader as what was sent', async () => {
  const mock = await serve(fixture('plates.yaml'), { count: 0 });
  const made = await ask(mock, 'POST /plates', `<p:plate ${NS} ${PLATE}`, {
    ...KEY,
    'content-type': 'application/xml',
  });
  expect(made.status).toBe(201);
  const record = `id="1" ${PLATE}`;
  expect(await lint(made.text)).toEqual({
    valid: true,
    errors: [],
    normalized: expect.stringContaining(record),
  });
  const { text } = await ask(mock, 'GET /plates', undefined, KEY);
  expect(await lint(text)).toEqual({ valid: true, errors: [], normalized: expect.stringContaining(record) });
});

test('the other reader refuses what is no plate', async () => {
  const { valid, errors } = await lint(`<p:plate ${NS} ${PLATE}`);
  expect([valid, errors.join()]).toEqual([false, expect.stringContaining("attribute 'id' is required")]);
});

test('seeded records of every plate and list are valid by the other schema', async () => {
  const mock = await serve(fixture('plates.yaml'), { count: 20, seed: 7 });
  const texts = await Promise.all(
    ['', '/1', '/20'].map((path) => ask(mock, `GET /plates${path}`, undefined, KEY)),
  );
  for (const { text } of texts) expect(await lint(text)).toMatchObject({ valid: true, errors: [] });
});
