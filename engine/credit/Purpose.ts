/** What a credit is for: the purposes that the model was trained on. */
export const PURPOSES = [
  "debt_consolidation",
  "education",
  "home_improvement",
  "medical",
  "personal",
  "venture"
] as const

export type Purpose = (typeof PURPOSES)[number]

const bare = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, "")

/** What a company buys on credit is its venture. */
const BUSINESS = ["business", "equipment", "inventory", "working capital"]

const BY_NAME = new Map<string, Purpose>([
  ...PURPOSES.map((purpose) => [bare(purpose), purpose] as const),
  ...BUSINESS.map((name) => [bare(name), "venture"] as const)
])

/**
 * The purpose that a text names, whatever its case, spaces, `_` and `-`; null for one that the model does not know.
 *
 * Specification 2.8: `purpose`.
 */
export const purposeOf = (text: string): Purpose | null => BY_NAME.get(bare(text)) ?? null
