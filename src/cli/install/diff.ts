import { unifiedPatch } from '../../server/patch.ts';
import type { TextFormat } from './clients.ts';
import { secretsIn, withoutSecrets } from './secrets.ts';
import type { TextFile } from './text-file.ts';

/** A file that is to be written. */
export interface Edit {
  readonly file: TextFile;
  /** undefined where it is to be taken away. */
  readonly after: string | undefined;
  readonly format: TextFormat;
}

/** What would be written, as a unified diff to look at: secrets are covered, so it is none to apply. */
export async function diffOf(edits: readonly Edit[]): Promise<string> {
  const changed = edits.filter(({ file, after }) => file.text !== (after ?? ''));
  const secrets = changed.flatMap(({ file, after = '', format }) =>
    [file.text, after].flatMap((text) => secretsIn(format.read(text, file.path, []))),
  );
  return unifiedPatch(
    changed.map(({ file, after = '' }) => ({
      path: file.path.replaceAll('\\', '/').replace(/^\//, ''),
      before: Buffer.from(withoutSecrets(file.text, secrets)),
      after: Buffer.from(withoutSecrets(after, secrets)),
    })),
  );
}
