import { Context, Effect, Layer } from "effect"
import { freePort } from "./FreePort.ts"
import { layerWith } from "./IdentityServer.ts"
import { openIdServer } from "./OpenIdServer.ts"
import type { OpenIdServer } from "./OpenIdServer.ts"
import { SHOP_CLIENT, shopServer } from "./ShopServer.ts"
import type { ShopServer } from "./ShopServer.ts"

export const SHOP = "acme.myshopify.com"

/** A real identity provider and a shop, and the address of the platform that uses them. */
export class ProviderFixture extends Context.Service<
  ProviderFixture,
  {
    readonly url: string
    readonly provider: OpenIdServer
    readonly shop: ShopServer
  }
>()("test/ProviderFixture") {}

const OWNER = { id: 1, email: "owner@shop.example", email_verified: true, account_owner: true } as const

/** The identity context behind HTTP, with an identity provider and a shop beside it. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const port = yield* freePort
    const url = `http://127.0.0.1:${port}`
    const provider = yield* openIdServer(`${url}/auth/google/callback`)
    const shop = yield* shopServer(SHOP, OWNER)
    return layerWith({
      PORT: String(port),
      IDENTITY_PROVIDER_ISSUER: provider.issuer,
      IDENTITY_PROVIDER_CLIENT_ID: provider.clientId,
      IDENTITY_PROVIDER_CLIENT_SECRET: provider.clientSecret,
      ECOMMERCE_CLIENT_ID: SHOP_CLIENT.id,
      ECOMMERCE_CLIENT_SECRET: SHOP_CLIENT.secret,
      ECOMMERCE_SHOP_URL: shop.url
    }).pipe(Layer.provideMerge(Layer.succeed(ProviderFixture, ProviderFixture.of({ url, provider, shop }))))
  })
)
