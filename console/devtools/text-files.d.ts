/** Style sheets and pictures are bundled as texts. */
declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how bundlers give a text
  export default text;
}
declare module '*.svg' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how bundlers give a text
  export default text;
}
