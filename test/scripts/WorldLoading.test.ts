import { afterAll, describe, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { worldText } from "../../engine/simulation/ExportedWorld.ts"
import { readWorldFile, withHash, WorldNotLoaded, worldNamed } from "../../scripts/WorldLoading.ts"
import { sim, simHere } from "../lib/SimCommand.ts"
import { exportText, simulatedExport, surveyed } from "../lib/SimulatedExport.ts"

const folder = mkdtempSync(join(tmpdir(), "world-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const { events } = simulatedExport({ seed: 8, orders: 8, traders: 5, faults: false, bots: 2 })
const text = exportText(events)
const exported = file("export.jsonl", text)
const world = surveyed(events)
const kept = file("world.json", `${worldText(world)}\n`)

const refused = async (path: string): Promise<string> => {
  try {
    await readWorldFile(path)
  } catch (error) {
    if (error instanceof WorldNotLoaded) return error.message
    throw error
  }
  return "taken"
}

/** A module whose rule does not hold once somebody has bid. */
const strict = file(
  "strict.ts",
  `export default { invariant: { name: "nobody_bids", check: ({ events }) => {
     const bid = events.find(({ event }) => event._tag === "CommitmentSubmitted")
     return bid && bid.event.commitment.trader.userId + " bids"
   } } }`
)

describe("A world", () => {
  it("is the same of an export and of its own file, with one hash", async () => {
    expect(await readWorldFile(exported)).toEqual(world)
    expect(await readWorldFile(kept)).toEqual(world)
    const [one, other] = [await worldNamed({ world: exported }), await worldNamed({ world: kept })]
    expect(one?.hash).toBe(withHash(world).hash)
    expect(other?.hash).toBe(one?.hash)
    expect(await worldNamed({ seed: 1, nodes: 2, requests: 3 })).toBeUndefined()
  })

  it("is refused in a sentence that says what to do", async () => {
    const lines = text.split("\n")
    const cut = file("cut.jsonl", lines.slice(0, -2).join("\n"))
    const torn = file("torn.jsonl", text.slice(0, text.length - 200))
    const altered = file("altered.jsonl", text.replace(`\\"amount\\":\\"`, `\\"amount\\":\\"1`))
    const newer = file("newer.jsonl", text.replace(`"type":"OrderOpened"`, `"type":"OrderDreamt"`))
    const other = file("other.json", worldText(world).replace(`"emporion_world":1`, `"emporion_world":9`))
    const broken = file("broken.json", worldText(world).slice(0, 500))
    expect(await refused(file("empty.jsonl", ""))).toEndWith("empty.jsonl is empty: write it with emporion export.")
    expect(await refused(cut)).toContain("the file was cut. Only an export that")
    expect(await refused(torn)).toContain("is not the JSON of an event. Only an export that")
    expect(await refused(altered)).toMatch(/event \d+ \(.+\) .+\. Only an export that emporion verify/)
    expect(await refused(newer)).toMatch(/event \d+ \(.+\) .+ by the version that recorded it\.$/)
    expect(await refused(other)).toContain("is a world of version 9, and this program reads version 1")
    expect(await refused(broken)).toContain("is damaged, or was cut: make it anew")
    expect(await refused(file("notes.txt", "hello\n"))).toContain("is not the JSON of an event")
    expect(await refused(join(folder, "nowhere"))).toContain("nowhere cannot be read")
  })
})

describe("npm run sim -- --world", () => {
  it("names the world's hash, and comes out the same of the export and of the file", async () => {
    const given = ["--orders", "4", "--faults", "--json"]
    const [one, other] = [sim("--world", exported, ...given), await simHere("--world", kept, ...given)]
    expect([one.err, one.code]).toEqual(["", 0])
    expect(JSON.parse(one.out)).toMatchObject({ world: withHash(world).hash, violation: null })
    expect(JSON.parse(other.out)).toEqual(JSON.parse(one.out))
    expect((await simHere("--world", kept, "--orders", "4")).out).toContain(`\nworld         ${withHash(world).hash}\n`)
    expect(await simHere("--world", kept, "--traders", "3")).toMatchObject({ code: 2 })
    expect(await simHere("--world", join(folder, "nowhere"))).toMatchObject({ code: 1 })
  })

  it("makes a failure of many seeds smaller, and its command plays it again", async () => {
    const { code, err, out } = await simHere("--world", kept, "--with", strict, "--orders", "8", "--seeds", "3")
    expect(code).toBe(1)
    expect(out).toContain("broken        own/nobody_bids 3\n")
    expect(out).toContain(`world         ${withHash(world).hash}`)
    const smaller = /^smaller +npm run sim -- (.*)$/m.exec(err)?.[1] ?? ""
    expect(smaller).toContain(`--world ${kept} --with ${strict} --keep-orders `)
    expect(smaller).toMatch(/--keep-traders \d( |$)/)
    expect(smaller).toContain("--keep-bots none")
    const again = await simHere(...smaller.split(" "))
    expect(again.code).toBe(1)
    expect(again.err).toMatch(/^own\/nobody_bids: usr_\d bids$/m)
  })

  it("is what sim world makes of an export, in a file that is not written over", async () => {
    const made = join(folder, "made.json")
    const { code, out } = await simHere("world", exported, "--out", made)
    expect(code).toBe(0)
    expect(out).toContain(`\nworld      ${withHash(world).hash}\n`)
    expect(out).toMatch(/^traders +\d human, \d machines?$/m)
    expect(readFileSync(made, "utf8")).toBe(readFileSync(kept, "utf8"))
    expect(await simHere("world", exported, "--out", made)).toMatchObject({ code: 1 })
    expect(JSON.parse((await simHere("world", made, "--json")).out)).toMatchObject({
      world: withHash(world).hash,
      bots: 2
    })
  })
})
