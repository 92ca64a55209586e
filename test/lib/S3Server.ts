import { Effect } from "effect"
import type { Scope } from "effect"
import { createHash, createHmac } from "node:crypto"

/** The one key that the store knows. */
const S3_KEY = { id: "AKIDEMPORION", secret: "wJalrXUtnFEMI/K7MDENG" } as const

const BUCKET = "backups"

/** Names that a page of a listing has at most. */
const PAGE = 3

/** A store that speaks as much S3 as backups need, and checks every signature. */
export interface S3Server {
  /** The environment under which commands find it. */
  readonly env: Readonly<Record<string, string>>
  /** Where backups go in it. */
  readonly place: string
  /** The objects by key. */
  readonly objects: Map<string, Uint8Array>
  /** So many requests from now on are refused for a moment. */
  readonly refuse: (requests: number) => void
  /** So many requests from now on are never answered. */
  readonly hang: (requests: number) => void
}

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex")
const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest()

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

/** Signature Version 4, as the documentation of S3 defines it, from what arrived. */
const signatureOf = (request: Request, url: URL, scope: string, signed: string): string => {
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join("&")
  const headers = signed.split(";").map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}\n`)
  const path = decodeURIComponent(url.pathname).split("/").map(encoded).join("/")
  const canonical = [
    request.method,
    path,
    query,
    headers.join(""),
    signed,
    request.headers.get("x-amz-content-sha256") ?? ""
  ].join("\n")
  const text = ["AWS4-HMAC-SHA256", request.headers.get("x-amz-date") ?? "", scope, sha256(canonical)].join("\n")
  const key = scope.split("/").reduce<string | Uint8Array>((under, part) => hmac(under, part), `AWS4${S3_KEY.secret}`)
  return hmac(key, text).toString("hex")
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

const refusal = (status: number, code: string): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is so.</Message></Error>`, {
    status,
    headers: { "content-type": "application/xml" }
  })

const unsigned = (request: Request, url: URL, body: Uint8Array): Response | undefined => {
  const [, id, scope = "", signed = "", signature] =
    AUTHORIZATION.exec(request.headers.get("authorization") ?? "") ?? []
  if (id !== S3_KEY.id) return refusal(403, "InvalidAccessKeyId")
  if (signature !== signatureOf(request, url, scope, signed)) return refusal(403, "SignatureDoesNotMatch")
  const hash = request.headers.get("x-amz-content-sha256")
  return hash === sha256(body) ? undefined : refusal(400, "XAmzContentSHA256Mismatch")
}

const listed = (objects: ReadonlyMap<string, Uint8Array>, query: URLSearchParams): Response => {
  const [prefix, after] = [query.get("prefix") ?? "", query.get("continuation-token") ?? query.get("start-after") ?? ""]
  const shown = new Set(
    [...objects.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => prefix + key.slice(prefix.length).replace(/\/.*/, "/"))
  )
  const behind = [...shown].filter((key) => key > after).toSorted()
  const page = behind.slice(0, PAGE)
  const entries = page.map((key) =>
    key.endsWith("/")
      ? `<CommonPrefixes><Prefix>${key}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${key}</Key></Contents>`
  )
  const next = behind.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ""
  return new Response(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${next}${entries.join("")}</ListBucketResult>`,
    { headers: { "content-type": "application/xml" } }
  )
}

const answered = (objects: Map<string, Uint8Array>, request: Request, url: URL, body: Uint8Array): Response => {
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/")
  if (bucket !== BUCKET) return refusal(404, "NoSuchBucket")
  const key = rest.join("/")
  if (key === "") return listed(objects, url.searchParams)
  const found = objects.get(key)
  switch (request.method) {
    case "PUT":
      objects.set(key, body)
      return new Response()
    case "DELETE":
      objects.delete(key)
      return new Response(null, { status: 204 })
    case "HEAD":
      return found === undefined
        ? new Response(null, { status: 404 })
        : new Response(null, { headers: { "content-length": String(found.length) } })
    default:
      return found === undefined ? refusal(404, "NoSuchKey") : new Response(Buffer.from(found))
  }
}

export const s3Server: Effect.Effect<S3Server, never, Scope.Scope> = Effect.gen(function* () {
  const objects = new Map<string, Uint8Array>()
  let refused = 0
  let hanging = 0
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: async (request) => {
          const body = new Uint8Array(await request.arrayBuffer())
          const url = new URL(request.url)
          hanging -= 1
          if (hanging >= 0) return new Promise<Response>(() => {})
          refused -= 1
          if (refused >= 0) return refusal(503, "SlowDown")
          return unsigned(request, url, body) ?? answered(objects, request, url, body)
        }
      })
    ),
    (started) => Effect.promise(() => started.stop(true))
  )
  return {
    env: {
      AWS_ENDPOINT_URL_S3: server.url.origin,
      AWS_ACCESS_KEY_ID: S3_KEY.id,
      AWS_SECRET_ACCESS_KEY: S3_KEY.secret
    },
    place: `s3://${BUCKET}/of/emporion`,
    objects,
    refuse: (requests) => {
      refused = requests
    },
    hang: (requests) => {
      hanging = requests
    }
  }
})
