import { h, render } from 'preact';
import { keepConnected } from '../shell/connection.ts';
import { readExactly } from './exact-integers.ts';
import { ReferenceApp } from './reference-app.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');
const showScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', showScheme);
showScheme();
readExactly();
render(h(ReferenceApp, {}), document.getElementById('console') as HTMLElement);
keepConnected();
