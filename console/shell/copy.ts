/** Puts a text on the clipboard; false: the browser does not let it. */
export async function copyText(text: string): Promise<boolean> {
  // Absent where the page comes over http from another machine.
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed: the old way may be.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
