import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { createHmac } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emporion } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const signed = (time: number, body: string): string =>
  `t=${time},v1=${createHmac("sha256", SECRET).update(`${time}.${body}`).digest("hex")}`

describe("emporion webhooks", () => {
  it("verifies what was received, and says what is wrong with it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emporion-webhooks-"))
    try {
      const [sound, altered] = [join(folder, "sound.json"), join(folder, "altered.json")]
      writeFileSync(sound, "{}")
      writeFileSync(altered, "{ }")
      const header = signed(Math.floor(Date.now() / 1_000), "{}")
      const env = { EMPORION_WEBHOOK_SECRET: SECRET }
      const verify = (...args: ReadonlyArray<string>) =>
        Effect.runPromise(commandHere(["webhooks", "verify", ...args], env))
      const [good, bad, old, nothing] = await Promise.all([
        emporion(["webhooks", "verify", "--header", header, "--body", sound], { env }),
        verify("--header", `X-Service-Signature: ${header}`, "--body", altered, "--json"),
        verify("--header", signed(1_700_000_000, "{}"), "--body", sound),
        Effect.runPromise(commandHere(["webhooks", "listen", "--client-id", "one"]))
      ])
      expect([good.code, good.stderr]).toEqual([0, ""])
      expect(good.stdout).toStartWith("valid  X-Service-Signature, signed ")
      expect(bad.code).toBe(1)
      expect(JSON.parse(bad.stdout)).toMatchObject({ ok: false })
      expect(bad.stderr).toContain("No signature is of this secret over these bytes")
      expect([old.code, old.stdout]).toEqual([1, ""])
      expect(old.stderr).toContain("which is more than 300 s")
      expect([nothing.code, nothing.stdout]).toEqual([1, ""])
      expect(nothing.stderr).toContain("Set EMPORION_CLIENT_SECRET")
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})
