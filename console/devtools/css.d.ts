/** Style sheets are bundled as texts. */
declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how bundlers give a text
  export default text;
}
