import type { Playbook, SourceFile } from '../model.ts';
import { decodeUtf8 } from './decode.ts';
import { MAX_FRONT_MATTER_BYTES, splitFrontMatter } from './fence.ts';
import { extraFields, readFields } from './schema.ts';
import { readYaml } from './yaml.ts';
import { contentDigest } from './digest.ts';
import { nameFromId } from './name-from-id.ts';

/** A file that was meant to be a playbook and cannot be served, as far as it can be read: for `lint`, which looks into it nevertheless. */
export interface BrokenPlaybook {
  /** Without a description; what cannot be read is empty. Its body is the whole text where no fence tells where it begins. */
  readonly playbook: Playbook;
  /** Whether its front matter could be read. */
  readonly hasFields: boolean;
}

/** Reads what there is of a file that `parsePlaybook` calls unreadable. */
export function readBroken(file: SourceFile): BrokenPlaybook {
  const { text } = decodeUtf8(file.bytes);
  const fence = splitFrontMatter(text);
  const closed = fence.kind === 'found' && fence.isClosed ? fence : undefined;
  const isShort = closed !== undefined && Buffer.byteLength(closed.frontMatter) <= MAX_FRONT_MATTER_BYTES;
  const yaml = isShort ? readYaml(closed.frontMatter) : undefined;
  const hasFields = yaml?.kind === 'read';
  const { fields } = readFields(hasFields ? yaml.text : {});
  const { source, path, realPath, id, shape, supportingFiles } = file;
  const playbook: Playbook = {
    name: nameFromId(id),
    ...fields,
    source,
    path,
    realPath,
    id,
    shape,
    supportingFiles,
    description: '',
    extra: hasFields ? extraFields(yaml.values) : {},
    body: closed?.body ?? text,
    bodyLine: closed?.bodyLine ?? 1,
    digest: contentDigest(file.bytes),
  };
  return { playbook, hasFields };
}
