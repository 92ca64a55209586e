import type { Node } from "oxc-parser"
import { at, keep } from "./Rule.ts"
import { type Source, sources } from "./Source.ts"

const rendering = [...sources("engine"), ...sources("src")].filter(
  ({ path }) => !/^src\/(api|dashboard|database|client|cli)\/|^engine\/simulation\/|(Rows?|Repository)\.ts$/.test(path)
)

/** Names of the wire that two objects may share and still be two things: such as times, and whose they are. */
const MOST_SHARED = 4

/** An object that is made of values under the names of the wire. */
interface View {
  readonly file: Source
  readonly line: number
  readonly names: ReadonlySet<string>
}

const keyOf = (node: Node): string =>
  node.type === "Property" && node.key.type === "Identifier" && node.key.name.includes("_") ? node.key.name : ""

const viewsIn = (file: Source): ReadonlyArray<View> =>
  file.nodes.flatMap(({ node }) => {
    if (node.type !== "ObjectExpression") return []
    const isSchema = node.properties.some((property) =>
      /: Schema\./.test(file.text.slice(property.start, property.end))
    )
    const names = new Set(node.properties.map(keyOf).filter((name) => name !== ""))
    return isSchema || names.size <= MOST_SHARED ? [] : [{ file, line: file.lineOf(node.start), names }]
  })

const isSecond = (view: View, other: View): boolean =>
  view.file.path !== other.file.path && [...view.names].filter((name) => other.names.has(name)).length > MOST_SHARED

const known = rendering.flatMap(viewsIn)

/** The first lines of what shows a subscription, in another file. */
const COPY = `export const subscriptionAnswer = ({ terms }: SubscriptionState) => ({
  id: terms.subscriptionId,
  company_id: terms.buyer.companyId,
  user_id: terms.buyer.userId,
  seller_company_id: terms.seller.companyId,
  product_id: terms.productId,
  unit_price: terms.unitPrice
})`

keep({
  name: "A thing is rendered in one file, for HTTP, webhooks and the fast lane alike",
  over: rendering,
  violations: (files) =>
    files.flatMap(viewsIn).flatMap((view) => {
      const other = known.find((one) => isSecond(view, one))
      return other === undefined ? [] : [at(view.file, view.line, `renders again what ${other.file.path} renders`)]
    }),
  broken: [
    ["src/subscriptions/SubscriptionResponses.ts", COPY],
    [
      "src/subscriptions/SubscriptionRpcs.ts",
      COPY.replace("({ terms }: SubscriptionState) => (", "").replace(/\)$/, "")
    ],
    [
      "src/webhooks/WebhookResponses.ts",
      `const shown = (a) => { const b = { trader_type: a.t, loss_reason: a.l, commitment_id: a.c, proposed_entry_price: a.p, expected_exit_price: a.e }; return b }`
    ]
  ],
  kept: [
    [
      "src/funds/FundsHandlers.ts",
      `const a = { company_id: 1, user_id: 2, created_at: 3, updated_at: 4, own_thing: 5 }`
    ],
    [
      "src/funds/FundSchema.ts",
      `const Fund = Schema.Struct({ fund_id: Schema.String, company_id: Schema.String, user_id: Id, net_funded: Usd, created_at: Time })`
    ]
  ]
})

const WRITTEN = /(?:encode\w*Sync\(\s*Schema\.fromJsonString|JSON\.stringify\(encode\w*\(|[`'"]\{\\?")/g

/** The encoder itself; what compares with recorded bytes; what never differs; and what a column keeps. */
const OTHERS = new Set(["engine/wire/JsonEncoder.ts", "engine/replay/ChainWalk.ts", "engine/bots/BotRows.ts"])

keep({
  name: "The JSON of a schema is written by its encoder",
  over: [...sources("engine"), ...sources("src")].filter(({ path }) => !OTHERS.has(path)),
  violations: (files) =>
    files.flatMap((file) =>
      [...file.text.matchAll(WRITTEN)]
        .filter(({ index }) => !file.comments.some(({ end, start }) => start <= index && index < end))
        .map(({ index }) => at(file, file.lineOf(index), "writes JSON beside its schema"))
    ),
  broken: [
    ["src/funds/A.ts", "const encode = Schema.encodeSync(Schema.fromJsonString(Fund))"],
    ["src/funds/A.ts", "const text = JSON.stringify(encodeFund(fund))"],
    ["src/funds/A.ts", 'const text = `{"id":${id}}`'],
    ["src/funds/A.ts", `const text = '{"id":' + id + "}"`]
  ],
  kept: [
    ["src/funds/A.ts", "const encode = encoderOf(Fund)"],
    ["src/funds/A.ts", 'const decode = Schema.decodeSync(Schema.fromJsonString(Fund))\n// `{"id": 1}`']
  ]
})
