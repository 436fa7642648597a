import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../testing/free-port.ts';
import { call, read, servedDocument, until } from '../client.ts';
import type { Service } from '../service.ts';
import { rowLines } from '../state.ts';

const START = '2024-05-01T10:00:00Z';
const END = '2024-05-01T10:00:02Z';

export const PHOENIX: Service = {
  name: 'phoenix',
  version: '20.26.1',
  stack: 'Python, from PyPI',
  packages: { pip: ['arize-phoenix==20.26.1'] },
  basePath: '',
  ready: '/readyz',
  async launch({ folder, installed, port }) {
    const home = join(folder, 'home');
    mkdirSync(home);
    return {
      command: [join(installed, 'venv/bin/phoenix'), 'serve'],
      env: {
        HOME: home,
        PHOENIX_WORKING_DIR: home,
        PHOENIX_HOST: '127.0.0.1',
        PHOENIX_PORT: String(port),
        PHOENIX_GRPC_PORT: String(await freePort()),
        PHOENIX_TELEMETRY_ENABLED: 'false',
        PHOENIX_ALLOW_EXTERNAL_RESOURCES: 'false',
      },
    };
  },
  async fill({ url }) {
    const post = (path: string, body: unknown) => call('POST', `${url}/v1/${path}`, body);
    await post('projects', { name: 'shop-assistant', description: 'answers customers' });
    await post('projects', { name: 'summaries' });
    const span = (index: number, parent?: number) => ({
      name: parent === undefined ? 'answer' : 'look up',
      context: { trace_id: 'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4', span_id: `1a2b3c4d5e6f7a8${index}` },
      span_kind: 'CHAIN',
      start_time: START,
      end_time: END,
      status_code: 'OK',
      attributes: { 'input.value': `question ${index}` },
      ...(parent === undefined ? {} : { parent_id: `1a2b3c4d5e6f7a8${parent}` }),
    });
    await post('projects/shop-assistant/spans', { data: [span(1), span(2, 1), span(3, 1)] });
    await until(30, 'storing the spans', async () => {
      const { data = [] } = await read(`${url}/v1/projects/shop-assistant/spans`);
      return data.length === 3;
    });
    await post('span_annotations', {
      data: [
        {
          span_id: '1a2b3c4d5e6f7a81',
          name: 'quality',
          annotator_kind: 'HUMAN',
          result: { label: 'good', score: 0.9 },
        },
      ],
    });
    await post('annotation_configs', {
      name: 'quality',
      type: 'CATEGORICAL',
      optimization_direction: 'MAXIMIZE',
      values: [
        { label: 'good', score: 1 },
        { label: 'bad', score: 0 },
      ],
    });
    const { data: uploaded } = await post('datasets/upload?sync=true', {
      action: 'create',
      name: 'questions',
      inputs: [{ question: 'Where is my parcel?' }, { question: 'May I return it?' }],
      outputs: [{ answer: 'On its way.' }, { answer: 'Yes.' }],
      metadata: [{}, { level: 2 }],
    });
    const { data: label } = await post('dataset_labels', { name: 'golden', color: '#00cc88' });
    await call('PUT', `${url}/v1/datasets/${uploaded.dataset_id}/labels/${label.id}`);
    await post(`datasets/${uploaded.dataset_id}/splits`, { name: 'train', color: '#33c5e8' });
    const { data: experiment } = await post(`datasets/${uploaded.dataset_id}/experiments`, {
      name: 'first try',
      metadata: { by: 'ann' },
    });
    const { data: examples } = await call('GET', `${url}/v1/datasets/${uploaded.dataset_id}/examples`);
    const { data: run } = await post(`experiments/${experiment.id}/runs`, {
      dataset_example_id: examples.examples[0].id,
      output: 'On its way.',
      repetition_number: 1,
      start_time: START,
      end_time: END,
    });
    await post('experiment_evaluations', {
      experiment_run_id: run.id,
      name: 'correct',
      annotator_kind: 'CODE',
      start_time: START,
      end_time: END,
      result: { score: 1 },
    });
    await post('prompts', {
      prompt: { name: 'greeting', description: 'how to begin' },
      version: {
        model_provider: 'OPENAI',
        model_name: 'gpt-4o',
        template_format: 'MUSTACHE',
        template_type: 'CHAT',
        template: { type: 'chat', messages: [{ role: 'user', content: 'Hello, {{name}}' }] },
        invocation_parameters: { type: 'openai', openai: { temperature: 0.2 } },
      },
    });
    for (const list of ['projects', 'datasets', 'prompts', 'annotation_configs', 'dataset_labels', 'users'])
      await call('GET', `${url}/v1/${list}`);
  },
  async state({ folder }) {
    return rowLines(join(folder, 'home/phoenix.db'));
  },
  document: (place) => servedDocument(place, `${place.url}/openapi.json`),
};
