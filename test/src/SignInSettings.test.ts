import { describe, expect, it } from "bun:test"
import { Effect, Redacted } from "effect"
import { Settings } from "../../src/Config.ts"
import type { SettingRefused } from "../../src/Setting.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.runPromise(
    Effect.provide(
      Effect.map(Settings, ({ signIn }) => signIn),
      Settings.layerOf(variables)
    )
  )

const refusal = (variables: Readonly<Record<string, string>>): Promise<SettingRefused> =>
  Effect.runPromise(Effect.flip(Effect.provide(Settings, Settings.layerOf(variables))))

const GOOGLE = { IDENTITY_PROVIDER_CLIENT_ID: "id", IDENTITY_PROVIDER_CLIENT_SECRET: "hidden" }
const SHOPS = { ECOMMERCE_CLIENT_ID: "id", ECOMMERCE_CLIENT_SECRET: "hidden" }
const PRODUCTION = { APP_MODE: "production", PUBLIC_URL: "https://a.example", SANDBOX_TRADERS: "0" }

describe("The settings of signing in elsewhere", () => {
  it("name nobody by default", async () => {
    expect(await read({})).toEqual({
      provider: undefined,
      callbackUrl: undefined,
      shops: undefined,
      shopCallbackUrl: undefined
    })
  })

  it("name Google and its shops' platform with a client alone", async () => {
    const { provider, shops } = await read({ ...GOOGLE, ...SHOPS })
    expect(provider?.issuer.href).toBe("https://accounts.google.com/")
    expect(shops).toMatchObject({ domain: "myshopify.com", shopUrl: undefined })
    expect(Redacted.value(provider?.clientSecret ?? Redacted.make(""))).toBe("hidden")
  })

  it("refuse half a client, and what is no URL or domain, without showing a secret", async () => {
    const wrong: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
      ["IDENTITY_PROVIDER_CLIENT_ID", { IDENTITY_PROVIDER_CLIENT_SECRET: "hidden" }],
      ["IDENTITY_PROVIDER_CLIENT_SECRET", { IDENTITY_PROVIDER_CLIENT_ID: "id" }],
      ["ECOMMERCE_CLIENT_SECRET", { ECOMMERCE_CLIENT_ID: "id" }],
      ["IDENTITY_PROVIDER_ISSUER", { ...GOOGLE, IDENTITY_PROVIDER_ISSUER: "accounts.google.com" }],
      ["IDENTITY_PROVIDER_CALLBACK_URL", { ...GOOGLE, IDENTITY_PROVIDER_CALLBACK_URL: "https://a.example/?b=1" }],
      ["ECOMMERCE_CALLBACK_URL", { ...SHOPS, ECOMMERCE_CALLBACK_URL: "https://a.example/#b" }],
      ["ECOMMERCE_DOMAIN", { ...SHOPS, ECOMMERCE_DOMAIN: "com" }],
      ["ECOMMERCE_DOMAIN", { ...SHOPS, ECOMMERCE_DOMAIN: "a.example/b" }]
    ]
    for (const [variable, variables] of wrong) {
      const refused = await refusal(variables)
      expect(refused.variable).toBe(variable)
      expect(refused.message).not.toContain("hidden")
    }
  })

  it("are https in production, and have no shop for tests there", async () => {
    const insecure = await refusal({ ...PRODUCTION, ...GOOGLE, IDENTITY_PROVIDER_ISSUER: "http://127.0.0.1:1" })
    expect(insecure.variable).toBe("IDENTITY_PROVIDER_ISSUER")
    const shop = await refusal({ ...PRODUCTION, ...SHOPS, ECOMMERCE_SHOP_URL: "https://shop.example" })
    expect(shop.message).toContain("sandbox alone")
    expect((await read({ ...SHOPS, ECOMMERCE_SHOP_URL: "http://127.0.0.1:1" })).shops?.shopUrl?.port).toBe("1")
  })
})
