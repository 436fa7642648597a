import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../../testing/serve.ts';

/** What forty records of a schema have in a member, each once. */
async function valuesOf(schema: string, member: string): Promise<string[]> {
  const properties = { id: { type: 'integer' }, [member]: { type: 'string' } };
  const named = { type: 'object', required: [member], properties };
  const content = {
    'application/json': { schema: { type: 'array', items: { $ref: `#/components/schemas/${schema}` } } },
  };
  const paths = { '/records': { get: { responses: { 200: { description: 'Records', content } } } } };
  const document = documentOf(paths, { components: { schemas: { [schema]: named } } });
  const { body } = await ask(await serveText(document, { count: 40 }), 'GET /records');
  return [...new Set<string>(body.map((record: Record<string, unknown>) => String(record[member])))];
}

const GOODS = /Lamp|Chair|Kettle|Bookshelf|Jacket|Mug|Clock|Candlestick/;

const CASES: [schema: string, member: string, some: RegExp, none: RegExp][] = [
  ['Product', 'name', GOODS, /Bella|Max|Cat$/],
  ['Pet', 'name', /^\p{Lu}\p{Ll}+$/u, GOODS],
  ['PetType', 'name', /^(?:Cat|Dog|Hamster)$/, GOODS],
  ['Folder', 'name', /^(?:Invoices|Photos|Receipts)$/, GOODS],
  ['MenuItem', 'itemName', /Salad|Soup|Tofu|Pie|Pasta|Curry/, GOODS],
  ['OrderItem', 'productName', GOODS, /^OrderItem/],
  ['Owner', 'petName', /^\p{Lu}\p{Ll}+$/u, GOODS],
  ['InventoryTransaction', 'transactionType', /^(?:Purchase|Refund|Transfer)$/, /Premium|Deluxe/],
  ['Team', 'name', /Badgers|Falcons|Foxes|Otters/, GOODS],
];

test.each(CASES)('%s: %s is what such a thing is called', async (schema, member, some, none) => {
  const values = await valuesOf(schema, member);
  expect(values.filter((value) => some.test(value))).not.toEqual([]);
  expect(values.filter((value) => none.test(value))).toEqual([]);
});
