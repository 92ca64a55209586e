import { describe, expect, it } from "bun:test"
import { NameResolver } from "../../../src/webhooks/NameResolver.ts"

const resolved = (name: string): Promise<readonly [string | undefined, ReadonlyArray<string>]> =>
  new Promise((resolve) =>
    NameResolver.system.resolve(name, (error, addresses) => resolve([error?.message, addresses]))
  )

describe("NameResolver", () => {
  it("resolves as the system does", async () => {
    const [error, addresses] = await resolved("localhost")
    expect(error).toBeUndefined()
    for (const address of addresses) expect(["127.0.0.1", "::1"]).toContain(address)
    expect(addresses.length).toBeGreaterThan(0)
  })

  it("tells of a name that does not exist", async () => {
    const [error, addresses] = await resolved("nowhere.invalid")
    expect(error).toContain("nowhere.invalid")
    expect(addresses).toEqual([])
  })
})
