import type { Diagnostic, Playbook, SourceFile } from '../model.ts';
import { decodeUtf8 } from './decode.ts';
import { MAX_FRONT_MATTER_BYTES, splitFrontMatter } from './fence.ts';
import type { FencedText } from './fence.ts';
import {
  badField,
  foreignFrontMatter,
  frontMatterTooLong,
  longDescription,
  missingDescription,
  noFrontMatter,
  notUtf8,
  unclosedFence,
} from './findings.ts';
import type { Finding } from './findings.ts';
import { fieldMeantBy } from './meant-field.ts';
import { extraFields, MAX_DESCRIPTION_CHARACTERS, readFields } from './schema.ts';
import { pathText } from './tree-paths.ts';
import { readYaml } from './yaml.ts';
import type { YamlFields, YamlReading } from './yaml.ts';
import { contentDigest } from './digest.ts';
import { nameFromId } from './name-from-id.ts';

/** What a file turned out to be. */
export type ParseOutcome =
  | {
      readonly kind: 'playbook';
      readonly playbook: Playbook;
      /** Warnings only; [] when there is nothing to say. */
      readonly diagnostics: readonly Diagnostic[];
    }
  /** A flat markdown file that is not meant to be a playbook. */
  | { readonly kind: 'ignored'; readonly reason: 'no-front-matter' | 'empty' }
  /** Meant to be a playbook, but not served. */
  | { readonly kind: 'unreadable'; readonly diagnostics: readonly [Diagnostic, ...Diagnostic[]] };

/**
 * The one parser of playbook files. Whatever the bytes are, it gives an answer: it never throws and never runs anything.
 * Line ends of any kind, a byte order mark and `---` inside values are read as their authors mean them.
 */
export function parsePlaybook(file: SourceFile): ParseOutcome {
  const decoded = decodeUtf8(file.bytes);
  const fence = splitFrontMatter(decoded.text);
  if (decoded.kind === 'invalid') {
    const hasUtf16Mark = UTF16_MARKS.has(file.bytes.subarray(0, 2).join());
    if (hasUtf16Mark || fence.kind !== 'none') return unreadable(file, notUtf8(decoded.position, hasUtf16Mark));
  }
  if (fence.kind === 'none') return withoutFrontMatter(file, decoded.text);
  if (fence.kind === 'foreign') return unreadable(file, foreignFrontMatter(fence.language));
  const yaml = readFrontMatter(fence);
  return yaml.kind === 'broken' ? unreadable(file, yaml.finding) : toPlaybook(file, fence, yaml);
}

/** The playbook that a file is; undefined where it is none, or cannot be read. */
export function playbookIn(file: SourceFile): Playbook | undefined {
  const outcome = parsePlaybook(file);
  return outcome.kind === 'playbook' ? outcome.playbook : undefined;
}

/** What Windows editors and PowerShell put first: such a file can hold front matter that no byte comparison sees. */
const UTF16_MARKS: ReadonlySet<string> = new Set([[0xff, 0xfe].join(), [0xfe, 0xff].join()]);

/** A flat file is then some other text; a `SKILL.md` is a mistake that its author should hear of. */
function withoutFrontMatter(file: SourceFile, text: string): ParseOutcome {
  const isEmpty = text.trim() === '';
  if (file.shape === 'folder') return unreadable(file, noFrontMatter(isEmpty));
  return { kind: 'ignored', reason: isEmpty ? 'empty' : 'no-front-matter' };
}

function readFrontMatter({ frontMatter, isClosed }: FencedText): YamlReading {
  const byteCount = Buffer.byteLength(frontMatter);
  if (byteCount > MAX_FRONT_MATTER_BYTES) {
    const finding = isClosed ? frontMatterTooLong(byteCount) : unclosedFence({ line: 1, column: 1 });
    return { kind: 'broken', finding };
  }
  const yaml = readYaml(detach(frontMatter));
  // Where YAML stops understanding an unclosed front matter is where its author meant the fence to be.
  return yaml.kind === 'broken' && !isClosed ? { kind: 'broken', finding: unclosedFence(yaml.finding) } : yaml;
}

function toPlaybook(file: SourceFile, fence: FencedText, yaml: YamlFields): ParseOutcome {
  const { description } = yaml.text;
  if (typeof description !== 'string' || description.trim() === '') {
    const written = Object.keys(yaml.text).find((key) => fieldMeantBy(key) === 'description');
    return unreadable(file, missingDescription(yaml.locate([written ?? 'description']), written), yaml.warnings);
  }
  const { fields, issues } = readFields(yaml.text);
  const characterCount = Array.from(description.trim()).length;
  const warnings = [
    ...yaml.warnings,
    ...issues.map(({ path, message }) => badField(pathText(path), message, yaml.locate(path))),
    ...(characterCount > MAX_DESCRIPTION_CHARACTERS
      ? [longDescription(characterCount, yaml.locate(['description']))]
      : []),
  ];
  const fieldsButBody = {
    name: nameFromId(file.id),
    ...fields,
    id: file.id,
    source: file.source,
    path: file.path,
    realPath: file.realPath,
    shape: file.shape,
    description,
    extra: extraFields(yaml.values),
    bodyLine: fence.bodyLine,
    supportingFiles: file.supportingFiles,
    digest: contentDigest(file.bytes),
  };
  const playbook = withBody(fieldsButBody, Buffer.from(fence.body));
  const inOrder = warnings.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return { kind: 'playbook', playbook, diagnostics: inOrder.map((finding) => ({ ...finding, path: file.path })) };
}

const bodyDecoder = new TextDecoder();

/**
 * The playbook with its body kept as UTF-8. As strings the bodies of 3,000 public skills take 30 MB of heap, many of them
 * two bytes a letter; so they take half of that, outside the heap. Decoding one takes microseconds, and only a call that shows
 * it asks for it. (A function of its own: a closure keeps alive whatever else its scope knows, here the whole file.)
 */
function withBody(fields: Omit<Playbook, 'body'>, body: Uint8Array): Playbook {
  return {
    ...fields,
    get body() {
      return bodyDecoder.decode(body);
    },
  };
}

/** The same text as a string of its own: V8 keeps a slice's whole file alive, for the sake of one description. */
function detach(text: string): string {
  return Buffer.from(text).toString();
}

function unreadable(file: SourceFile, first: Finding, others: readonly Finding[] = []): ParseOutcome {
  const atFile = (finding: Finding): Diagnostic => ({ ...finding, path: file.path });
  return { kind: 'unreadable', diagnostics: [atFile(first), ...others.map(atFile)] };
}
