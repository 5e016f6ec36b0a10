import { readSourceFile } from '../files/read.ts';
import { type FoundFile, scanSources } from '../files/scan.ts';
import type { Diagnostic, Playbook, Source } from '../model.ts';
import { parsePlaybook } from '../playbooks/parse.ts';
import { type SearchDocument, toSearchDocument } from '../search/document.ts';
import { forgetWords } from '../search/tokenize.ts';

/** Files that are read at once: enough to hide the disk's latency, few enough for any limit of open files. */
const FILES_AT_ONCE = 32;
/** The event loop is given back this often, so that a ping or a cancellation is not stuck behind 3,000 files. */
const LONGEST_TURN_MS = 12;

/** What a list of sources holds. */
export interface LoadedPlaybooks {
  /** In the order of their sources, most specific first; within a source by path. */
  readonly playbooks: readonly Playbook[];
  /** The playbooks' words, in the same order. */
  readonly documents: readonly SearchDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Scans, reads, parses and tokenizes every playbook of the sources. A file that cannot be read hides no other one. */
export async function loadPlaybooks(sources: readonly Source[]): Promise<LoadedPlaybooks> {
  const playbooks: Playbook[] = [];
  const documents: SearchDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  let turnBegan = performance.now();
  const scan = await scanSources(sources);
  diagnostics.push(...scan.diagnostics);
  for await (const result of readInOrder(scan.found)) {
    diagnostics.push(...result.diagnostics);
    if (result.playbook !== undefined) {
      playbooks.push(result.playbook);
      documents.push(documentOf(result.playbook));
    }
    if (performance.now() - turnBegan > LONGEST_TURN_MS) {
      await new Promise(setImmediate);
      turnBegan = performance.now();
    }
  }
  forgetWords();
  return { playbooks, documents, diagnostics };
}

interface ReadResult {
  readonly playbook?: Playbook;
  readonly diagnostics: readonly Diagnostic[];
}

async function* readInOrder(found: readonly FoundFile[]): AsyncGenerator<ReadResult> {
  for (let start = 0; start < found.length; start += FILES_AT_ONCE) {
    const batch = found.slice(start, start + FILES_AT_ONCE).map(readOne);
    for (const result of batch) yield await result;
  }
}

async function readOne(found: FoundFile): Promise<ReadResult> {
  const read = await readSourceFile(found);
  if (read.kind === 'unreadable') return { diagnostics: [read.diagnostic] };
  const outcome = parsePlaybook(read.file);
  switch (outcome.kind) {
    case 'playbook':
      return { playbook: outcome.playbook, diagnostics: outcome.diagnostics };
    case 'unreadable':
      return { diagnostics: outcome.diagnostics };
    case 'ignored':
      return { diagnostics: [] };
  }
}

function documentOf(playbook: Playbook): SearchDocument {
  return toSearchDocument({
    key: `${playbook.source.name}:${playbook.id}`,
    id: playbook.id,
    name: playbook.name,
    description: playbook.description,
    tags: playbook.tags,
    body: playbook.body,
    examples: playbook.examples,
  });
}
