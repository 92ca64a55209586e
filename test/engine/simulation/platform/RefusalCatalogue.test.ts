import { describe, expect, it } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { BotNotFound } from "../../../../engine/bots/BotWorld.ts"
import { IllegalOrderAct } from "../../../../engine/commerce/PurchaseOrderError.ts"
import { OUTSIDE_REFUSALS } from "../../../../engine/simulation/platform/OutsideRefusals.ts"
import { UNTOLD_FAILURES } from "../../../../engine/simulation/platform/UntoldFailures.ts"
import {
  isCatalogued,
  isFailureClass,
  nameOfRefusal,
  REFUSALS,
  TAGGED_REFUSALS
} from "../../../../engine/simulation/platform/RefusalCatalogue.ts"
import { eventsOf } from "../../../../engine/simulation/ReachableEvents.ts"
import { WebhookGone } from "../../../../engine/webhooks/WebhookDecision.ts"
import { QuoteGone } from "../../../../engine/transfers/TransferError.ts"
import { refusal } from "../../../../engine/wire/Refusal.ts"

const ROOT = join(import.meta.dir, "../../../..")

/** The files of a folder in which something stands. */
const filesWith = (text: RegExp, folder: string): ReadonlyArray<string> =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => text.test(readFileSync(join(ROOT, file), "utf8")))

/** A class of failures: of refusals, or of other errors. */
const CLASS_OF_FAILURES = /class (\w+) extends (?:refusal|Error|(?:Data|Schema|Cause)\.\w*Error\w*)\b/

/** The classes of a file that are failures. */
const classesIn = (file: string, text = new RegExp(CLASS_OF_FAILURES, "g")): ReadonlyArray<string> =>
  Array.from(readFileSync(join(ROOT, file), "utf8").matchAll(text), ([, name = ""]) => name).filter(
    (name) => name !== "Refused" || !file.endsWith("engine/wire/Refusal.ts")
  )

/** The context that a file belongs to. */
const contextOf = (file: string): string => file.split("/")[1] ?? ""

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
    const tagged = REFUSALS.filter((name) => /^(arena|bots|ledger)\//.test(name))
    expect([...TAGGED_REFUSALS.values()].toSorted()).toEqual(tagged)
    const events = eventsOf(["bot", "credits", "halt"])
    expect(events.filter((tag) => TAGGED_REFUSALS.has(tag))).toEqual([])
    expect(TAGGED_REFUSALS.get(new BotNotFound({ botId: "bot_1" })._tag)).toBe("bots/BotNotFound")
  })

  it("names none that a desk says by itself: what it counts is what the rules refused", () => {
    const outside = Object.keys(OUTSIDE_REFUSALS).map((name) => name.slice(name.indexOf("/") + 1))
    const tags = [...TAGGED_REFUSALS.keys(), ...outside].join("|")
    const said = new RegExp(`(succeed\\(|count\\(|return |[?:] )"(${tags})"`)
    expect(said.test(`return Effect.succeed("BotNotFound")`)).toBe(true)
    expect(filesWith(said, "engine/simulation")).toEqual([])
  })

  it("has every class of failures of the engine, or a sentence that says why nobody is told it", async () => {
    const untold: Array<string> = []
    const problems: Array<string> = []
    for (const file of filesWith(CLASS_OF_FAILURES, "engine").filter(
      (path) => !path.startsWith("engine/simulation/")
    )) {
      const exports: Readonly<Record<string, unknown>> = await import(join(ROOT, file))
      for (const name of classesIn(file)) {
        const exported = exports[name]
        if (!isFailureClass(exported)) problems.push(`${file} does not export ${name}`)
        else if (!isCatalogued(exported)) untold.push(`${contextOf(file)}/${name}`)
      }
    }
    expect(problems).toEqual([])
    expect(untold.toSorted()).toEqual(Object.keys(UNTOLD_FAILURES).toSorted())
  })

  it("finds a class of failures, whatever it is made of", () => {
    for (const base of [
      'refusal("A", "conflict")',
      'Data.TaggedError("A")<{}>',
      "Error",
      'Schema.TaggedError<A>()("A")'
    ]) {
      expect(`export class A extends ${base} {}`).toMatch(CLASS_OF_FAILURES)
    }
    expect("class ToldDatabase extends MemoryDatabase {").not.toMatch(CLASS_OF_FAILURES)
  })

  it("says of each of the services' own why nobody in a simulation is told it", () => {
    const files = filesWith(/extends refusal[(<]/, "src")
    const names = files.flatMap((file) =>
      classesIn(file, /class (\w+) extends refusal\b/g).map((name) => `${contextOf(file)}/${name}`)
    )
    expect(names.toSorted()).toEqual(Object.keys(OUTSIDE_REFUSALS).toSorted())
    for (const why of Object.values({ ...OUTSIDE_REFUSALS, ...UNTOLD_FAILURES })) expect(why).toMatch(/^[a-z].+[^.]$/)
  })
})

describe("nameOfRefusal", () => {
  it("names one of a context by it, and another by its tag", () => {
    expect(nameOfRefusal(new QuoteGone({ quoteId: "q", reason: "used" }))).toBe("transfers/QuoteGone")
    expect(nameOfRefusal(new IllegalOrderAct({ act: "pay", status: "paid", fulfilment: "fulfilled" }))).toBe(
      "commerce/IllegalOrderAct"
    )
    expect(nameOfRefusal(new WebhookGone({ webhookId: "whk_1" }))).toBe("webhooks/WebhookGone")
    expect(nameOfRefusal(new Other())).toBe("Other")
  })
})
