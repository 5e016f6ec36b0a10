/**
 * The pairs of `anthropics` and `wshobson` that do repeat each other, read by a person: ids below the corpus' folder, sorted. The
 * forty pairs that are most alike by vocabulary were read; the others have one subject, and different steps.
 */
export const TRUE_PAIRS: readonly (readonly [string, string])[] = [
  // The same hooks, policy, receipt and verification of one program; the second calls itself the teaching text of the first.
  ['protect-mcp-setup', 'signed-audit-trails-recipe'],
];
