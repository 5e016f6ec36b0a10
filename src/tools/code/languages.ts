/** Extensions, and names of files without one (in capitals at the start), by language. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bazel: 'bazel bzl BUILD WORKSPACE',
  c: 'c h',
  clojure: 'clj cljs cljc edn',
  cmake: 'cmake CMakeLists.txt',
  cpp: 'cpp cc cxx hpp hh hxx h ipp',
  csharp: 'cs csx',
  css: 'css scss sass less',
  dart: 'dart',
  docker: 'dockerfile Dockerfile Containerfile',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  fsharp: 'fs fsx fsi',
  go: 'go',
  graphql: 'graphql gql',
  groovy: 'groovy gradle Jenkinsfile',
  haskell: 'hs lhs',
  html: 'html htm',
  java: 'java',
  javascript: 'js jsx mjs cjs',
  json: 'json jsonc json5',
  julia: 'jl',
  kotlin: 'kt kts',
  lua: 'lua',
  make: 'mk Makefile GNUmakefile',
  markdown: 'md mdx markdown',
  nix: 'nix',
  objectivec: 'm mm',
  ocaml: 'ml mli',
  perl: 'pl pm',
  php: 'php',
  protobuf: 'proto',
  python: 'py pyi pyx',
  r: 'r R rmd',
  ruby: 'rb rake Gemfile Rakefile',
  rust: 'rs',
  scala: 'scala sc',
  shell: 'sh bash zsh ksh fish',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  terraform: 'tf tfvars hcl',
  toml: 'toml',
  typescript: 'ts tsx mts cts',
  vue: 'vue',
  xml: 'xml xsd xsl',
  yaml: 'yaml yml',
  zig: 'zig',
};

/** Names that people use for the same. */
const ALIASES: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  'c++': 'cpp',
  'f#': 'fsharp',
  'objective-c': 'objectivec',
  bash: 'shell',
  dockerfile: 'docker',
  golang: 'go',
  makefile: 'make',
  node: 'javascript',
  proto: 'protobuf',
};

/** Names of all languages, in order. */
export const LANGUAGE_NAMES: readonly string[] = Object.keys(LANGUAGES);

/** Which files are of a language. */
export interface LanguageFiles {
  /** Pathspecs of git. */
  readonly pathspecs: readonly string[];
  readonly includes: (path: string) => boolean;
}

/** The files of a language by its name, in any case, or by one of its extensions; undefined where nobody knows it. */
export function languageFiles(name: string): LanguageFiles | undefined {
  const word = name.trim().toLowerCase().replace(/^\./, '');
  const key = ALIASES[word] ?? word;
  const parts = (Object.hasOwn(LANGUAGES, key) ? LANGUAGES[key] : byExtension(word))?.split(' ');
  if (parts === undefined) return undefined;
  const files = parts.filter((part) => /^[A-Z]./.test(part));
  const extensions = parts.filter((part) => !files.includes(part)).map((part) => `.${part}`);
  return {
    pathspecs: [
      ...extensions.map((extension) => `:(glob)**/*${extension}`),
      ...files.map((file) => `:(glob)**/${file}`),
    ],
    includes: (path) =>
      extensions.some((extension) => path.endsWith(extension)) || files.includes(path.slice(path.lastIndexOf('/') + 1)),
  };
}

function byExtension(extension: string): string | undefined {
  return Object.values(LANGUAGES).find((parts) => parts.split(' ').includes(extension));
}
