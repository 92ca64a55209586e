import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { launched } from "../../lib/Chromium.ts"
import { DashboardVisit } from "../../lib/DashboardVisit.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const PASSWORD = "correct horse battery"

describe("The dashboard in a browser", () => {
  it("opens for somebody who registers, and again after a reload", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const browser = yield* launched
      const visit = yield* DashboardVisit.begin(browser, server.url)
      yield* visit.register("Northwind Trading", "ada@example.com", PASSWORD)
      yield* visit.go("/clients")
      expect(yield* visit.violations).toEqual([])
      expect(visit.complaints).toEqual([])
    }))
})
