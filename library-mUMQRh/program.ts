import { writeFile } from 'node:fs/promises';
import { check, renderHtml } from 'openapi-paddock/check';
import { createMock } from 'openapi-paddock/mock';

const mock = await createMock({ document: 'spec/openapi.yaml' });
const apiKey = 'paddock-dev-key';
for await (const event of check({ target: mock.url, document: 'spec/openapi.yaml', apiKey })) {
  if (event.type === 'case' && event.result.outcome === 'failed') console.log(event.result.case.title);
  if (event.type === 'finished') {
    await writeFile('report.html', renderHtml(event.report));
    console.log(event.report.verdict); // → holds
    process.exitCode = event.report.exitCode;
  }
}
await mock.close();
