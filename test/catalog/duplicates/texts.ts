import { text } from '../../seed.ts';

const STEPS = `# Cleaning up a feature flag

1. Open the flag service and confirm that the rollout of the flag reached 100 percent two weeks ago.
2. Remove every evaluation of the flag with \`git grep -n flagKey\` and keep the winning branch only.
3. Delete helper functions, translations and styles that nothing but the losing branch called.
4. Run \`npm test\` and \`npm run typecheck\`, then compare the bundle size with the main branch.
5. Archive the flag in LaunchDarkly, and note the experiment's result in the decision log.

## Done when

The search prints nothing, the dashboards of checkout conversion are flat, and the flag is archived.`;

export const FLAG_CLEANUP = text(
  'Remove a concluded feature flag and its dead branch. Use when an experiment has ended.',
  STEPS,
  'name: flag-cleanup',
);

/** The same with one word of six changed. */
export const FLAG_CLEANUP_CHANGED = text(
  'Delete a finished feature flag and its dead branch. Use when an experiment is over.',
  STEPS.replace('Open the flag service', 'Look into the toggle service')
    .replace('two weeks', 'ten days')
    .replace('Remove every evaluation', 'Take out each evaluation')
    .replace('helper functions', 'private functions')
    .replace('compare the bundle size', 'check the bundle weight')
    .replace("the experiment's result", 'what the experiment showed')
    .replace('prints nothing', 'comes back empty'),
  'name: toggle-removal',
);

export const FLAG_CLEANUP_REWRITTEN = text(
  'Once an experiment has concluded, take its feature flag and the losing branch out of the code.',
  `# Getting rid of an old toggle

First make sure, in the flag service, that the rollout has been at 100 percent for a fortnight.

Next look for it: \`git grep -n flagKey\`. Wherever the flag is evaluated, the winning branch stays.

Whatever was called by the losing one alone (helper functions, styles, translations) is deleted.

\`npm test\` and \`npm run typecheck\` must pass; look at the bundle size beside that of the main branch.

LaunchDarkly: archive it. The decision log gets the result of the experiment.

Finished as soon as a search finds nothing and checkout conversion on the dashboards is flat.`,
  'name: toggle-farewell',
);

/** Playbooks that say something else each, by path. */
export const OTHERS: Readonly<Record<string, string>> = {
  'deploy.md': text(
    'Deploy a release to production.',
    'Tag the commit, wait for the pipeline, watch error rates for ten minutes, and announce the version in the channel of the team.',
  ),
  'rollback.md': text(
    'Roll back a bad release.',
    'Find the last good image, run `kubectl rollout undo`, verify health checks, then write down what users noticed.',
  ),
  'migrate.md': text(
    'Change a database schema without downtime.',
    'Add the column as nullable, backfill in batches of a thousand rows, switch readers over, and drop the old column a week later.',
  ),
  'incident.md': text(
    'Lead an incident.',
    'Declare its severity, open a bridge, name a scribe, post updates every half hour, and schedule the review before you leave.',
  ),
  'onboard.md': text(
    'Welcome a new colleague.',
    'Order the laptop, grant repository access, pick a buddy, plan lunch, and prepare a small first ticket that can ship on day two.',
  ),
  'invoice.md': text(
    'Send monthly invoices.',
    'Export hours from the tracker, check purchase order numbers, render the document, get a second pair of eyes, and mail finance.',
  ),
  'accessibility.md': text(
    'Check a page for accessibility.',
    'Tab through every control, listen with a screen reader, measure contrast, zoom to four hundred percent, and fix missing labels.',
  ),
  'translate.md': text(
    'Add a language to the product.',
    'Extract strings, send them to the agency, import the catalogue, look for truncated buttons, and enable the locale for employees.',
  ),
  'upgrade.md': text(
    'Upgrade a major dependency.',
    'Read the changelog, bump the lockfile, repair the types, run end-to-end suites twice, and release behind a canary.',
  ),
};
