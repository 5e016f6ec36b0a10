/** A playbook that is of use in any git repository, and shows each part of the format once. */
export const EXAMPLE = `---
name: prepare-change
description: Gets my branch ready for review - looks at the whole diff, runs this repository's checks, writes the commit. Use when asked to get a change ready, or to finish, clean up or submit work, before a pull request is opened here.
tags: [domain:repository, action:review]
parameters:
  - name: base
    type: string
    description: branch that the change goes to
    default: main
examples:
  - "get my branch ready for review"
  - "finish this work and submit it"
not-examples:
  - "review somebody else's pull request"
---

What is not in the diff cannot be reviewed, and what should not be in it costs every reviewer.

## Steps

1. Look at all of it, also at what git does not know yet:

   \`\`\`sh
   git status --short
   git --no-pager diff --stat '{{base}}...HEAD'
   git --no-pager diff '{{base}}...HEAD'
   \`\`\`

2. Take out what does not belong: debug output, commented-out code, unrelated reformatting, files that a tool has made.

3. Run the checks that CI runs. Replace this line by your commands, such as \`npm test\` or \`make check\`.

4. Commit in steps that each work by themselves. The message says why; the diff says what.

## Done when

\`git status --short\` prints nothing, step 3 has exited with 0 on this commit, and the diff against {{base}} holds only what the change is about.
`;

/** A GitHub workflow that lints the playbooks of a repository, and reviews what a pull request changes, with the version that made it. */
export function workflow(version: string): string {
  const setup = (
    checkout: string,
  ): string => `      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          persist-credentials: false
${checkout}      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: '22'
`;
  return `# Written by playbook-mcp init; yours to change. Everything is pinned, so that no release of anybody's changes what runs here.
name: playbooks
on:
  pull_request:
    paths: ['.playbooks/**', '.github/workflows/playbooks.yml']
  push:
    branches: [main, master]
    paths: ['.playbooks/**', '.github/workflows/playbooks.yml']
permissions:
  contents: read
jobs:
  # Are they well formed, and are they found? Findings stand beside the lines of the pull request.
  lint:
    runs-on: ubuntu-24.04
    steps:
${setup('')}      - run: npx -y playbook-mcp@${version} lint .playbooks --format github
      - run: npx -y playbook-mcp@${version} eval .playbooks --format github
  # Does the change repeat a playbook that is there, or take one away that others lead to? --reviewer '<agent program>' asks an agent, too.
  check:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-24.04
    steps:
${setup('          fetch-depth: 0 # what the branch is compared with is not the last commit\n')}      - run: npx -y playbook-mcp@${version} check --base "origin/$GITHUB_BASE_REF" --format github
`;
}
