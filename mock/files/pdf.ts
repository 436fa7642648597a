const LONGEST_LINE = 44;
const MOST_LINES = 20;

/** A document of one page (ISO 32000-1, A4) with a heading and a text below it. */
export function pdfOf(heading: string, text: string): Uint8Array<ArrayBuffer> {
  const lines = [
    ...linesOf(heading, LONGEST_LINE).map((line) => `/F1 20 Tf (${line}) Tj T*`),
    ...linesOf(text, LONGEST_LINE * 2).map((line) => `/F2 11 Tf (${line}) Tj T*`),
  ];
  const content = `BT 26 TL 64 760 Td\n${lines.join('\n')}\nET`;
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica-Bold'),
    font('Helvetica'),
    `<< /Title (${escaped(heading)}) >>`,
  ];
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const [index, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  const whole = `${file}${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`;
  return Uint8Array.from(whole, (character) => character.charCodeAt(0));
}

/** At words. */
function linesOf(text: string, most: number): string[] {
  const line = new RegExp(`\\S.{0,${most - 1}}(?=\\s|$)|\\S{1,${most}}`, 'gu');
  return [...text.matchAll(line)].slice(0, MOST_LINES).map(([words]) => escaped(words));
}

/** The built-in fonts have the characters of Western Europe only. */
function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e\xa1-\xff]/gu, '?').replace(/[()\\]/g, '\\$&');
}
