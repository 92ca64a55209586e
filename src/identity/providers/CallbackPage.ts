import type { ServerSettings } from "../../Config.ts"
import type { SignInSettings } from "../../SignInSettings.ts"
import { issuer } from "../tokens/Issuer.ts"

/** Where the identity provider sends the browser: the page of the settings, else the platform's own. */
export const providerCallback = (server: ServerSettings, { callbackUrl }: SignInSettings): URL =>
  callbackUrl ?? new URL(`${issuer(server)}/auth/google/callback`)

/** Where a shop sends the browser: the page of the settings, else the platform's own. */
export const shopCallback = (server: ServerSettings, { shopCallbackUrl }: SignInSettings): URL =>
  shopCallbackUrl ?? new URL(`${issuer(server)}/auth/ecommerce/callback`)
