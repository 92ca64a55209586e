/** The refusals of services that no simulation plays: their checks stand before the engine's, and are tested there. */

const NO_SIGN_IN = "nobody signs in, registers or shows a token: who asks is known"
const NO_USERS = "users and their companies are there from the start, and nobody looks them up or changes them"
const NO_PAPERS = "nobody's papers are looked at"
const NO_PAGE = "a page of a browser asks for it, or does not: a simulation has neither cookies nor origins"
const OF_TABLES = "it is answered from tables alone, and nothing is decided by it"
const NOT_THERE = "what is not there, or is another company's, is found out before the engine is asked"
const NO_PRICE_LISTS = "no seller has a price list for a customer: the engine is told the price"
const NO_PLANS = "the plan of a company and its rights are known by sign-in, and keep nobody from a bot here"
const NO_FILES = "no module's file is read: what a bot's module asks for is drawn"
const FORM = "the form of a request is read before the engine is asked, which is given what was read"
const MINTED = "the house mints what there is at the start, and nobody asks for more"
const BANKS = "accounts at banks and people to send to are named by sign-in and by forms"
const REGISTERED =
  "whom an administrator registers is looked up before it is decided: each agent here has an id of its own"
const ENDPOINT = "where deliveries go, and how many webhooks a company has, is looked at before the engine is asked"

