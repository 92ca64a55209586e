import { Redacted } from "effect"
import type { Settings } from "../Config.ts"
import { looksRandom } from "../SecretKey.ts"
import { type Check, type Finding, judged } from "./Finding.ts"
import { holdingNear, tooWide } from "./NetworkBreadth.ts"

type Given = Settings["Service"]

const LOCAL = /^(127\.|\[?::1\]?$|localhost$)/

const isLocal = (host: string): boolean => LOCAL.test(host)

/** Whether a proxy with TLS was named: the address that callers use, and where the proxy is. */
const hasProxy = ({ server: { publicUrl, trustedProxies } }: Given): boolean =>
  publicUrl?.protocol === "https:" && trustedProxies.length > 0

const isOpen = ({ server }: Given): boolean => server.tls === undefined && !isLocal(server.host)

const listed = (names: ReadonlyArray<string>): string | undefined => (names.length === 0 ? undefined : names.join(", "))

const unset = (isUnset: boolean): string | undefined => (isUnset ? "unset" : undefined)

/** The host of a URL that is asked over the network in the clear. */
const inTheClear = (url: URL | undefined): string | undefined =>
  url?.protocol === "http:" && !isLocal(url.hostname) ? url.origin : undefined

/** The host of a database that is spoken to in the clear over a network, by the parameters that its clients read. */
const openDatabase = ({ database: { url } }: Given): string | undefined => {
  if (url === undefined) return undefined
  const { host, hostname, searchParams } = new URL(Redacted.value(url))
  const named = searchParams.get("host") ?? hostname
  const encrypts = /^(require|verify-ca|verify-full)$/.test(searchParams.get("sslmode") ?? "")
  return encrypts || named === "" || named.startsWith("/") || isLocal(named) ? undefined : host || named
}

/** Settings that keep a server from production. */
const FAILURES: ReadonlyArray<Check<Given>> = [
  {
    about: "HOST",
    standing: "fail",
    when: "not of this machine alone, without `TLS_CERT`, and without `PUBLIC_URL` and `TRUSTED_PROXIES`",
    todo: "tokens would pass in the clear; set TLS_CERT and TLS_KEY, or PUBLIC_URL and TRUSTED_PROXIES to the proxy's, or HOST to 127.0.0.1.",
    found: (given) => (isOpen(given) && !hasProxy(given) ? given.server.host : undefined)
  },
  {
    about: "RATE_LIMITS",
    standing: "fail",
    when: "`off`",
    todo: "callers have no limit, which is for benchmarks; set it to on, or leave it unset.",
    found: ({ server }) => (server.rateLimits ? undefined : "off")
  },
  {
    about: "TRUSTED_PROXIES",
    standing: "fail",
    when: "more of the Internet's addresses than one operator has (a /8, or a /16 of IPv6), such as `0.0.0.0/0`",
    todo: "callers could choose the address that the limits count; name the addresses of your own proxies.",
    found: ({ server }) => listed(tooWide(server.trustedProxies))
  },
  {
    about: "WEBHOOK_ALLOWED_NETWORKS",
    standing: "fail",
    when: "holds an address of this machine, of its link or of a cloud's metadata, such as `0.0.0.0/0` or `127.0.0.0/8`",
    todo: "subscribers could send requests to this machine's own services and read the answers; name only the networks of receivers.",
    found: ({ webhooks }) => listed(holdingNear(webhooks.allowedNetworks))
  },
  {
    about: "SECRET_KEY",
    standing: "fail",
    when: "not random: zeros, a repeated or counted pattern, readable text",
    todo: "make one with openssl rand -hex 32.",
    found: ({ secretKey }) => (looksRandom(Redacted.value(secretKey)) ? undefined : "not random")
  }
]

