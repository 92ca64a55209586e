import type { BasketPart } from "./Command.ts"

/** What is reserved of several accounts at once, and what became of it. */
export interface BasketRecord {
  readonly id: string
  readonly parts: ReadonlyArray<BasketPart>
  readonly state: "Pending" | "Released" | "Taken"
}
