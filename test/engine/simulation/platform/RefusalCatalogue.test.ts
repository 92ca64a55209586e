import { describe, expect, it } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { IllegalOrderAct } from "../../../../engine/commerce/PurchaseOrderError.ts"
import { OUTSIDE_REFUSALS } from "../../../../engine/simulation/platform/OutsideRefusals.ts"
import {
  isCatalogued,
  isRefusalClass,
  nameOfRefusal,
  REFUSALS,
  TAGGED_REFUSALS
} from "../../../../engine/simulation/platform/RefusalCatalogue.ts"
import { eventsOf } from "../../../../engine/simulation/ReachableEvents.ts"
import { QuoteGone } from "../../../../engine/transfers/TransferError.ts"
import { refusal } from "../../../../engine/wire/Refusal.ts"

const ROOT = join(import.meta.dir, "../../../..")

/** The files of a folder in which something stands. */
const filesWith = (text: RegExp, folder: string): ReadonlyArray<string> =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => text.test(readFileSync(join(ROOT, file), "utf8")))

class Other extends refusal("Other", "conflict") {}

describe("REFUSALS", () => {
  it("has every refusal of the contexts, each once", () => {
    expect(REFUSALS).toContain("transfers/QuoteGone")
    expect(REFUSALS).toContain("commerce/IllegalOrderAct")
    expect(REFUSALS).toContain("credit/TooManyAssessments")
    expect(new Set(REFUSALS).size).toBe(REFUSALS.length)
    expect(REFUSALS).toContain("arena/OrderFull")
    expect(REFUSALS).toContain("bots/BidBeyondLimits")
    expect(REFUSALS.length).toBeGreaterThan(60)
  })

  it("tells no two of traders and bots by one tag, and none by what a bot's event is called", () => {
    const tagged = REFUSALS.filter((name) => /^(arena|bots)\//.test(name))
    expect([...TAGGED_REFUSALS.values()].toSorted()).toEqual(tagged)
    const events = eventsOf(["bot", "credits", "halt"])
    expect(events.filter((tag) => TAGGED_REFUSALS.has(tag))).toEqual([])
  })

  it("has every class of refusals of the engine", async () => {
    const missing: Array<string> = []
    for (const file of filesWith(/extends refusal[(<]/, "engine")) {
      const exports: Readonly<Record<string, unknown>> = await import(join(ROOT, file))
      const found = Object.entries(exports).filter(([, exported]) => isRefusalClass(exported))
      if (found.length === 0) missing.push(`${file} exports none of its refusals`)
      for (const [name, exported] of found) {
        if (!isRefusalClass(exported) || !isCatalogued(exported)) missing.push(`${file}: ${name}`)
      }
    }
    expect(missing).toEqual([])
  })

  it("says of the services' own why nobody in a simulation is told them", () => {
    const paths = Object.keys(OUTSIDE_REFUSALS)
    const files = filesWith(/extends refusal[(<]/, "src")
    expect(files.filter((file) => !paths.some((path) => file.startsWith(path)))).toEqual([])
    expect(paths.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([])
  })
})

describe("nameOfRefusal", () => {
  it("names one of a context by it, and another by its tag", () => {
    expect(nameOfRefusal(new QuoteGone({ quoteId: "q", reason: "used" }))).toBe("transfers/QuoteGone")
    expect(nameOfRefusal(new IllegalOrderAct({ act: "pay", status: "paid", fulfilment: "fulfilled" }))).toBe(
      "commerce/IllegalOrderAct"
    )
    expect(nameOfRefusal(new Other())).toBe("Other")
  })
})