/** Settings that production starts with, and that are worth a look. */
const WARNINGS: ReadonlyArray<Check<Given>> = [
  {
    about: "PUBLIC_URL",
    standing: "warn",
    when: "unset",
    todo: "tokens and cookies name the local address; set it to the https address that callers use.",
    found: ({ server }) => unset(server.publicUrl === undefined)
  },
  {
    about: "TLS_CERT",
    standing: "warn",
    when: "unset where `HOST` is not of this machine alone and a proxy is named",
    todo: "callers who reach HOST past the proxy send in the clear; let only the proxy reach it.",
    found: (given) => unset(isOpen(given) && hasProxy(given))
  },
  {
    about: "TRUSTED_PROXIES",
    standing: "warn",
    when: "unset without `TLS_CERT`",
    todo: "behind a proxy every caller has the proxy's address and shares its limits; set it to the proxy's address.",
    found: ({ server }) => unset(server.tls === undefined && server.trustedProxies.length === 0)
  },
  {
    about: "CORS_ORIGINS",
    standing: "warn",
    when: "an origin of `http://`",
    todo: "others can read and change what such a page sends and shows; serve it by https.",
    found: ({ server }) => listed(server.corsOrigins.filter((origin) => origin.startsWith("http:")))
  },
  {
    about: "WEBHOOK_ALLOWED_NETWORKS",
    standing: "warn",
    when: "any other network",
    todo: "every subscriber can send requests to it and read the answers; name as few addresses as you can.",
    found: ({ webhooks: { allowedNetworks } }) => {
      const near = new Set(holdingNear(allowedNetworks))
      return listed(allowedNetworks.filter((network) => !near.has(network)))
    }
  },
  {
    about: "SMTP_URL",
    standing: "warn",
    when: "unset",
    todo: "nobody can reset a password or verify an email; set it and MAIL_FROM.",
    found: ({ mail }) => unset(mail.smtpUrl === undefined)
  },
  {
    about: "DATABASE_URL",
    standing: "warn",
    when: "unset",
    todo: "the embedded database has no replica; set it to a PostgreSQL that you back up.",
    found: ({ database }) => unset(database.url === undefined)
  },
  {
    about: "DATABASE_URL",
    standing: "warn",
    when: "another machine, without `sslmode=require`",
    todo: "all stored data passes the network in the clear; add sslmode=require.",
    found: openDatabase
  },
  {
    about: "ORACLE_FX_URL",
    standing: "warn",
    when: "unset",
    todo: "no fx and metals orders are made; set it to a source of rates.",
    found: ({ oracles }) => unset(oracles.fxUrl === undefined)
  },
  {
    about: "ORACLE_FX_URL",
    standing: "warn",
    when: "another machine's by `http://`",
    todo: "others can change prices, which move money, on their way; ask for them by https.",
    found: ({ oracles }) => inTheClear(oracles.fxUrl)
  },
  {
    about: "GPU_PRICES_URL",
    standing: "warn",
    when: "another machine's by `http://`",
    todo: "others can change prices, which move money, on their way; ask for them by https.",
    found: ({ oracles }) => inTheClear(oracles.gpuPricesUrl)
  },
  {
    about: "ARENA_PROFILE",
    standing: "warn",
    when: "`demo`",
    todo: "orders last seconds, which is for a demonstration; leave it unset.",
    found: ({ arena }) => (arena.profile === "demo" ? "demo" : undefined)
  },
  {
    about: "LOG_LEVEL",
    standing: "warn",
    when: "`fatal` or `none`",
    todo: "the log does not show failures; set it to info or warn.",
    found: ({ observability: { logLevel } }) =>
      logLevel === "Fatal" || logLevel === "None" ? logLevel.toLowerCase() : undefined
  }
]

/** Settings that are right one by one, and are not what production should have. */
export const settingsChecks: ReadonlyArray<Check<Given>> = [...FAILURES, ...WARNINGS]

/** The sandbox may have them all. */
export const settingsFindings = (given: Given): ReadonlyArray<Finding> =>
  given.mode === "production" ? judged(settingsChecks, given) : []
