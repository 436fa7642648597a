import { msw } from 'msw/vite';
import { defineConfig } from 'vite';

// The plugin serves mockServiceWorker.js, and puts it beside what is built.
export default defineConfig({ plugins: [msw({ mode: 'worker-only' })] });
