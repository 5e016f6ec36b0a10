/** The graph as data for people and programs: what `graph` prints as JSON, and what its page draws. Ids are the catalog's. */
export interface GraphReport {
  /** In the catalog's order. */
  readonly playbooks: readonly GraphPlaybook[];
  /** Tools that a playbook names, by id; tools that none names are left out. */
  readonly tools: readonly GraphTool[];
  /** Supporting files that a playbook links to, by id. */
  readonly files: readonly GraphFile[];
  /** Playbooks that refer to others and to which none refers. */
  readonly roots: readonly string[];
  /** Playbooks without any reference to or from another one. */
  readonly orphans: readonly string[];
  readonly cycles: readonly GraphCycle[];
  readonly dangling: readonly DanglingReference[];
  readonly totals: GraphTotals;
}

export interface GraphPlaybook {
  readonly id: string;
  readonly kind: 'playbook';
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly source: string;
  readonly status: 'active' | 'draft' | 'deprecated' | 'retired';
  /** Absolute path of its file. */
  readonly path: string;
  /** Playbooks that it refers to, in order of appearance. */
  readonly children: readonly string[];
  /** Playbooks that refer to it. */
  readonly parents: readonly string[];
  readonly tools: readonly string[];
  readonly files: readonly string[];
  /** Estimated tokens of its text. */
  readonly tokens: number;
  /** Estimated tokens of its text and of every playbook that it leads to, each once. */
  readonly closureTokens: number;
}

export interface GraphTool {
  readonly id: string;
  readonly kind: 'tool';
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Name of its server; empty where it is not known. */
  readonly source: string;
  /** False where the catalog has no such tool, or holds it in quarantine. */
  readonly isKnown: boolean;
  /** Playbooks that name it. */
  readonly parents: readonly string[];
}

export interface GraphFile {
  /** `id/of/playbook/path/of/file`, as `show` and `execute` take it. */
  readonly id: string;
  readonly kind: 'file';
  readonly name: string;
  readonly source: string;
  readonly parents: readonly string[];
}

/** Playbooks that lead back to themselves: one strongly connected component. */
interface GraphCycle {
  readonly members: readonly string[];
  /** A shortest way round, the first member at both ends. */
  readonly path: readonly string[];
}

export interface DanglingReference {
  readonly from: string;
  /** The target as it stands in the text. */
  readonly written: string;
  /** Absolute path of the file. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** Of the playbooks that the report lists. */
interface GraphTotals {
  readonly playbooks: number;
  /** References between playbooks. */
  readonly references: number;
  readonly tools: number;
  readonly files: number;
  /** Sum of `tokens`: what reading each playbook costs, where references are loaded only when needed. */
  readonly tokens: number;
  /** Sum of `closureTokens`: what it would cost if each came with all that it leads to. */
  readonly closureTokens: number;
  /** 1 − tokens / closureTokens: 0..1; 0 for no playbooks. */
  readonly savedRatio: number;
}
