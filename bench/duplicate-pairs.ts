/**
 * The pairs of `anthropics` and `wshobson` that do repeat each other: ids below the corpus' folder, sorted. Of the forty-five pairs most
 * alike by vocabulary, the first twenty were read (both texts, or both beginnings), the others by description and outline: all but one
 * have a common subject, and different steps.
 */
export const TRUE_PAIRS: readonly (readonly [string, string])[] = [
  // The same hooks, policy, receipt and verification of one program; the second calls itself the teaching text of the first.
  ['protect-mcp-setup', 'signed-audit-trails-recipe'],
];
