import { plainLines } from '../words.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML content and quoted attributes; line ends stay, other controls are shown. */
export function escapeHtml(text: string): string {
  return plainLines(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string);
}
