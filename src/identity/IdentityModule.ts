import { Effect, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { Mail } from "../mail/Mail.ts"
import type { PersonalTable } from "../database/PersonalTable.ts"
import { type Module, nothing } from "../Module.ts"
import { AccessTokens } from "./tokens/AccessTokens.ts"
import * as AccountHandlers from "./accounts/AccountHandlers.ts"
import { AccountRepository } from "./accounts/AccountRepository.ts"
import { ApiClientRepository } from "./clients/ApiClientRepository.ts"
import { ApiClients } from "./clients/ApiClients.ts"
import { AuditLog } from "./audit/AuditLog.ts"
import { AuditLogRepository } from "./audit/AuditLogRepository.ts"
import { ClientEpochs } from "./clients/ClientEpochs.ts"
import * as ClientHandlers from "./clients/ClientHandlers.ts"
import { Companies } from "./companies/Companies.ts"
import * as CompanyHandlers from "./companies/CompanyHandlers.ts"
import { CompanyOutboxRepository } from "./companies/CompanyOutboxRepository.ts"
import { companyProjection } from "./companies/CompanyProjection.ts"
import * as CompanyRecorder from "./companies/CompanyRecorder.ts"
import { CompanyRepository } from "./companies/CompanyRepository.ts"
import { CompanyUsers } from "./companies/CompanyUsers.ts"
import { EmailVerification } from "./accounts/EmailVerification.ts"
import { FirstAdmin } from "./accounts/FirstAdmin.ts"
import type { KycRecords } from "./KycRecords.ts"
import { LoginAttempts } from "./sessions/LoginAttempts.ts"
import { MailTokenRepository } from "./accounts/MailTokenRepository.ts"
import { MailTokens } from "./accounts/MailTokens.ts"
import { MoneyGate } from "./MoneyGate.ts"
import { Owners } from "./users/Owners.ts"
import * as AuthHandlers from "./sessions/AuthHandlers.ts"
import { PasswordChanges } from "./sessions/PasswordChanges.ts"
import { Passwords } from "./sessions/Passwords.ts"
import { ExternalIdentities } from "./providers/ExternalIdentities.ts"
import { ExternalIdentityRepository } from "./providers/ExternalIdentityRepository.ts"
import { IdentityProvider } from "./providers/IdentityProvider.ts"
import * as ProviderHandlers from "./providers/ProviderHandlers.ts"
import { PendingSignIns } from "./providers/PendingSignIns.ts"
import { SandboxProvider } from "./providers/SandboxProvider.ts"
import { ShopPlatform } from "./providers/ShopPlatform.ts"
import { SpentSignInRepository } from "./providers/SpentSignInRepository.ts"
import { RefreshTokenRepository } from "./tokens/RefreshTokenRepository.ts"
import { RefreshTokens } from "./tokens/RefreshTokens.ts"
import { FreeText } from "./secrets/FreeText.ts"
import { PersonalText, sealedPersonKeys } from "./secrets/PersonalText.ts"
import { Secrets } from "./secrets/Secrets.ts"
import { SeededClient } from "./clients/SeededClient.ts"
import { SessionRepository } from "./sessions/SessionRepository.ts"
import { Sessions } from "./sessions/Sessions.ts"
import { SignInPlaceRepository } from "./sessions/SignInPlaceRepository.ts"
import { SignInPlaces } from "./sessions/SignInPlaces.ts"
import { SigningKeyRepository } from "./tokens/SigningKeyRepository.ts"
import { sealedPrivateKeys, SigningKeys } from "./tokens/SigningKeys.ts"
import { TokenGrants } from "./tokens/TokenGrants.ts"
import * as CurrentUserHandlers from "./users/CurrentUserHandlers.ts"
import { UserAdministration } from "./users/UserAdministration.ts"
import * as UserAdministrationHandlers from "./users/UserAdministrationHandlers.ts"
import * as UserHandlers from "./users/UserHandlers.ts"
import { UserRepository } from "./users/UserRepository.ts"
import { Users } from "./users/Users.ts"

const repositories = Layer.mergeAll(
  AccountRepository.layer,
  AuditLogRepository.layer,
  CompanyOutboxRepository.layer,
  MailTokenRepository.layer,
  UserRepository.layer,
  ApiClientRepository.layer,
  RefreshTokenRepository.layer,
  SessionRepository.layer,
  SignInPlaceRepository.layer,
  SigningKeyRepository.layer,
  ExternalIdentityRepository.layer,
  SpentSignInRepository.layer
)

const keys = Layer.mergeAll(
  SigningKeys.layer,
  Passwords.layer,
  Layer.provide(LoginAttempts.layer, SignInPlaces.layer),
  MailTokens.layer,
  Sessions.layer,
  RefreshTokens.layer
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      FreeText.layer.pipe(Layer.provideMerge(PersonalText.layer), Layer.provideMerge(Secrets.layer)),
      Owners.layer,
      AuditLog.layer,
      ClientEpochs.layer,
      Mail.layer
    )
  )
)

