import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ErrorResponse from "../http/ErrorResponse.ts"
import { toRouted } from "../http/PlainResponse.ts"
import type { RequestState } from "../RequestState.ts"
import { PAGE_POLICY } from "./DashboardPage.ts"
import type { Asset } from "./PageAssets.ts"

/** The name of an asset holds a hash of it, so a browser need never ask again. */
const FOREVER = "public, max-age=31536000, immutable"

const takesBrotli = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /\bbr\b/.test(headers["accept-encoding"] ?? "")

const answer = ({ contentType, packed, plain }: Asset, brotli: boolean) =>
  HttpServerResponse.uint8Array(brotli ? packed : plain, {
    contentType,
    headers: { "cache-control": FOREVER, vary: "Accept-Encoding", ...(brotli ? { "content-encoding": "br" } : {}) }
  })

/** A file that a page loads, as small as the browser takes it; 404 where there is none of its name. */
export const assetResponse = (
  state: RequestState["Service"],
  request: HttpServerRequest.HttpServerRequest,
  asset: Asset | undefined
): HttpServerResponse.HttpServerResponse =>
  asset === undefined
    ? toRouted(ErrorResponse.make(state, "not_found", "There is no such file: load the page anew."))
    : answer(asset, takesBrotli(request))

/** A page that loads nothing but this server's own files. */
export const pageResponse = (html: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-cache", "content-security-policy": PAGE_POLICY }
  })
