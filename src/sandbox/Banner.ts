import { Console, Effect, Redacted } from "effect"
import { Settings } from "../Config.ts"
import { HttpServer } from "../http/HttpServer.ts"
import { FirstAdmin } from "../identity/accounts/FirstAdmin.ts"
import { type Demo, DemoAccount } from "./DemoAccount.ts"

/** The shell lines that take a token, find an open order and commit to it: they need curl, sed and awk alone. */
export const commitExample = (url: string, { client }: Demo): string => {
  const secret = Redacted.value(client.secret)
  return [
    `TOKEN=$(curl -s ${url}/api/v1/auth/token -d grant_type=client_credentials -d client_id=${client.clientId} \\`,
    `  -d client_secret=${secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s "${url}/api/arena/orders?limit=1" -H "Authorization: Bearer $TOKEN" |`,
    `  sed 's/.*"order_id":"\\([^"]*\\)".*"entry_price":\\([0-9.]*\\).*/\\1 \\2/' |`,
    `  awk '{printf "{\\"order_id\\":\\"%s\\",\\"proposed_entry_price\\":%s,\\"expected_exit_price\\":%.6f,\\"quantity\\":0.05,\\"slippage_tolerance\\":0.02}",$1,$2,$2*1.05}' |`,
    `  curl -s ${url}/api/arena/commitments -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d @-`
  ].join("\n")
}

const demoLines = (url: string, demo: Demo): ReadonlyArray<string> => [
  "",
  `Demo login   ${demo.email}  ${Redacted.value(demo.password)}`,
  `API client   ${demo.client.clientId}  ${Redacted.value(demo.client.secret)}`,
  "",
  "Three things to try:",
  "1. Commit to an order (copy all lines):",
  commitExample(url, demo),
  "",
  "2. Watch orders appear, traders compete and winners settle:",
  `npx -y wscat -c ${url.replace(/^http/, "ws")}/ws/arena`,
  "",
  `3. Read the reference: ${url}/docs`
]

/** What a person sees once the server listens. */
export const print = Effect.gen(function* () {
  const { arena, mode } = yield* Settings
  const { url } = yield* HttpServer
  const { made } = yield* FirstAdmin
  const { demo } = yield* DemoAccount
  const minutes = arena.slotSeconds / 60
  const lines = [
    "",
    `Emporion     ${url}  (${mode}${mode === "sandbox" ? ": play money, simulated prices" : ""})`,
    `Dashboard    ${url}/dashboard`,
    `Reference    ${url}/docs  ${url}/openapi.json`,
    `Live events  ${url.replace(/^http/, "ws")}/ws/arena`,
    `Health       ${url}/health/ready  ${url}/metrics`,
    `New orders   every ${minutes < 1 ? `${arena.slotSeconds} seconds` : `${minutes} minutes`}, settled ${
      arena.commitWindowSeconds + arena.settlementDelaySeconds
    } seconds after they open`,
    ...(made?.password === undefined
      ? []
      : ["", `First administrator, shown this once: ${made.email}  ${Redacted.value(made.password)}`]),
    ...(demo === undefined ? [] : demoLines(url, demo)),
    ""
  ]
  yield* Console.log(lines.join("\n"))
})
