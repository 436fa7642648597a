/** Where the file has an option from: `paddock.config.yaml:7:9`, by the name on the command line, `--port`. */
export type Places = Map<string, string>;

/** A message about an option, with the place in the file that it was given at. */
export function withPlace(message: string, places: Places): string {
  const [, flag = ''] = /^(--[a-z-]+)/.exec(message) ?? [];
  const place = places.get(flag);
  return place === undefined ? message : `${place}: ${message}`;
}
