import { xmlText } from '../pictures/draw-picture.ts';
import type { Table } from './table.ts';
import { zipOf } from './zip.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A workbook with one sheet of texts (ECMA-376-1 §12): the least parts that programs open. */
export function xlsxOf(table: Table): Uint8Array<ArrayBuffer> {
  const rows = table.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
  const relation = (id: string, kind: string, target: string) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/></Relationships>`;
  const part = (name: string, kind: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${CONTENT}.${kind}+xml"/>`;
  return zipOf({
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook', 'sheet.main')}${part('sheet1', 'worksheet')}</Types>`,
    '_rels/.rels': relation('rId1', 'officeDocument', 'xl/workbook.xml'),
    'xl/_rels/workbook.xml.rels': relation('rId1', 'worksheet', 'sheet1.xml'),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="Sheet 1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/sheet1.xml': `${HEAD}<worksheet xmlns="${SHEET}"><sheetData>${rows}</sheetData></worksheet>`,
  });
}

function cell(text: string): string {
  return `<c t="inlineStr"><is><t>${xmlText(text)}</t></is></c>`;
}
