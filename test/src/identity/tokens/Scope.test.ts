import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import * as Scope from "../../../../src/identity/tokens/Scope.ts"

const granted = ["orders:read", "orders:write"] as const

describe("Scope", () => {
  it("gives everything granted when nothing is asked for", () => {
    expect(Result.getOrThrow(Scope.narrow(granted, undefined))).toEqual(granted)
    expect(Result.getOrThrow(Scope.narrow(granted, "  "))).toEqual(granted)
  })

  it("gives what is asked for and granted, once", () => {
    expect(Result.getOrThrow(Scope.narrow(granted, "orders:read orders:read"))).toEqual(["orders:read"])
  })

  it("tells a scope that does not exist from one that is not granted", () => {
    expect(Result.getOrThrow(Result.flip(Scope.narrow(granted, "orders:read everything")))._tag).toBe("UnknownScope")
    expect(Result.getOrThrow(Result.flip(Scope.narrow(granted, "kyc:read")))._tag).toBe("ScopeNotGranted")
  })

  it("drops unknown names that were stored", () => {
    expect(Scope.known(["kyc:read", "gone:read"])).toEqual(["kyc:read"])
  })
})
