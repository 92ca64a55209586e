import type { Populated } from "./Populated.ts"

/** A page to be looked at. */
export interface Shot {
  /** The file's name begins with it. */
  readonly name: string
  /** Below `/dashboard`. */
  readonly path: string
}

/** Pages that are seen without signing in. */
export const OUTSIDE: ReadonlyArray<Shot> = [
  { name: "sign-in", path: "/" },
  { name: "register", path: "/register" }
]

/** Every page of somebody who is signed in. */
export const inside = ({
  arenaOrder,
  bot,
  delivery,
  fund,
  order,
  payment,
  priceList,
  subscription,
  webhook,
  wonOrder
}: Populated): ReadonlyArray<Shot> => [
  { name: "overview", path: "/" },
  { name: "arena", path: "/arena" },
  { name: "arena-order", path: `/arena/orders/${arenaOrder}` },
  { name: "arena-settlement", path: `/arena/orders/${wonOrder}` },
  { name: "commitments", path: "/commitments" },
  { name: "leaderboard", path: "/leaderboard" },
  { name: "vault", path: "/vault" },
  { name: "bots", path: "/bots" },
  { name: "bot", path: `/bots/${bot}` },
  { name: "bot-new", path: "/bots/new" },
  { name: "products", path: "/products" },
  { name: "price-lists", path: "/price-lists" },
  { name: "price-list", path: `/price-lists/${priceList}` },
  { name: "orders", path: "/orders" },
  { name: "order", path: `/orders/${order}` },
  { name: "subscriptions", path: "/subscriptions" },
  { name: "subscription", path: `/subscriptions/${subscription}` },
  { name: "funds", path: "/funds" },
  { name: "fund", path: `/funds/${fund}` },
  { name: "payments", path: "/payments" },
  { name: "payment", path: `/payments/${payment}` },
  { name: "transfers", path: "/transfers" },
  { name: "credit", path: "/credit" },
  { name: "clients", path: "/clients" },
  { name: "webhooks", path: "/webhooks" },
  { name: "webhook", path: `/webhooks/${webhook}` },
  { name: "delivery", path: `/webhooks/${webhook}/deliveries/${delivery}` },
  { name: "usage", path: "/usage" },
  { name: "plan", path: "/plan" },
  { name: "account", path: "/account" }
]
