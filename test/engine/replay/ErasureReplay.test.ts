import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { ErasureReplay } from "../../../engine/replay/ErasureReplay.ts"

const stored = (stream: string, version: number) => ({ seq: 1, stream, version, type: "T", data: "", hash: "" })
const by = { userId: "usr_a", requestId: null, administers: true }
const event = { _tag: "UserErased", at: 1, by, userId: "usr_b", companyId: "cmp_b", companyErased: false } as const

describe("ErasureReplay", () => {
  it("moves nothing, and refuses another stream and a second erasure", () => {
    const replay = new ErasureReplay()
    expect(replay.decide(event, stored("user/usr_b", 1))).toEqual(Result.succeed([]))
    expect(Result.isFailure(replay.decide(event, stored("user/usr_a", 1)))).toBe(true)
    expect(Result.isFailure(replay.decide(event, stored("user/usr_b", 2)))).toBe(true)
  })
})
