import type { ComponentType } from "react"
import type { IconName } from "../ui/Icon.tsx"

/** The parts of the navigation, in their order. */
export const GROUPS = ["", "Arena", "Commerce", "Money", "Developers", "Account", "Operations"] as const

/** A page of the dashboard. */
export interface Page {
  /** Below `/dashboard`, such as `/orders/:id`; `useParams` of wouter reads the parameters. */
  readonly path: string
  /** Loads the module whose default export is the page's component. */
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** Where it stands in the navigation. A page without it is reached from others, and marks that of its first segment. */
  readonly nav?: { readonly group: (typeof GROUPS)[number]; readonly title: string; readonly icon: IconName }
  /** Listed for administrators alone. The server refuses its reads to others. */
  readonly isForAdmins?: true
}

const administrators = (...pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.map((page) => ({ ...page, isForAdmins: true as const }))

/**
 * Every page, in the order of the navigation. To add one: write `app/<area>/<Name>Page.tsx` with a component as its
 * default export that begins with `<PageHead title="…" />`, and add a line here. Its code is loaded when it is first
 * seen. Its styles, if ui/ has none that fit, go to `app/styles/<Area>.css`, imported in styles/Dashboard.css.
 */
export const PAGES: ReadonlyArray<Page> = [
  {
    path: "/",
    load: () => import("../account/OverviewPage.tsx"),
    nav: { group: "", title: "Overview", icon: "home" }
  },
  {
    path: "/arena",
    load: () => import("../arena/ArenaPage.tsx"),
    nav: { group: "Arena", title: "Live arena", icon: "activity" }
  },
  { path: "/arena/orders/:id", load: () => import("../arena/OrderPage.tsx") },
  {
    path: "/commitments",
    load: () => import("../arena/CommitmentsPage.tsx"),
    nav: { group: "Arena", title: "My commitments", icon: "flow" }
  },
  {
    path: "/bots",
    load: () => import("../bots/BotsPage.tsx"),
    nav: { group: "Arena", title: "Bots", icon: "bot" }
  },
  { path: "/bots/new", load: () => import("../bots/BotFormPage.tsx") },
  { path: "/bots/:id", load: () => import("../bots/BotPage.tsx") },
  {
    path: "/leaderboard",
    load: () => import("../arena/LeaderboardPage.tsx"),
    nav: { group: "Arena", title: "Leaderboard", icon: "trophy" }
  },
  {
    path: "/vault",
    load: () => import("../arena/VaultPage.tsx"),
    nav: { group: "Arena", title: "Vault", icon: "vault" }
  },
  {
    path: "/products",
    load: () => import("../commerce/ProductsPage.tsx"),
    nav: { group: "Commerce", title: "Products", icon: "box" }
  },
  {
    path: "/price-lists",
    load: () => import("../commerce/PriceListsPage.tsx"),
    nav: { group: "Commerce", title: "Price lists", icon: "tag" }
  },
  { path: "/price-lists/:id", load: () => import("../commerce/PriceListPage.tsx") },
  {
    path: "/orders",
    load: () => import("../commerce/OrdersPage.tsx"),
    nav: { group: "Commerce", title: "Orders", icon: "cart" }
  },
  { path: "/orders/:id", load: () => import("../commerce/OrderPage.tsx") },
  {
    path: "/subscriptions",
    load: () => import("../subscriptions/SubscriptionsPage.tsx"),
    nav: { group: "Commerce", title: "Subscriptions", icon: "repeat" }
  },
  { path: "/subscriptions/:id", load: () => import("../subscriptions/SubscriptionPage.tsx") },
  {
    path: "/funds",
    load: () => import("../money/FundsPage.tsx"),
    nav: { group: "Money", title: "Funds", icon: "wallet" }
  },
  { path: "/funds/:id", load: () => import("../money/FundPage.tsx") },
  {
    path: "/payments",
    load: () => import("../payments/PaymentsPage.tsx"),
    nav: { group: "Money", title: "Payments", icon: "receipt" }
  },
  { path: "/payments/:id", load: () => import("../payments/PaymentPage.tsx") },
  {
    path: "/transfers",
    load: () => import("../money/TransfersPage.tsx"),
    nav: { group: "Money", title: "Transfers", icon: "flow" }
  },
  {
    path: "/credit",
    load: () => import("../credit/CreditPage.tsx"),
    nav: { group: "Money", title: "Credit", icon: "card" }
  },
  {
    path: "/clients",
    load: () => import("../account/ClientsPage.tsx"),
    nav: { group: "Developers", title: "API clients", icon: "key" }
  },
  {
    path: "/webhooks",
    load: () => import("../webhooks/WebhooksPage.tsx"),
    nav: { group: "Developers", title: "Webhooks", icon: "hook" }
  },
  { path: "/webhooks/:id", load: () => import("../webhooks/WebhookPage.tsx") },
  { path: "/webhooks/:id/deliveries/:delivery", load: () => import("../webhooks/DeliveryPage.tsx") },
  {
    path: "/requests",
    load: () => import("../requests/RequestsPage.tsx"),
    nav: { group: "Developers", title: "Requests", icon: "flow" }
  },
  { path: "/requests/:id", load: () => import("../requests/RequestPage.tsx") },
  {
    path: "/usage",
    load: () => import("../account/UsagePage.tsx"),
    nav: { group: "Developers", title: "Usage", icon: "chart" }
  },
  {
    path: "/plan",
    load: () => import("../account/PlanPage.tsx"),
    nav: { group: "Account", title: "Plan and limits", icon: "gauge" }
  },
  {
    path: "/account",
    load: () => import("../account/AccountPage.tsx"),
    nav: { group: "Account", title: "Company and profile", icon: "user" }
  },
  ...administrators(
    {
      path: "/kyc",
      load: () => import("../operator/KycReviewsPage.tsx"),
      nav: { group: "Operations", title: "KYC review", icon: "shield" }
    },
    { path: "/kyc/:id", load: () => import("../operator/KycReviewPage.tsx") },
    {
      path: "/users",
      load: () => import("../operator/UsersPage.tsx"),
      nav: { group: "Operations", title: "Users", icon: "user" }
    },
    { path: "/users/:id", load: () => import("../operator/UserPage.tsx") },
    {
      path: "/companies",
      load: () => import("../operator/CompaniesPage.tsx"),
      nav: { group: "Operations", title: "Companies", icon: "box" }
    },
    { path: "/companies/:id", load: () => import("../operator/CompanyPage.tsx") },
    {
      path: "/machine-traders",
      load: () => import("../operator/MachineTradersPage.tsx"),
      nav: { group: "Operations", title: "Machine traders", icon: "bot" }
    },
    {
      path: "/market",
      load: () => import("../operator/MarketPage.tsx"),
      nav: { group: "Operations", title: "Market", icon: "activity" }
    },
    {
      path: "/nodes",
      load: () => import("../operator/NodesPage.tsx"),
      nav: { group: "Operations", title: "Nodes", icon: "flow" }
    },
    {
      path: "/audit",
      load: () => import("../operator/AuditPage.tsx"),
      nav: { group: "Operations", title: "Audit log", icon: "receipt" }
    }
  )
]
