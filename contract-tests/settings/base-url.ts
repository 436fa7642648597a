/**
 * Which base URL to try, where the one that was given leads to something else than the service.
 * @param serverPaths the paths of the document's servers, without a slash at the end
 */
export function baseUrlHint({ origin, pathname }: URL, serverPaths: readonly string[]): string {
  const path = pathname.replace(/\/+$/, '');
  const others = [...new Set(serverPaths)].filter((one) => one !== path);
  const [server] = others;
  if (server === undefined)
    return `the base URL ends with the document's server path ${path || '/'}, so look at its host and port`;
  const doubled = others.find((one) => one !== '' && path.endsWith(one + one));
  const isWithin = others.find((one) => one !== '' && path.endsWith(one));
  const tries =
    doubled !== undefined
      ? [path.slice(0, -doubled.length)]
      : isWithin !== undefined
        ? [isWithin]
        : [...others, ...(path === '' || server === '' ? [] : [path + server])];
  const urls = [...new Set(tries)].map((one) => origin + one).join(' or ');
  const known = others.map((one) => one || '/').join(', ');
  return `the document's server path is ${known}: try ${urls}`;
}
