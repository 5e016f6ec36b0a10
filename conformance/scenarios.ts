/** What is run of the suite: a scenario's name, the revisions that it is run in, and what stands before the server. */
export interface Run {
  readonly scenario: string;
  readonly revision: '2025-11-25' | '2026-07-28';
  /** `server` is `serve --http` itself; `shim` calls the fixture's tools through `execute`. */
  readonly through: 'server' | 'shim';
}

const OLD = '2025-11-25';
const NEW = '2026-07-28';

function each(through: Run['through'], revisions: readonly Run['revision'][], scenarios: readonly string[]): Run[] {
  return scenarios.flatMap((scenario) => revisions.map((revision) => ({ scenario, revision, through })));
}

/** Every scenario that the suite has for a server of either revision; `run.ts` fails where the suite has others. */
export const runs: readonly Run[] = [
  ...each('server', [OLD, NEW], ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection']),
  ...each('server', [OLD, NEW], ['server-sse-multiple-streams']),
  ...each('server', [OLD], ['server-initialize', 'server-session-lifecycle', 'ping', 'logging-set-level']),
  ...each('server', [NEW], ['caching', 'http-header-validation', 'sep-2164-resource-not-found']),
  ...each('server', [NEW], ['sep-2640-skills-enumeration', 'sep-2640-skills-directory', 'sep-2640-skills-manifest']),
  ...each('server', [OLD, NEW], ['prompts-get-simple', 'prompts-get-with-args', 'completion-complete']),
  ...each('shim', [OLD, NEW], ['tools-call-simple-text', 'tools-call-image', 'tools-call-audio']),
  ...each('shim', [OLD, NEW], ['tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-error']),
  ...each('shim', [OLD, NEW], ['tools-call-with-progress', 'json-schema-2020-12']),
  ...each('shim', [OLD, NEW], ['resources-read-text', 'resources-read-binary', 'resources-templates-read']),
  ...each('shim', [OLD, NEW], ['prompts-get-embedded-resource', 'prompts-get-with-image']),
  ...each('shim', [OLD], ['tools-call-with-logging', 'tools-call-sampling', 'tools-call-elicitation']),
  ...each('shim', [OLD], ['elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'server-sse-polling']),
  ...each('shim', [OLD], ['resources-subscribe', 'resources-unsubscribe']),
  ...each('shim', [NEW], ['server-stateless', 'http-custom-header-server-validation']),
  ...each(
    'shim',
    [NEW],
    [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-missing-input-response',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-unsupported-methods',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
      'input-required-result-validate-input',
    ],
  ),
];
