import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { Breakers } from "../../../src/arena/Breakers.ts"
import { launched } from "../../lib/Chromium.ts"
import { DashboardVisit } from "../../lib/DashboardVisit.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { registration } from "../../lib/OpenedArena.ts"
import { verifiedPerson } from "../../lib/RegisteredPerson.ts"
import { submitKyc } from "../../lib/rows/KycRows.ts"
import { TestServer } from "../../lib/TestServer.ts"

const EMAIL = "ada@example.com"
const PASSWORD = "correct horse battery"
const TITLES = ["KYC review", "Users", "Companies", "Machine traders", "Market", "Nodes", "Audit log"]
const PAGES = ["/kyc", "/users", "/companies", "/machine-traders", "/market", "/nodes", "/audit"]

interface Applicant {
  readonly id: string
  readonly company_id: string
}

/** Somebody of a company who submitted a KYC record. */
const applicant = (server: TestServer) =>
  Effect.gen(function* () {
    const registered = yield* server.post("/api/v1/auth/register", {
      email: "grace@example.com",
      password: PASSWORD,
      company_name: "Southwind Mills",
      contact_name: "Grace Meadow"
    })
    expect(registered.status).toBe(200)
    const { json } = yield* server.get<ReadonlyArray<Applicant & { readonly email: string }>>(
      "/v1/users?limit=100",
      yield* server.admin
    )
    const person = json.find(({ email }) => email === "grace@example.com")
    if (person === undefined) return yield* Effect.die("nobody registered")
    return { ...person, kycId: yield* submitKyc({ server }, person.id) }
  })

describe("The operator's console in a browser", () => {
  it("reviews KYC, suspends, sets a plan, resets the breaker, and shows all of it in the audit log", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      const browser = yield* launched
      const visit = yield* DashboardVisit.begin(browser, server.url)
      yield* visit.register("Operator", EMAIL, PASSWORD)
      const operator = yield* verifiedPerson(server, EMAIL, 10)
      expect(yield* visit.act((page) => page.getByRole("link", { name: "KYC review" }).count())).toBe(0)
      const admin = yield* server.admin
      yield* server.request("PUT", `/v1/users/${operator.id}/role`, { role: "admin" }, { as: admin })
      const { company_id: companyId, id: userId, kycId } = yield* applicant(server)
      yield* visit.signIn(EMAIL, PASSWORD)
      for (const name of TITLES) {
        expect([name, yield* visit.act((page) => page.getByRole("link", { name }).count())]).toEqual([name, 1])
      }

      yield* visit.go("/kyc")
      yield* visit.act(async (page) => {
        await page.getByRole("table").getByRole("link").first().click()
        await page.getByText("Southwind Mills").waitFor()
        await page.getByRole("button", { name: "Verify" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Verify" }).click()
        await page.getByText("The record is verified").waitFor()
        await page.getByRole("cell", { name: "kyc.verify" }).waitFor()
      })
      expect(yield* visit.violations).toEqual([])

      yield* visit.go(`/users/${userId}`)
      yield* visit.act(async (page) => {
        await page.getByRole("button", { name: "Suspend" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click()
        await page.getByRole("button", { name: "Reactivate" }).waitFor()
        await page.getByRole("cell", { name: "user.suspend" }).waitFor()
      })
      expect(yield* visit.violations).toEqual([])

      yield* visit.go(`/companies/${companyId}`)
      yield* visit.act(async (page) => {
        await page.getByRole("button", { name: "Set plan" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByLabel("Plan").selectOption("enterprise")
        await dialog.getByRole("button", { name: "Set plan" }).click()
        await page.getByText("plan: standard, now enterprise").waitFor()
      })
      expect(yield* visit.violations).toEqual([])

      yield* server.run(
        Effect.flatMap(Breakers, ({ trip }) =>
          trip([{ scope: "global", reason: "ledger_imbalance" }], server.world.now)
        )
      )
      yield* visit.go("/market")
      yield* visit.act(async (page) => {
        await page.getByText("The ledger did not add up").waitFor()
        await page.getByRole("button", { name: "Let trading go on" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Let trading go on" }).click()
        await page.getByText("Operator reset").waitFor()
        await page.getByRole("button", { name: "Fund desk" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByLabel("Amount").fill("500")
        await dialog.getByLabel("Reference").fill("bank-1")
        await dialog.getByRole("button", { name: "Fund desk" }).click()
        await page.getByText("The desk is funded").waitFor()
      })

      yield* visit.go("/audit")
      for (const act of ["kyc.verify", "user.suspend", "company.set_plan", "breaker.reset", "fx_desk.fund"]) {
        const rows = yield* visit.act((page) => page.getByRole("cell", { name: act }).count())
        expect([act, rows > 0]).toEqual([act, true])
      }
      const narrow = yield* DashboardVisit.begin(browser, server.url, { dark: true, width: 390 })
      yield* narrow.signIn(EMAIL, PASSWORD)
      for (const path of [...PAGES, `/kyc/${kycId}`, `/users/${userId}`, `/companies/${companyId}`]) {
        yield* narrow.go(path)
        expect([path, yield* narrow.violations, yield* narrow.overflow]).toEqual([path, [], 0])
      }
      yield* server.post("/api/arena/machine-traders", registration(), { as: admin })
      yield* narrow.go("/machine-traders")
      yield* narrow.act(async (page) => {
        const bounds = await page.getByRole("button", { name: "Retire" }).first().boundingBox()
        expect((bounds?.x ?? 390) + (bounds?.width ?? 0)).toBeLessThanOrEqual(390)
      })
      expect([...visit.complaints, ...narrow.complaints]).toEqual([])
    }))
})
