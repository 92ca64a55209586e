import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { MAX_URL, mayBePlain, webhookUrl, type WebhookUrlRules } from "../../../src/webhooks/WebhookUrl.ts"
import { HOSTILE_HOSTS } from "../../lib/HostileHosts.ts"

const rules = (mode: WebhookUrlRules["mode"], ...allowedNetworks: ReadonlyArray<string>): WebhookUrlRules => ({
  mode,
  webhooks: { allowedNetworks }
})

const sandbox = rules("sandbox")

const refusal = (text: string, by: WebhookUrlRules = sandbox): string | undefined =>
  Result.match(webhookUrl(text, by), { onSuccess: () => undefined, onFailure: (reason) => reason })

describe("WebhookUrl", () => {
  it("is an https URL, which may have a port, a path and a query", () => {
    const url = "https://hook.example:8443/a/b?c=d"
    expect(Result.map(webhookUrl(url, sandbox), ({ href }) => href)).toEqual(Result.succeed(url))
    expect(refusal("https://1.1.1.1/")).toBeUndefined()
  })

  it("is nothing else", () => {
    expect(refusal("hook.example")).toBe("expected an https URL such as https://example.com/webhooks")
    for (const other of [
      "http://hook.example/",
      "ftp://hook.example/",
      "file:///etc/passwd",
      "gopher://x/",
      "data:,x"
    ]) {
      expect(refusal(other)).toBe("expected a URL that starts with https://")
    }
    expect(refusal("https://user:secret@hook.example/")).toBe("expected a URL without a user and password")
    expect(refusal(`https://hook.example/${"x".repeat(MAX_URL)}`)).toBe(`expected at most ${MAX_URL} characters`)
  })

  it("names no address that is not public", () => {
    for (const host of HOSTILE_HOSTS) expect(refusal(`https://${host}/`)).toStartWith("expected a public address: ")
    expect(refusal("https://[::1]/")).toBe("expected a public address: ::1 is a loopback address")
  })

  it("may be plain in the sandbox alone, where networks are named", () => {
    const plain = "http://127.0.0.1:4000/hook"
    expect(refusal(plain, rules("sandbox", "127.0.0.0/8"))).toBeUndefined()
    expect(refusal("http://1.1.1.1/", rules("sandbox", "127.0.0.0/8"))).toBe(
      "expected an allowed address: 1.1.1.1 is not in WEBHOOK_ALLOWED_NETWORKS, to which alone plain http is sent"
    )
    expect(refusal(plain, rules("production", "127.0.0.0/8"))).toBe("expected a URL that starts with https://")
    expect(refusal(plain)).toBe(
      'expected a URL that starts with https://; "emporion webhooks listen" brings events to your own machine, and ' +
        "WEBHOOK_ALLOWED_NETWORKS lets http in"
    )
    expect(refusal("https://127.0.0.1/", rules("production", "127.0.0.0/8"))).toBeUndefined()
    expect(mayBePlain(rules("sandbox", "127.0.0.0/8"))).toBe(true)
    expect(mayBePlain(sandbox)).toBe(false)
  })
})
