import { openReports } from '../reports.ts';

/**
 * Writes a large JSON report again and again, each with another number in all its entries: `node write-reports.ts FILE
 * ENTRIES`.
 */
const [, , file, entries] = process.argv;
for (let number = 1; ; number++) {
  const [report] = await openReports([`json=${file}`], ['json']);
  const list = Array.from({ length: Number(entries) }, () => ({ number, text: 'x'.repeat(100) }));
  await report?.write(`${JSON.stringify({ number, list })}\n`);
  process.send?.(number);
}
