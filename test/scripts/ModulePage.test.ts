import { describe, expect, it } from "bun:test"
import { headOf, modulePage } from "../../scripts/ModulePage.ts"

const text = (comment: string, rest: string) => `${comment}\n${rest}\n`

describe("ModulePage", () => {
  it("takes the first sentence of what describes the module's own name", () => {
    const source = {
      path: "src/a/Coin.ts",
      text:
        text("/** A side. */", "export type Side = 1") +
        text("/** A coin, as\n * {@link Side} has it. It is round. */", "export const Coin = 1")
    }
    expect(headOf(source)).toBe("A coin, as `Side` has it.")
  })

  it("takes what a file says of itself at its beginning before all else", () => {
    const rest = text("/** A coin. */", "export const Coin = 1")
    const head = text("/** Tosses coins. Fairly. */", "")
    expect(headOf({ path: "src/a/Coin.ts", text: head + rest })).toBe("Tosses coins.")
    expect(headOf({ path: "src/a/Coin.ts", text: text("/** A side. */", "export type Side = 1") + rest })).toBe(
      "A coin."
    )
  })

  it("takes the first description where the module's name is not exported", () => {
    expect(headOf({ path: "src/a/Coins.ts", text: text("/** A side. */", "export type Side = 1") })).toBe("A side.")
  })

  it("lists modules by folder, and one without a description by its name", () => {
    const page = modulePage("made", [
      { path: "src/b/Two.ts", text: "export const Two = 2" },
      { path: "src/a/One.ts", text: text("/** One. */", "export const One = 1") }
    ])
    expect(page).toBe(
      "made\n# Modules\n\nEach file has one idea, which its first sentence says.\n\n## src/a\n\n- `One`: One.\n\n## src/b\n\n- `Two`\n"
    )
  })
})