/** Why nobody in a simulation is told a refusal, by its context and its class, such as `identity/EmailTaken`. */
export const OUTSIDE_REFUSALS: Readonly<Record<string, string>> = {
  "analytics/BadRange": OF_TABLES,
  "arena/AgentIdTaken": REGISTERED,
  "arena/InvalidRegistration": REGISTERED,
  "arena/UnknownMachineTrader": REGISTERED,
  "bots/AccountNotCovering":
    "it is how the service words the ledger's InsufficientFunds, which simulations are asked for by its own name",
  "bots/BotLimitReached": NO_PLANS,
  "bots/EntitlementRequired": NO_PLANS,
  "bots/InvalidStrategyModule": NO_FILES,
  "bots/ModuleNotThere": NO_FILES,
  "bots/NotItsUser": NO_SIGN_IN,
  "bots/NotOwnBot": OF_TABLES,
  "bots/NotOwner": NOT_THERE,
  "bots/NotWholeCents": FORM,
  "bots/PlanRequired": NO_PLANS,
  "bots/UsdMissing":
    "it is how the service words an account that does not cover its credits: owners are answered NoUsd for that here",
  "bots/WalletRequired": NO_USERS,
  "commerce/BuyerNotFound": NOT_THERE,
  "commerce/KycRequired": NO_PAPERS,
  "commerce/NotACustomer": NO_PRICE_LISTS,
  "commerce/NotOwnProduct": NO_PRICE_LISTS,
  "commerce/NotTheSeller": NOT_THERE,
  "commerce/OrderNotFound": NOT_THERE,
  "commerce/PriceListNotFound": NO_PRICE_LISTS,
  "commerce/PriceTaken": NO_PRICE_LISTS,
  "commerce/ProductNotFound": NOT_THERE,
  "commerce/SellerGone": NO_USERS,
  "credit/NotOwnCompany": NO_SIGN_IN,
  "credit/ProfileForbidden": OF_TABLES,
  "credit/ProfileNotFound": OF_TABLES,
  "database/FilterTooWide": OF_TABLES,
  "erasure/ErasureRefused": "nobody of a simulation has a name that could be forgotten",
  "funds/FundIdConflict": MINTED,
  "funds/FundNotFound": MINTED,
  "funds/MintForbidden": MINTED,
  "funds/MintLimitReached": MINTED,
  "funds/OwnerNotFound": MINTED,
  "funds/ReferenceRequired": MINTED,
  "funds/ReferenceUsed": MINTED,
  "identity/AccountGone": NO_SIGN_IN,
  "identity/ClientNotFound": NO_SIGN_IN,
  "identity/ClientObliged": NO_SIGN_IN,
  "identity/CodeRefused": NO_SIGN_IN,
  "identity/CompanyFull": NO_USERS,
  "identity/CompanyNotFound": NO_USERS,
  "identity/EmailTaken": NO_SIGN_IN,
  "identity/ForeignOrigin": NO_PAGE,
  "identity/ForeignPage": NO_PAGE,
  "identity/IdentityRefused": NO_SIGN_IN,
  "identity/IllegalTransition": NO_USERS,
  "identity/InvalidClient": NO_SIGN_IN,
  "identity/InvalidMailToken": NO_SIGN_IN,
  "identity/InvalidRefreshToken": NO_SIGN_IN,
  "identity/InvalidWalletAddress": FORM,
  "identity/KycMissing": NO_PAPERS,
  "identity/MoneyGateClosed": "no user is suspended or barred: the gate is open to everybody",
  "identity/NoPassword": NO_SIGN_IN,
  "identity/NotAdministrator": NO_SIGN_IN,
  "identity/NotClientMaker": NO_SIGN_IN,
  "identity/OwnAccount": NO_USERS,
  "identity/PasswordsBusy": NO_SIGN_IN,
  "identity/ProviderUnavailable": NO_SIGN_IN,
  "identity/RoleRefused": NO_USERS,
  "identity/ScopeNotGranted": NO_SIGN_IN,
  "identity/SessionEnded": NO_SIGN_IN,
  "identity/SignInOutdated": NO_SIGN_IN,
  "identity/SignInRefused": NO_SIGN_IN,
  "identity/TooManyAttempts": NO_SIGN_IN,
  "identity/UnknownScope": NO_SIGN_IN,
  "identity/UserNotFound": NO_USERS,
  "identity/UserSuspended": NO_SIGN_IN,
  "identity/WalletTaken": NO_USERS,
  "identity/WrongCredentials": NO_SIGN_IN,
  "identity/WrongPassword": NO_SIGN_IN,
  "kyc/KycBarred": NO_PAPERS,
  "kyc/KycDecided": NO_PAPERS,
  "kyc/KycIdTaken": NO_PAPERS,
  "kyc/KycNotFound": NO_PAPERS,
  "kyc/KycOpen": NO_PAPERS,
  "kyc/OwnKyc": NO_PAPERS,
  "kyc/PhoneNumberRefused": NO_PAPERS,
  "payments/InstrumentRefused": FORM,
  "payments/NoSuchOrder": NOT_THERE,
  "payments/NoSuchPayment": NOT_THERE,
  "payments/ProviderMissing":
    "which providers there are is a setting: simulations pay by the wallet and by cards, which are there",
  "requests/RequestNotFound": OF_TABLES,
  "subscriptions/NoSuchProduct": NOT_THERE,
  "subscriptions/NotOwnCompany": NO_SIGN_IN,
  "subscriptions/SubscriptionNotFound": NOT_THERE,
  "transfers/BeneficiaryNotFound": BANKS,
  "transfers/InvalidBankAccount": BANKS,
  "transfers/MoneyHalted": "a ledger that does not add up ends a simulation: the auditor reports it",
  "transfers/NotTheOwner": NO_SIGN_IN,
  "transfers/RecipientBarred": "no user is suspended or barred: everybody takes money",
  "transfers/RecipientNotFound": BANKS,
  "transfers/TooManyBeneficiaries": BANKS,
  "webhooks/DeliveryNotFailed":
    "it is how the service words NotFailed, which simulations are asked for by its own name",
  "webhooks/DeliveryNotFound": NOT_THERE,
  "webhooks/TooManyWebhooks": ENDPOINT,
  "webhooks/UnusableUrl": ENDPOINT,
  "webhooks/WebhookIsDisabled": "a delivery of a disabled webhook is retried here too, and waits until it is enabled",
  "webhooks/WebhookNotFound":
    "it is how the service words WebhookGone, which simulations are asked for by its own name, and one that is not there"
}