/** What is done to accounts that exist. */
const accounts = Layer.mergeAll(
  CompanyUsers.layer,
  EmailVerification.layer,
  MoneyGate.layer,
  PasswordChanges.layer,
  UserAdministration.layer
)

const providers = Layer.mergeAll(
  ExternalIdentities.layer,
  IdentityProvider.layer,
  PendingSignIns.layer,
  SandboxProvider.layer,
  Layer.provide(ShopPlatform.layer, SandboxProvider.layer)
)

/** Every service of this context but companies, on a migrated database, with its own source of randomness and who keeps KYC records. */
export const servicesWith = <A, E, R>(records: Layer.Layer<A | KycRecords, E, R>) =>
  TokenGrants.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(AccessTokens.layer, Users.layer, accounts, providers)),
    Layer.provideMerge(ApiClients.layer),
    Layer.provideMerge(records),
    Layer.provideMerge(keys),
    Layer.provideMerge(repositories),
    Layer.provideMerge(layerWebCrypto)
  )

/** The handlers of its groups but that of companies. */
export const handlers = Layer.mergeAll(
  AuthHandlers.layer,
  ProviderHandlers.layer,
  CurrentUserHandlers.layer,
  AccountHandlers.account,
  AccountHandlers.recovery,
  ClientHandlers.layer,
  UserHandlers.layer,
  UserAdministrationHandlers.users,
  UserAdministrationHandlers.audit
)

const companies = Layer.merge(Companies.layer, CompanyRecorder.layer).pipe(Layer.provideMerge(CompanyRepository.layer))

/** Who people are, and their sign-ins. Companies' clients are named by the company. */
const personal: ReadonlyArray<PersonalTable> = [
  {
    table: "users",
    subject: "id",
    columns: {
      email: "{subject}@erased.invalid",
      password_hash: null,
      contact_name: null,
      phone: null,
      address: null,
      wallet_address: null,
      ecommerce_company_id: null,
      profile: null
    }
  },
  { table: "user_identities", subject: "user_id" },
  { table: "sessions", subject: "user_id" },
  { table: "mail_tokens", subject: "user_id" },
  { table: "person_keys", subject: "id" },
  // Rows of before contacts were sealed.
  { table: "companies", subject: "id", columns: { tax_id: null, email: null, phone: null, address: null } },
  { table: "api_clients", subject: "company_id", columns: { name: "erased" } }
]

/** Who may do what, and the companies. Needs to be told who keeps KYC records. */
export const moduleWith = <A, E, R>(records: Layer.Layer<A | KycRecords, E, R>) =>
  ({
    ...nothing,
    sealed: [sealedPrivateKeys, sealedPersonKeys],
    personal,
    rows: Effect.succeed([companyProjection]),
    services: Layer.mergeAll(FirstAdmin.layer, SeededClient.layer, companies).pipe(
      Layer.provideMerge(servicesWith(records))
    ),
    handlers: Layer.merge(handlers, CompanyHandlers.layer)
  }) satisfies Module
