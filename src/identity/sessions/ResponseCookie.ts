import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import type { SessionCookie } from "./SessionCookie.ts"

/** Sets a cookie on the answer of the request that is being served. */
export const setCookie = ({ name, options, value }: SessionCookie) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.orDie(HttpServerResponse.setCookie(response, name, value, options))
  )
