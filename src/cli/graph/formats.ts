/** What `graph` can print, the default first. Apart from the command, which is loaded only when it runs. */
export const GRAPH_FORMATS = ['text', 'mermaid', 'dot', 'json', 'html'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

/** What a file's name says about its format. */
export const FORMAT_OF_EXTENSION: ReadonlyMap<string, GraphFormat> = new Map([
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.json', 'json'],
  ['.dot', 'dot'],
  ['.gv', 'dot'],
  ['.mmd', 'mermaid'],
  ['.mermaid', 'mermaid'],
]);
