import type { JsonObject, Playbook, PlaybookEntry, Severity } from '../../model.ts';
import type { LocateField } from '../../playbooks/locate.ts';
import type { DuplicatePair } from '../duplicates/find.ts';
import type { Catalog } from '../catalog.ts';

/** What a rule's doc page says, and how loudly the rule speaks where no configuration says otherwise. */
export interface RuleText {
  /** Kebab-case; stable API, since configurations and comments name it. */
  readonly id: string;
  readonly severity: Severity;
  /** What it reports, as one sentence. */
  readonly summary: string;
  /** What goes wrong for whom where this is left as it is. */
  readonly why: string;
  /** How to mend it. */
  readonly mend: string;
  /** True where `lint --fix` mends it. */
  readonly isFixable?: true;
}

/** One problem in one file. */
export interface LintFinding {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  /** Where this case is less grave than the rule in general. */
  readonly atMost?: Severity;
}

/** A rule that looks at one playbook at a time. */
export interface LintRule extends RuleText {
  /**
   * What a file must have for the rule to say anything of it: `fields`, a front matter that can be read; `playbook`, that it is
   * served. Nothing where absent: a secret in a broken file is one.
   */
  readonly needs?: 'fields' | 'playbook';
  readonly check: (file: LintFile, context: LintContext) => readonly LintFinding[];
}

/** A playbook and the text of its file. */
export interface LintFile {
  readonly entry: PlaybookEntry;
  readonly playbook: Playbook;
  /** The whole file, line ends as `\n`, without a byte order mark. */
  readonly text: string;
  /** The part of `text` below the front matter. A `Playbook` decodes its body each time that it is asked for. */
  readonly body: string;
  /** Offset of the body in `text`. */
  readonly bodyStart: number;
  /** `text` with the code of its body blanked out, of the same length. Made when it is read: do not take it apart with the rest of a file. */
  readonly prose: string;
  /** The front matter as texts, lists and maps; {} where it cannot be read. */
  readonly fields: JsonObject;
  /** Where a field of the front matter stands. */
  readonly locate: LocateField;
  /** Line and column of an offset into `text`. */
  readonly placeOf: (offset: number) => Pick<LintFinding, 'line' | 'column'>;
}

/** What is known beside the file itself. */
export interface LintContext {
  readonly catalog: Catalog;
  /** Names of the servers whose tools are all known, made safe as in the ids of their tools. */
  readonly listedServers: ReadonlySet<string>;
  /** Whether a file beside a flat playbook exists; a skill's files are known from its playbook. */
  readonly hasFile: (playbook: Playbook, file: string) => boolean;
  /** Pairs with another playbook that repeat each other. Compares the whole catalog when it is first asked for, which takes seconds. */
  readonly duplicatesOf: (entry: PlaybookEntry) => readonly DuplicatePair[];
  /** Whether a playbook is one of those that are linted. */
  readonly isLinted: (playbook: Playbook) => boolean;
  /** Takes a note about what could not be checked; the same note counts once. */
  readonly note: (text: string) => void;
}
