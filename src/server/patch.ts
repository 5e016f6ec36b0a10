/** A file before and after a change. */
export interface PatchedFile {
  /** Relative to where the patch is applied, `/` between its parts. */
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** A unified diff of text files, as `git apply` takes it: line ends, byte order marks and missing last line ends as they are. */
export async function unifiedPatch(files: readonly PatchedFile[]): Promise<string> {
  const { formatPatch, OMIT_HEADERS, structuredPatch } = await import('diff');
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return files
    .map(({ path, before, after }) => {
      const patch = structuredPatch(path, path, decoder.decode(before), decoder.decode(after), undefined, undefined, {
        context: 3,
      });
      const [from, to] = [quoted(`a/${path}`), quoted(`b/${path}`)];
      const header = `diff --git ${from} ${to}\n--- ${ended(from)}\n+++ ${ended(to)}\n`;
      return header + formatPatch(patch, OMIT_HEADERS);
    })
    .join('');
}

/** As git writes it: in quotes where a character would end the name. */
function quoted(name: string): string {
  return /["\\\p{Cc}]/u.test(name) ? JSON.stringify(name).replaceAll(/\\u00(..)/g, octal) : name;
}

function octal(_escape: string, hex: string): string {
  return `\\${Number.parseInt(hex, 16).toString(8).padStart(3, '0')}`;
}

/** git puts a tab behind a name with blanks, as other programs take what follows one for a time. */
function ended(name: string): string {
  return name.includes(' ') ? `${name}\t` : name;
}
